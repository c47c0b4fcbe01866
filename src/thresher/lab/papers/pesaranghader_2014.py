"""Pesaranghader and others 2014 (LinCrawler) again: words of two senses, Lin's similarity against term frequency and breadth-first."""

import math
from collections.abc import Sequence
from typing import Any

from thresher.lab.papers.paper_tables import claim, direction, figure, highest, picture, tests
from thresher.lab.papers.reproduction import Crawls, PaperTable, Reproduction, Setting, mean, mean_of, tasks_of, varied
from thresher.lab.papers.two_senses import (
    BREADTH,
    DELTA,
    ENOUGH,
    LIN,
    ROBUST,
    SEEDS,
    STRATEGIES,
    TF,
    WORDS,
    KeptOracle,
    Sense,
    SenseRuns,
    Word,
    looked_up,
)
from thresher.lab.run.statistics import paired_t, sign_flip, wilcoxon
from thresher.lab.run.task import Task
from thresher.lab.run.trial import Trial

PAPER = (
    'Pesaranghader, Mustapha and Pesaranghader, "Intelligent Topic-Specific Web Crawling Using Sense-based Semantic '
    'Similarity Measures", 2014, Tables IV–X'
)
PRINTED = {
    "cookie:confectionery": (0.618, 0.147, 0.034),
    "cookie:internet": (0.351, 0.179, 0.118),
    "iris:gardening": (0.459, 0.288, 0.059),
    "iris:medical": (0.253, 0.031, 0.058),
    "squash:vegetal": (0.437, 0.105, 0.072),
    "squash:sport": (0.560, 0.181, 0.115),
}
"""Harvest rate of Lin, TF and BF after 6,000 pages."""
PRINTED_TESTS = {
    (LIN, BREADTH): (5.192343, 0.001745),
    (LIN, TF): (4.750084, 0.002552),
    (TF, BREADTH): (1.828256, 0.063526),
}
DELTAS = (0.1, DELTA, 0.3)
PAGES, QUICK_PAGES = 1000, 40


def reproduce(setting: Setting) -> Reproduction:
    """Run the crawls that are missing and set them beside the paper."""
    base = tasks_of(setting, "schools")["schools/mercury-planet"]
    known = _words(setting, base)
    tasks = {task.name: (task, word, place) for word in known if word.common for task, place in _tasks(base, word)}
    pages = QUICK_PAGES if setting.quick else PAGES
    trials = {(name, by): _trial(task, by, pages) for name, (task, _, _) in tasks.items() for by in STRATEGIES}
    crawls = Crawls(setting, "lin", list(trials.values()))
    oracles = {name: KeptOracle(setting, *rest) for name, rest in tasks.items()}
    seen = SenseRuns(trials, crawls, oracles, pages, setting)
    return Reproduction(
        "lin",
        PAPER,
        _design(known, pages),
        (
            *(() if setting.quick else (_chosen(known),)),
            _printed(),
            _printed_tests(),
            _harvests(seen),
            _tests(seen),
            _sensitivity(seen),
        ),
        _verdict(seen),
        DIFFERENCES,
        (_plot(seen),),
    )


# ── words and crawls ──


def _words(setting: Setting, base: Task) -> list[Word]:
    if setting.quick:
        # Known to be common enough; counting it would take longer than the crawls.
        return [Word("mercury", (ENOUGH, ENOUGH), tuple(base.near), ("", ""))]
    return looked_up(setting.bench.web(base.web), WORDS, setting.out / "lin" / "words.json", setting.told)


def _tasks(base: Task, word: Word) -> list[tuple[Task, int]]:
    """A task a sense; both get the word alone, and start from the same pages."""
    return [
        (varied(base, f"{word.word} {_subject(place, word)}", **_about(word, sense)), place)
        for place, sense in enumerate(WORDS[word.word])
    ]


def _about(word: Word, sense: Sense) -> dict[str, Any]:
    return {
        "topic": word.word,
        "keywords": "",
        "sense": sense.id,
        "relevant": sense.subjects,
        "near": word.seeds,
    }


def _subject(place: int, word: Word) -> str:
    return WORDS[word.word][place].subjects[0].rsplit(".", 1)[-1].replace("_", " ")


def _trial(task: Task, by: str, pages: int) -> Trial:
    return Trial(task, "near", STRATEGIES[by], pages)


# ── tables ──


def _chosen(known: Sequence[Word]) -> PaperTable:
    rows = tuple(
        (
            each.word,
            *(f"{_subject(place, each)}: {each.pages[place]}" for place in (0, 1)),
            "yes" if each.common else "no",
        )
        for each in known
    )
    said = (
        f"Pages of the sense's subjects that contain the word; used if both are at least {ENOUGH}. The candidates were listed "
        "before any crawl was run."
    )
    return PaperTable("Words of two senses", ("word", "one sense", "other sense", "used"), rows, said)


def _printed() -> PaperTable:
    rows = [(name, *map(figure, values)) for name, values in PRINTED.items()]
    means = [math.fsum(column) / len(PRINTED) for column in zip(*PRINTED.values(), strict=True)]
    return PaperTable(
        "The paper: harvest after 6,000 pages", ("pair", LIN, TF, BREADTH), (*rows, ("mean", *map(figure, means)))
    )


