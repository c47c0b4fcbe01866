"""How many of the pages that somebody knows to be relevant a crawl has found (Kayışoğlu 2005, equation 6)."""

from pathlib import Path
from typing import Any, NamedTuple

from thresher.errors import BadInput
from thresher.model import Url
from thresher.results.archive import Archive
from thresher.seed.named_urls import seed_urls, seeds_in
from thresher.store.visits import visit_row

_MOST_HOPS = 10


class TargetRecall(NamedTuple):
    """The targets of a crawl, and those that it reached."""

    targets: int
    reached: int

    @property
    def share(self) -> float:
        """Reached ÷ targets."""
        return self.reached / self.targets

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {**self._asdict(), "share": self.share}


def target_recall(archive: Archive, path: Path) -> TargetRecall:
    """The recall of the targets that a file names, one url a line. Seeds are no targets: they were not found."""
    try:
        named = seeds_in(path.read_bytes(), str(path))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    targets = set(named) - set(seed_urls(archive.settings.seeds))
    if not targets:
        raise BadInput(f"{path}: no target in it that is not a seed of the crawl: give one url a line")
    return TargetRecall(len(targets), sum(_reached(archive, url) for url in targets))


def _reached(archive: Archive, url: Url) -> bool:
    """Whether its page came, at this address or where it redirects to."""
    for _ in range(_MOST_HOPS):
        row = visit_row(archive.read, url)
        if row is None or not row["final_url"]:
            break
        url = Url(row["final_url"])
    return row is not None and row["outcome"] == "page"
