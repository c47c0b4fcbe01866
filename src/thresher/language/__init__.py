"""What is known about languages. Used by topic/, judge/ and strategy/.

In comes text in any script; out come its words, their forms, its language, and for a foreign text what it says in English.

    tokens.py        the words of a text in any script; one spelling for words that are written in several ways
    word_numbers.py  the same words as numbers, for whoever counts all words of a page
    word_forms.py    stop words, stems and lemmas
    scripts.py       the scripts of the web, and which languages are written in each
    identify.py      which language a stretch of text is in; codes of languages
    dictionaries/    bilingual dictionaries: found on this machine, read once, then compiled
    transcriptor.py  what all transcriptors do: read text of other languages as English, so that an English topic is found there
    word_transcriptor.py     by dictionaries, word by word (Kumar and Vig 2010)
    sentence_transcriptor.py by a translation model of one's own, sentence by sentence
    transcribed_evidence.py  evidence with the words as they stood, beside those that they were read as
    extras.py        optional packages, and what works less well without them

`words` is the one way to cut text into words: whatever compares words, here or elsewhere, compares those. What a missing package would
have done is left undone and noted, never an error. Nothing here waits or asks the network.
"""

from thresher.language.identify import Block, blocks, language_of
from thresher.language.tokens import normal, words
from thresher.language.word_forms import STOP_WORDS, lemma, stem, stems, stop_words

__all__ = ["STOP_WORDS", "Block", "blocks", "language_of", "lemma", "normal", "stem", "stems", "stop_words", "words"]
