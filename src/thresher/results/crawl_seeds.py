"""The seeds of a crawl: what came of each, and how many relevant pages it led to."""

from collections import Counter
from typing import Any, NamedTuple

from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.plain_text import short_title
from thresher.store.visits import links_backwards, visit_row

_MOST_HOPS = 20


class SeedFate(NamedTuple):
    """What came of a seed."""

    url: Url
    outcome: str
    """`page`, `waiting`, or the name of what went wrong; of a seed that redirects, that of the last url."""
    title: str
    relevance: float | None
    relevant: bool
    led_to: int
    """Relevant pages whose path begins at it, itself among them; copies do not count."""

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return self._asdict()


def seed_fates(archive: Archive) -> list[SeedFate]:
    """All seeds, those first that led to most."""
    found = relevant_by_root(archive)
    fates = [_fate(archive, Url(seed), found) for seed in archive.settings.seeds]
    return sorted(fates, key=lambda each: (-each.led_to, not each.relevant, -(each.relevance or 0.0)))


def relevant_by_root(archive: Archive) -> Counter[Url]:
    """How many relevant pages were found from each page that no other led to."""
    below, roots = Counter[Url](), Counter[Url]()
    for page in links_backwards(archive.read):
        # All that it led to came before: what they found is added up here, and handed on to the page that led here.
        found = below.pop(page.url, 0) + page.fresh
        if found:
            (below if page.parent else roots)[page.parent or page.url] += found
    return roots


def _fate(archive: Archive, seed: Url, found: Counter[Url]) -> SeedFate:
    url, row = seed, visit_row(archive.read, seed)
    for _ in range(_MOST_HOPS):
        if row is None or row["outcome"] != "redirect" or not row["final_url"]:
            break
        url = row["final_url"]
        row = visit_row(archive.read, url)
    if row is None:
        return SeedFate(seed, "waiting", "", None, relevant=False, led_to=0)
    title = short_title(row["title"] or "")
    return SeedFate(seed, row["outcome"], title, row["relevance"], bool(row["relevant"]), found[url])
