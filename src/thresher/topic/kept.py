"""Matchers of many labels, compiled once and kept in the user's cache folder."""

from collections.abc import Callable, Iterable
from contextlib import suppress

from xxhash import xxh3_128

from thresher.disk.cache import cache_folder as folder
from thresher.errors import BadInput
from thresher.topic.matching import Matcher, Overlap

# A matcher of fewer labels is built as fast as it is loaded.
_MANY = 5000


def kept_matcher(
    labels: Iterable[str],
    *,
    overlap: Overlap = "independent",
    stem: Callable[[str], str] | None = None,
    stemmer: str = "",
) -> Matcher:
    """A matcher of these labels, from the cache if it was built before; `stemmer` is the name of what `stem` does, such as `snowball en`.

    A cache that cannot be written only costs time.
    """
    if (stem is None) != (not stemmer):
        raise BadInput("a stem and the name of its stemmer go together: the one cannot be told from another without it")
    wanted = list(dict.fromkeys(labels))
    if len(wanted) < _MANY:
        return Matcher(wanted, overlap=overlap, stem=stem)
    path = folder() / f"labels-{_key(wanted, overlap, stemmer)}.matcher"
    with suppress(BadInput):
        return Matcher.load(path, stem=stem)
    matcher = Matcher(wanted, overlap=overlap, stem=stem)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        matcher.save(path)
    return matcher


def _key(labels: list[str], overlap: str, stemmer: str) -> str:
    return xxh3_128("\0".join([overlap, stemmer, *labels]).encode("utf-8", "replace")).hexdigest()
