"""Knowledge that lives on other machines.

A question goes out once: its answer is kept on disk for a while, and asked for again politely if the machine is busy. What comes back are
the same concepts that readers of files give, so that a topic is made of them in the same way. Unlike the crawl, which meets failures all
day, a question that stays unanswered is an error: without its answer there is no topic.
"""

from thresher.online.umls import Umls, look_up

__all__ = ["Umls", "look_up"]
