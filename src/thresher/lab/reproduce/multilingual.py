"""Kumar and Vig again: on a web of which a fifth is half in another language, does a crawler that looks words up find more?"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.lab.generated import GeneratedWeb, generate
from thresher.lab.reproduce.crawls import Crawls
from thresher.lab.reproduce.given_back import given_back
from thresher.lab.reproduce.mixed_webs import (
    BASELINE,
    INSTALLED,
    SHARE,
    TARGET,
    Arm,
    MixedWeb,
    multilingual,
    plain,
    sources,
)
from thresher.lab.reproduce.reproduction import Comparison, Reproduction, Setting, mean
from thresher.lab.reproduce.tables import Pair, claim, figure, percent, picture, tests
from thresher.lab.results import Run
from thresher.lab.translations import LANGUAGES
from thresher.lab.trial import Trial
from thresher.language.extras import unavailable

PAPER = 'Kumar and Vig, "Multilingual Context Ontology Rule Enhanced Focused Web Crawler", Fig. 3'
PROFILES = ("paper", "robust")
NAMES = {"hi": "Hindi", "de": "German"}
MARKS = (50, 100, 200, 300, 500, 1000)
DESIGN = (
    "The paper simulates 1000 pages about the engineering branches of one university, a fifth of them with their important terms in Hindi, "
    "and plots the relevant pages against those downloaded for a baseline focused crawler, its own crawler without a multilingual "
    "transcriptor, and with one (Min_OntRel = 5, Min_LaRel = 3). Neither the pages nor any number of the figure survive. Here: {webs} "
    "generated webs of {size} pages each, on nine topics; sought are the pages about the iris of the eye, from three English ones. {share} "
    "of the pages have titles, headings and the topic's terms in Hindi, or in German; 0 % is the control. The baseline is soft-focus, on "
    "which the paper that the rules are taken from builds. Classes and rules are learnt from another, English web, the importance table "
    "comes from the web's own terms. Words are looked up in FreeDict where it is installed, and in the very list that the web was written "
    "with, than which no dictionary can be better."
)
DIFFERENCES = (
    "The paper prints no number, only a figure that did not survive: what can be tested is the order of its three curves.",
    "Which baseline it had is not said.",
    "Its pages were about engineering, linked in a way nobody knows; ours are generated, with seven links in ten staying on the topic.",
    "Its LARS is a probability and could never exceed its threshold of 3; read as ten times that, links of pages on topic pass it.",
    "German shares its letters with English, and its words are often not noticed inside an English sentence, whatever the dictionary.",
)


class Plan(NamedTuple):
    """How much of it is run."""

    webs: int = 10
    size: int = 1000
    pages: int = 1000

    def web(self, number: int, language: str = "") -> MixedWeb:
        """A web of the experiment; without a language its control."""
        return MixedWeb(number, self.size, SHARE, language) if language else MixedWeb(number, self.size)

    def trials(self) -> Iterator[Trial]:
        """Every crawl, web by web."""
        for number in range(1, self.webs + 1):
            for spoken in ("", *LANGUAGES):
                for arm in arms(*([spoken] if spoken else LANGUAGES)):
                    yield arm.trial(self.web(number, spoken), self.pages)


QUICK = Plan(webs=2, size=80, pages=50)


def arms(*languages: str) -> list[Arm]:
    """The baseline, the crawler without a dictionary, then with each."""
    with_words = [(source, language) for language in languages for source in sources(language)]
    return [BASELINE, *map(plain, PROFILES), *(multilingual(each, *words) for words in with_words for each in PROFILES)]


def reproduce(setting: Setting) -> Reproduction:
    """Run it, or what is left of it, and say whether the paper's claim holds."""
    plan = QUICK if setting.quick else Plan()
    found = Found(plan, Crawls(setting, "multilingual", list(plan.trials())))
    return Reproduction(
        name="multilingual",
        paper=PAPER,
        design=DESIGN.format(webs=plan.webs, size=plan.size, share=percent(SHARE, 0)),
        tables=(
            *(_figures(found, each) for each in ("", *LANGUAGES)),
            _tested(found),
            _orders(found),
            _lost(plan),
            _control(found),
        ),
        verdict=_verdict(found),
        differences=(*DIFFERENCES, *unavailable()),
        plots=tuple(_plot(found, language, profile) for language in LANGUAGES for profile in PROFILES),
    )


