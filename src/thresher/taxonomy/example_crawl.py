"""Fetch train-0 and train-1: a crawl from all example urls, one link deep, that follows a sample of each example's links.

Which links are followed depends on hashes of urls alone. So a crawl that goes on makes the same choices, and who learns from the pages
later knows which links they were without being told.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from xxhash import xxh3_64_intdigest

from thresher.assembly import OwnParts, assembled
from thresher.classify.class_tree import ClassTree
from thresher.crawl import CrawlLoop
from thresher.fetchers import scope_rules
from thresher.model import DROP, Candidate, Link, Url, Visit
from thresher.ports import Scope, Strategy
from thresher.results.archive import Archive
from thresher.settings import Settings, settle_settings
from thresher.store.visits import every_visit
from thresher.taxonomy.training_folder import LearningOptions, TrainingFolder

TOPIC = "example pages of a taxonomy"
DEPTH = 1
"""Links from an example to a page of train-1."""


class LinkSample:
    """Which links of an example page are followed: of each class about so many in all."""

    def __init__(self, classes: Mapping[str, Sequence[Url]], options: LearningOptions) -> None:
        self._labels = {url: label for label, urls in classes.items() for url in urls}
        tree = ClassTree(classes)
        chosen = {label for path in options.links_of or [""] for label in tree.classes(path and tree.named(path))}
        # Rounded up, so that no class is without any; pages that are gone or short make up for it.
        self._share = {label: -(-options.linked // len(urls)) * (label in chosen) for label, urls in classes.items()}

    def label(self, candidate: Candidate) -> str | None:
        """The class of an example, wherever it redirected to; None for other pages."""
        return (
            self._labels.get(candidate.chain[0] if candidate.chain else candidate.url) if not candidate.depth else None
        )

    def targets(self, label: str, links: Sequence[Link], scope: Scope) -> list[Url]:
        """The urls of a page's links that are followed.

        They are drawn by a hash of both ends: by that of the target alone, all pages of a site would draw the same links of their menu.
        """
        there = {link.target: link.source for link in scope.within(links, DEPTH)}
        drawn = sorted(there, key=lambda target: (xxh3_64_intdigest(f"{there[target]} {target}".encode()), target))
        return [target for target in drawn if target != there[target]][: self._share[label]]


class FollowSample(Strategy):
    """Follow a sample of the links of example pages, and none of other pages."""

    def __init__(self, sample: LinkSample, scope: Scope) -> None:
        self._sample, self._scope = sample, scope

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The same for each link that is followed."""
        label = self._sample.label(visit.claim.candidate)
        chosen = set(self._sample.targets(label, links, self._scope)) if label else set[Url]()
        return [1.0 if link.target in chosen else DROP for link in links]


def training_settings(
    folder: TrainingFolder, classes: Mapping[str, Sequence[Url]], wanted: Mapping[str, Any]
) -> Settings:
    """The settings of the crawl: those of an earlier run, and what is wanted now (manners, workers, a budget) on top."""
    fixed = {
        "topic": TOPIC,
        "seeds": [url for urls in classes.values() for url in urls],
        "strategy": {"name": FollowSample.__name__},
        # Nothing is sought here, so nothing can dry up.
        "budget": {**wanted.get("budget", {}), "dry_share": 0.0},
        "scope": {**wanted.get("scope", {}), "depth": DEPTH},
    }
    return settle_settings(folder.pages, {**wanted, **fixed}, "the command line")


def fetching(
    folder: TrainingFolder, classes: Mapping[str, Sequence[Url]], settings: Settings
) -> AbstractAsyncContextManager[CrawlLoop]:
    """The crawl, ready to run; if there was one before, it goes on."""
    sample = LinkSample(classes, folder.options)
    return assembled(folder.pages, settings, OwnParts(FollowSample(sample, scope_rules(settings))))


def fetched_before(folder: TrainingFolder) -> Counter[int]:
    """How many pages earlier runs fetched: of train-0 under 0, of train-1 under 1."""
    if not folder.pages.exists:
        return Counter()
    with Archive.open(folder.pages.path) as archive:
        return Counter(row["depth"] for row in every_visit(archive.read) if row["outcome"] == "page")
