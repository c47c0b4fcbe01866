"""What a crawl is about. Used by judge/ and strategy/."""

from thresher.topic.topic import Topic

__all__ = ["Topic"]