def _printed_tests() -> PaperTable:
    """The paper's tests worked out again from its own table."""
    columns = dict(zip((LIN, TF, BREADTH), zip(*PRINTED.values(), strict=True), strict=True))
    rows = []
    for (one, other), (t, p) in PRINTED_TESTS.items():
        differences = [own - base for own, base in zip(columns[one], columns[other], strict=True)]
        right = paired_t(differences)
        rows.append(
            (
                f"{one} - {other}",
                f"{t:.4f} ({p:.4f})",
                f"{right.t:.4f} ({right.p.greater:.4f})",
                f"{sign_flip(differences).greater:.4f}",
                f"{wilcoxon(differences).greater:.4f}",
            )
        )
    said = (
        "The printed t have √4 where n = 6 pairs ask for √6; p is one-sided throughout. Six pairs of three words are no six "
        "independent samples."
    )
    columns_ = ("comparison", "printed t (p)", "right t (p)", "sign-flip p", "Wilcoxon p")
    return PaperTable("The paper's t-tests, put right", columns_, tuple(rows), said)


def _harvests(seen: SenseRuns) -> PaperTable:
    rows = [
        (
            name,
            *(figure(seen.values(by, DELTA)[name]) for by in STRATEGIES),
            *(figure(seen.values(by, None)[name]) for by in STRATEGIES),
            " / ".join(str(seen.fetched(name, by)) for by in STRATEGIES),
        )
        for name in seen.names
    ]
    means = [figure(mean_of(seen.values(by, delta))) for delta in (DELTA, None) for by in STRATEGIES]
    ended = mean([seen.fetched(name, TF) for name in seen.names])
    columns = (
        "word and sense",
        *(f"{by}, δ = {DELTA}" for by in STRATEGIES),
        *(f"{by}, labels" for by in STRATEGIES),
        "fetched",
    )
    said = (
        f"Relevant pages ÷ {seen.pages:,}, whether or not the crawl came that far; *fetched* says how far, in the order of the "
        "columns. "
        f"TF drops all links without the word: its crawls made {ended:.0f} fetches on average."
    )
    return PaperTable("Ours: harvest", columns, (*rows, ("mean", *means, "")), said)


def _tests(seen: SenseRuns) -> PaperTable:
    pairs = [
        (f"{one}, {judged}{unit}", values(one, delta), other, values(other, delta))
        for judged, delta in ((f"δ = {DELTA}", DELTA), ("labels", None))
        for unit, values in ((", a sense", seen.values), (", a word", seen.by_word))
        for one, other in ((LIN, BREADTH), (LIN, TF), (TF, BREADTH), (ROBUST, BREADTH))
    ]
    said = (
        "Pairs of senses as in the paper, then of words: the two senses of a word start from the same pages and are no "
        "independent samples."
    )
    return tests("Ours: is it chance?", pairs, said)


def _sensitivity(seen: SenseRuns) -> PaperTable:
    rows = [(f"δ = {delta}", *(figure(mean_of(seen.values(by, delta))) for by in STRATEGIES)) for delta in DELTAS]
    rows.append(("labels", *(figure(mean_of(seen.values(by, None))) for by in STRATEGIES)))
    return PaperTable("Mean harvest by threshold of the oracle", ("judge", *STRATEGIES), tuple(rows))


def _plot(seen: SenseRuns) -> tuple[str, str]:
    curves = {by: seen.curves(by) for by in STRATEGIES}
    return picture(f"Harvest by the text oracle, mean of {len(seen.names)} senses", "harvest rate", curves)


# ── words ──


def _design(known: Sequence[Word], pages: int) -> str:
    used = [each.word for each in known if each.common]
    return (
        "The paper crawls the live web for three words of two senses each, 6,000 pages a crawl from a search engine's hits, and "
        "calls a page relevant whose text is like the "
        f"definitions of Wikipedia and WordNet (cosine ≥ {DELTA}, the word itself struck out). Here the web is the schools' "
        f"encyclopaedia of about 5,500 pages, so {pages:,} fetches "
        f"stand for 6,000, and {len(used)} words ({', '.join(used)}) for three. The seeds are at most {SEEDS} pages that a search "
        "for the word alone would "
        "give, the same for both senses. The oracle has WordNet's definitions of the sense and its children, and the first "
        "paragraph of the encyclopaedia's "
        "article where there is one. Labels are the subjects of the encyclopaedia's editors: a page counts if it has the sense's "
        "subject."
    )


DIFFERENCES = (
    "An encyclopaedia of 5,500 pages has few pages on most of these senses: no crawler could reach the paper's rates.",
    (
        "Its articles are long: their cosine with a definition of a few dozen words is lower than that of short pages, so δ = .2 "
        "is stricter here; hence the other thresholds."
    ),
    "The paper's window, number of seeds and information content are not given; ours are set in `strategy/lin.py`.",
    "In an encyclopaedia the words around a link are running prose; on the paper's web they are often menus and lists.",
    "The labels ask for the subject (all chemical elements), the oracle for the sense (mercury): these are different questions.",
    (
        "*Lin, robust* is ours, not the paper's; three of these words (virus, port, memory) were among those that its switches "
        "were looked at with."
    ),
)


def _verdict(seen: SenseRuns) -> str:
    parts = []
    for judged, delta in (("the text oracle", DELTA), ("the labels", None)):
        for other in (BREADTH, TF):
            own, base = seen.by_word(LIN, delta), seen.by_word(other, delta)
            gap = mean_of(own) - mean_of(base)
            parts.append(f"By {judged}, {direction(gap)}: {claim(LIN, own, other, base)}")
    for judged, delta in (("the oracle", DELTA), ("the labels", None)):
        means = {by: mean_of(seen.values(by, delta)) for by in STRATEGIES}
        parts.append(f"The highest mean by {judged} has {highest(means)}.")
    return " ".join(parts)
