"""The three crawlers of Kumar and Vig 2010 on every web: what each found, and whether their curves lie as the paper says."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.lab.papers.mixed_webs import BASELINE, SHARE, TARGET, Arm, MixedWeb, multilingual, plain, sources
from thresher.lab.papers.reproduction import Crawls
from thresher.lab.run.results_file import Run
from thresher.lab.run.trial import Trial
from thresher.lab.webs.generated import generate
from thresher.lab.webs.vocabulary import LANGUAGES

PROFILES = ("paper", "robust")
NAMES = {"hi": "Hindi", "de": "German"}


@dataclass(frozen=True)
class Plan:
    """How much of it is run."""

    webs: int = 10
    size: int = 1000
    pages: int = 1000
    _made: dict[tuple[int, str], MixedWeb] = field(default_factory=dict, init=False, repr=False, compare=False)

    def web(self, number: int, language: str = "") -> MixedWeb:
        """A web of the experiment; without a language its control. The same object each time, as its seeds take time to find."""
        if (number, language) not in self._made:
            mixed = (SHARE, language) if language else ()
            self._made[number, language] = MixedWeb(number, self.size, *mixed)
        return self._made[number, language]

    def trials(self) -> Iterator[Trial]:
        """Every crawl, web by web."""
        for number in range(1, self.webs + 1):
            for spoken in ("", *LANGUAGES):
                for arm in arms(*([spoken] if spoken else LANGUAGES)):
                    yield arm.trial(self.web(number, spoken), self.pages)


def arms(*languages: str) -> list[Arm]:
    """The baseline, the crawler without a dictionary, then with each."""
    with_words = [(source, language) for language in languages for source in sources(language)]
    return [BASELINE, *map(plain, PROFILES), *(multilingual(each, *words) for words in with_words for each in PROFILES)]


class MultilingualRuns:
    """What the crawls gave, by crawler and language."""

    def __init__(self, plan: Plan, crawls: Crawls) -> None:
        self.plan = plan
        self._crawls = crawls
        self._mixed: dict[MixedWeb, frozenset[str]] = {}

    def runs(self, arm: Arm, language: str) -> list[Run]:
        """The rows of a crawler, a web each."""
        return [self._crawls.run(trial) for trial in self._trials(arm, language)]

    def aucs(self, arm: Arm, language: str) -> dict[str, float]:
        """The mean of each harvest curve, by web."""
        return {f"web {number}": run.auc for number, run in enumerate(self.runs(arm, language), 1)}

    def curve(self, arm: Arm, language: str) -> NDArray[np.float64]:
        """Relevant pages after 1, 2 … fetches, a row a web."""
        steps = np.arange(1, self.plan.pages + 1)
        return np.array([np.searchsorted(run.curve, steps, "right") for run in self.runs(arm, language)], dtype=float)

    def orders(self, arm: Arm, language: str) -> list[list[str]]:
        """The urls of each crawl, as they were fetched."""
        return [[fetch.url for fetch in self._crawls.fetches(trial)] for trial in self._trials(arm, language)]

    def mixed_recall(self, arm: Arm, language: str) -> float:
        """The share of the relevant pages in two languages that was found by the end."""
        there = found = 0
        for number, order in enumerate(self.orders(arm, language), 1):
            wanted = self._mixed_targets(self.plan.web(number, language))
            there, found = there + len(wanted), found + len(wanted & set(order))
        return found / there if there else 0.0

    def _mixed_targets(self, web: MixedWeb) -> frozenset[str]:
        if web not in self._mixed:
            made = generate(**web.making)
            found = (url for url in made.urls() if made.is_mixed(url) and made.topic_of(url) == TARGET)
            self._mixed[web] = frozenset(found)
        return self._mixed[web]

    def _trials(self, arm: Arm, language: str) -> list[Trial]:
        return [arm.trial(self.plan.web(number, language), self.plan.pages) for number in range(1, self.plan.webs + 1)]


Held = NDArray[np.bool_]
"""Whether something holds, for each budget."""


class CurveClaim(NamedTuple):
    """The three crawlers that the paper compares, for one language and one profile."""

    language: str
    profile: str

    @property
    def named(self) -> str:
        """Such as `Hindi, profile paper`."""
        return f"{NAMES[self.language]}, profile {self.profile}"

    @property
    def best(self) -> Arm:
        """With the real dictionary, or the web's own words where it is not installed."""
        return multilingual(self.profile, sources(self.language)[0], self.language)

    def halves(self, found: MultilingualRuns) -> tuple[Held, Held]:
        """Whether multilingual ≥ non-multilingual, and that ≥ baseline, in the mean over webs, for each budget from 1 on."""
        order = (self.best, plain(self.profile), BASELINE)
        first, second, third = (found.curve(arm, self.language).mean(axis=0) for arm in order)
        return first >= second, second >= third

    def holds(self, found: MultilingualRuns) -> Held:
        """Whether both do."""
        one, other = self.halves(found)
        return one & other


CLAIMS = tuple(CurveClaim(language, profile) for language in LANGUAGES for profile in PROFILES)
