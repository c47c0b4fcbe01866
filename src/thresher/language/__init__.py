"""What is known about languages: words and stop words. Used by topic/, judge/ and strategy/."""

from thresher.language.tokens import STOP_WORDS, words

__all__ = ["STOP_WORDS", "words"]
