"""Stop words, stems and lemmas: which words say nothing about a topic, and how the forms of one word are brought together.

A stem is quick and any word has one; a lemma is a real word, from a list. Where a language has no stemmer or no list, or the package is
missing, the word stays as it is: that costs recall, never a crawl. `unavailable()` in extras.py says what is missing.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

from thresher.language.extras import extra
from thresher.language.tokens import LONGEST_WORD

# English function words only: the usual long lists (1,298 words) contain topics such as "computer", "information" or "second".
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a about an and are as at be but by can do for from had has have how i if in into is it its more no not of on or our so than
        that the their them then there these they this to was we were what when which who will with you your""",
    )
)

# Nouns that stand in the Hindi list by mistake: house, class.
_MEANINGFUL = {"hi": frozenset({"घर", "वर्ग"})}

# The Snowball algorithms by language. `porter` and `dutch_porter` are older ways to do English and Dutch.
_ALGORITHMS = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech", "da": "danish", "nl": "dutch",
    "en": "english", "eo": "esperanto", "et": "estonian", "fi": "finnish", "fr": "french", "de": "german",
    "el": "greek", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "ga": "irish", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "no": "norwegian", "nb": "norwegian", "nn": "norwegian", "fa": "persian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho",
    "es": "spanish", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, in lower case; none where nobody has listed them or the extra `languages` is missing.

    >>> "the" in stop_words("en"), stop_words("tlh")
    (True, frozenset())
    """
    if language == "en":
        return STOP_WORDS
    lists = extra("stopwordsiso")
    if lists is None or not lists.has_lang(language):
        return frozenset()
    return frozenset(lists.stopwords(language)) - _MEANINGFUL.get(language, frozenset())


def stem(word: str, language: str = "en") -> str:
    """The stem of a word in lower case: not always a word, but the same for most of its forms. What is too long for a word has none.

    >>> stem("diseases"), stem("disease"), stem("बीमारियों", "hi")
    ('diseas', 'diseas', 'बीमार')
    """
    snowball = _snowball(language)
    return word if snowball is None or len(word) > LONGEST_WORD else str(snowball.stemWord(word))


def stems(words: Sequence[str], language: str = "en") -> list[str]:
    """The stems of many words at once, which is faster than one by one."""
    snowball = _snowball(language)
    if snowball is None:
        return list(words)
    if max(map(len, words), default=0) > LONGEST_WORD:
        return [stem(word, language) for word in words]
    return list(snowball.stemWords(words))


def has_stems(language: str) -> bool:
    """Whether there is a stemmer for a language."""
    return _snowball(language) is not None


# ── English plurals ──

_HISSES = ("s", "x", "z", "ch", "sh", "o")
"""After these the plural has an e."""
_SHORT = 3


def forms(word: str) -> frozenset[str]:
    """A word of English in singular and plural, whichever it is given in; where the singular is in doubt, all that it may be.

    Rules for endings, and no list: nothing needs to be installed, and all forms of a word are known before a page is read.

    >>> sorted(forms("irises")), sorted(forms("eye"))
    (['iris', 'irise', 'irises'], ['eye', 'eyes'])
    """
    return frozenset({word}.union(*({each, *_plurals(each)} for each in _singulars(word))))


def _singulars(word: str) -> set[str]:
    if len(word) <= _SHORT or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return {word}
    found = {word[:-1]}
    if word.endswith("ies") and len(word) > len("ties"):
        found.add(word[:-3] + "y")
    if word.endswith("es") and word[:-2].endswith(_HISSES):
        found.add(word[:-2])
    if word.endswith("yses"):
        found.add(word[:-2] + "is")
    return found


def _plurals(word: str) -> set[str]:
    if len(word) < _SHORT or not word[-1].isalpha() or word.endswith("ss"):
        return {word + "es"} if word.endswith("ss") else set()
    if word.endswith("ysis"):
        return {word[:-2] + "es"}
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return {word + "es"}
    if word.endswith("y") and word[-2] not in "aeiou":
        return {word[:-1] + "ies"}
    return {word + "s", word + "es"} if word.endswith("o") else {word + "s"}


def lemma(word: str, language: str = "en") -> str:
    """The form that a dictionary lists.

    >>> lemma("Häuser", "de"), lemma("आँखों", "hi")
    ('Haus', 'आँख')
    """
    return _lemmatiser(language)(word) if len(word) <= LONGEST_WORD else word


@cache
def _snowball(language: str) -> Any:
    snowball = extra("Stemmer")
    if snowball is None or language not in _ALGORITHMS:
        return None
    stemmer = snowball.Stemmer(_ALGORITHMS[language])
    # To remember 10,000 words takes it three times as long for a new word, and saves a third for one that comes again.
    stemmer.maxCacheSize = 0
    return stemmer


@cache
def _lemmatiser(language: str) -> Callable[[str], str]:
    simplemma = extra("simplemma")
    code = {"no": "nb", "sr": "hbs", "hr": "hbs", "bs": "hbs"}.get(language, language)
    if simplemma is None or not _has_list(simplemma, code):
        return _unchanged
    return lru_cache(maxsize=1 << 16)(lambda word: str(simplemma.lemmatize(word, lang=code)))


def _has_list(simplemma: Any, code: str) -> bool:
    try:
        simplemma.is_known("a", lang=code)
    except ValueError:
        return False
    return True


def _unchanged(word: str) -> str:
    return word
