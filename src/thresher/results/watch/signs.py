"""The signs by which the apprentice tells good links, in words for people; `strategy/link_features.py` says what each is exactly."""

from collections.abc import Mapping

SIGNS: Mapping[str, str] = {
    "bias": "what every link begins with",
    "page": "relevance of the pages that link to it",
    "page view": "what those pages say, by the words learnt",
    "best page": "the best page that links to it",
    "page before": "the page before that one",
    "new page": "few links of that page were tried yet",
    "anchor words": "topic words in the link",
    "context words": "topic words around the link",
    "url words": "topic words in the address",
    "heading words": "topic words in the heading above",
    "anchor odds": "words learnt, in the link",
    "context odds": "words learnt, around the link",
    "url odds": "words learnt, in the address",
    "heading odds": "words learnt, in the heading above",
    "lokman": "concepts in the link and on the way to it",
    "concepts around": "concepts around the link",
    "siblings": "what else those pages led to",
    "host": "relevance of its host",
    "segment": "relevance of its part of the host",
    "directory": "relevance of its directory",
    "sibling answers": "how often links of those pages answered",
    "host answers": "how often its host answered",
    "segment answers": "how often its part of the host answered",
    "host place": "what its host may still hold",
    "segment place": "what its part of the host may still hold",
    "directory place": "what its directory may still hold",
    "links": "how many links lead to it",
    "menu": "links in menus",
    "media": "a picture, an archive or the like",
    "unknown host": "little is known of its host",
    "anchor phrase": "a whole phrase of the topic in the link",
    "shape": "relevance of addresses made alike",
    "shape answers": "how often addresses made alike answered",
}


def in_words(name: str) -> str:
    """What a part of a priority is; what no sign of the apprentice is stays as it is called.

    >>> in_words("menu"), in_words("anchor")
    ('links in menus', 'anchor')
    """
    return SIGNS.get(name, name)
