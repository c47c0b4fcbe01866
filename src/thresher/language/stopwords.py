"""Words that say nothing about a topic, in 58 languages."""

import re
from functools import cache

from thresher.language.extras import extra

# English function words only: the usual long lists (1,298 words) eat topics such as "computer", "information" or "second".
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a about an and are as at be but by can do for from had has have how i if in into is it its more no not of on or our so than
        that the their them then there these they this to was we were what when which who will with you your""",
    )
)

# Nouns that stand in the Hindi list by mistake: house, class.
_MEANINGFUL = {"hi": frozenset({"घर", "वर्ग"})}


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