class Found:
    """What the crawls gave, by crawler and language."""

    def __init__(self, plan: Plan, crawls: Crawls) -> None:
        self.plan = plan
        self._crawls = crawls

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
            wanted = _mixed_targets(self.plan.web(number, language))
            there, found = there + len(wanted), found + len(wanted & set(order))
        return found / there if there else 0.0

    def _trials(self, arm: Arm, language: str) -> list[Trial]:
        return [arm.trial(self.plan.web(number, language), self.plan.pages) for number in range(1, self.plan.webs + 1)]


@cache
def _mixed_targets(web: MixedWeb) -> frozenset[str]:
    made: GeneratedWeb = generate(**web.making)
    return frozenset(url for url in made.urls() if made.is_mixed(url) and made.topic_of(url) == TARGET)


def _figures(found: Found, language: str) -> Comparison:
    """Each crawler in a row."""
    marks = [mark for mark in MARKS if mark <= found.plan.pages]
    columns = ("crawler", "profile", "AUC", *(f"at {mark}" for mark in marks), "fetched", "mixed pages found")
    rows = tuple(_row(found, arm, language, marks) for arm in arms(*([language] if language else LANGUAGES)))
    targets = mean([run.targets for run in found.runs(BASELINE, language)])
    said = f"Relevant pages after so many fetches, of {targets:.1f}; means of {found.plan.webs} webs."
    title = f"{percent(SHARE, 0)} mixed, {NAMES[language]}" if language else "0 % mixed, the control"
    return Comparison(title, columns, rows, said)


def _row(found: Found, arm: Arm, language: str, marks: Sequence[int]) -> tuple[str, ...]:
    means = found.curve(arm, language).mean(axis=0)
    runs = found.runs(arm, language)
    name = f"context-ontology with {_words(arm)}" if arm.dictionary else arm.strategy
    return (
        name,
        arm.profile or "-",
        figure(mean([run.auc for run in runs])),
        *(f"{means[mark - 1]:.1f}" for mark in marks),
        f"{mean([run.fetched for run in runs]):.0f}",
        percent(found.mixed_recall(arm, language)) if language else "-",
    )


def _words(arm: Arm) -> str:
    return f"{arm.dictionary}, {NAMES[arm.language]}"


# ── the claim ──


class Claim(NamedTuple):
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

    def holds(self, found: Found) -> NDArray[np.bool_]:
        """Whether multilingual ≥ non-multilingual ≥ baseline, in the mean over webs, for each budget from 1 on."""
        order = (self.best, plain(self.profile), BASELINE)
        first, second, third = (found.curve(arm, self.language).mean(axis=0) for arm in order)
        kept: NDArray[np.bool_] = (first >= second) & (second >= third)
        return kept


CLAIMS = tuple(Claim(language, profile) for language in LANGUAGES for profile in PROFILES)


def _orders(found: Found) -> Comparison:
    rows = []
    for each in CLAIMS:
        kept = each.holds(found)
        broken = np.flatnonzero(~kept) + 1
        rows.append((each.named, each.best.dictionary, percent(kept.mean()), f"{broken[-1]}" if len(broken) else "-"))
    columns = ("language and profile", "dictionary", "of all budgets", "last budget where it does not hold")
    return Comparison("Multilingual ≥ non-multilingual ≥ baseline", columns, tuple(rows), "Means over all webs.")


