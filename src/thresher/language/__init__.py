"""What is known about languages: words, stop words, stems, which language a text is in, dictionaries, and the transcriptor.

Used by topic/, judge/ and strategy/.
"""

from thresher.language.identify import Block, blocks, language_of
from thresher.language.inflection import lemma, stem, stems
from thresher.language.normalise import normal
from thresher.language.stopwords import STOP_WORDS, stop_words
from thresher.language.tokens import words

__all__ = ["STOP_WORDS", "Block", "blocks", "language_of", "lemma", "normal", "stem", "stems", "stop_words", "words"]