def _tested(found: Found) -> Comparison:
    pairs: list[Pair] = []
    for language in LANGUAGES:
        for profile in PROFILES:
            alone = plain(profile)
            against = [
                (multilingual(profile, source, language), f"with {source}", alone, "without")
                for source in sources(language)
            ]
            for arm, name, other, base in (*against, (alone, "without", BASELINE, BASELINE.name)):
                own = found.aucs(arm, language), found.aucs(other, language)
                pairs.append((f"{NAMES[language]}, {profile}: {name}", own[0], base, own[1]))
    said = "A web is a pair; the one-sided p of t is for the first being better, the others are two-sided."
    return tests(f"AUC at {percent(SHARE, 0)} mixed, paired by web", pairs, said)


def _lost(plan: Plan) -> Comparison:
    numbers = range(1, plan.webs + 1)
    rows = tuple(
        (NAMES[language], source or "none", percent(given_back(webs, map(plan.web, numbers), source)))
        for language in LANGUAGES
        for webs in [[plan.web(number, language) for number in numbers]]
        for source in ("", *sources(language))
    )
    said = (
        "The links on mixed pages about the topic, in percent of what the very same pages are worth when they are in English; "
        "over 100 % where words are given several meanings."
    )
    return Comparison("OBRS that a dictionary gives back", ("language", "dictionary", "OBRS"), rows, said)


def _control(found: Found) -> Comparison:
    """Without mixed pages a dictionary must change nothing."""
    rows = []
    for arm in arms(*LANGUAGES):
        if arm.dictionary:
            same = _same(found, arm)
            rows.append((_words(arm), arm.profile, f"{same} of {found.plan.webs}"))
    columns = ("dictionary", "profile", "webs crawled url by url as without")
    return Comparison("The control: 0 % mixed", columns, tuple(rows))


def _same(found: Found, arm: Arm) -> int:
    pairs = zip(found.orders(arm, ""), found.orders(plain(arm.profile), ""), strict=True)
    return sum(one == other for one, other in pairs)


def _verdict(found: Found) -> str:
    held = {each: bool(each.holds(found).all()) for each in CLAIMS}
    sentences = [_summary(held), *(_sentence(found, each) for each in CLAIMS), _controlled(found)]
    if any(each.best.dictionary != INSTALLED for each in CLAIMS):
        sentences.append("Where no FreeDict dictionary is installed, the web's own words were looked up.")
    return " ".join(sentences)


def _summary(held: Mapping[Claim, bool]) -> str:
    where = [each.named for each, holds in held.items() if holds]
    if len(where) == len(held):
        return "The claim holds at every budget, in both languages and both profiles."
    listed = f"only for {'; '.join(where)}" if where else "in no language and no profile"
    return f"The claim, at every budget multilingual ≥ non-multilingual ≥ baseline, holds {listed}."


def _sentence(found: Found, claimed: Claim) -> str:
    language, alone = claimed.language, plain(claimed.profile)
    best, second, third = (found.aucs(arm, language) for arm in (claimed.best, alone, BASELINE))
    return (
        f"{claimed.named}: the order holds at {percent(claimed.holds(found).mean())} of the budgets; by AUC "
        f"{claim('multilingual', best, 'non-multilingual', second)[:-1]}; "
        f"{claim('non-multilingual', second, 'the baseline', third)}"
    )


def _controlled(found: Found) -> str:
    with_words = [arm for arm in arms(*LANGUAGES) if arm.dictionary]
    same = sum(_same(found, arm) for arm in with_words)
    of = found.plan.webs * len(with_words)
    verb = (
        "Without mixed pages a dictionary changes nothing"
        if same == of
        else "Even without mixed pages a dictionary matters"
    )
    return f"{verb}: {same} of {of} crawls are the same url by url."


def _plot(found: Found, language: str, profile: str) -> tuple[str, str]:
    compared = [BASELINE, plain(profile), *(multilingual(profile, each, language) for each in sources(language))]
    curves = {arm.name: found.curve(arm, language).tolist() for arm in compared}
    title = f"{percent(SHARE, 0)} mixed with {NAMES[language]}, profile {profile}"
    return picture(title, "relevant pages found", curves)
