"""Pesaranghader and others 2014 (LinCrawler) again: words of two senses, Lin's similarity against term frequency and breadth-first."""

import math
from collections.abc import Mapping, Sequence

from thresher.lab.papers.paper_tables import claim, direction, figure, highest, picture, tests
from thresher.lab.papers.reproduction import PaperTable, Reproduction, Setting, mean, mean_of
from thresher.lab.papers.sense_runs import (
    ALL_PAGES,
    DELTA,
    LABELS,
    LITERAL,
    PAGES,
    QUICK_PAGES,
    STRUCK,
    SenseOracle,
    SenseRuns,
    base_task,
    known_words,
    sense_tasks,
)
from thresher.lab.papers.two_senses import ENOUGH, PAIRS, SEEDS, Word
from thresher.lab.run.statistics import paired_t, sign_flip, wilcoxon
from thresher.lab.run.trial import PartTable

PAPER = (
    'Pesaranghader, Mustapha and Pesaranghader, "Intelligent Topic-Specific Web Crawling Using Sense-based Semantic '
    'Similarity Measures", 2014, Tables IV–X'
)
LIN, TF, BREADTH, ROBUST, BEST_BEST = "Lin", "TF", "BF", "Lin, robust", "BBF"
STRATEGIES: Mapping[str, PartTable] = {
    LIN: {"name": "lin"},
    TF: {"name": "tf"},
    BREADTH: {"name": "breadth-first"},
    ROBUST: {"name": "lin", "profile": "robust"},
    BEST_BEST: {"name": "best-best-first"},
}
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
COMPARED = ((LIN, BREADTH), (LIN, TF), (TF, BREADTH), (LIN, BEST_BEST), (ROBUST, BREADTH), (ROBUST, LIN))
DELTAS = (0.1, DELTA, 0.3)
EARLY = 500
"""Fetches after which crawls that end at different lengths are compared."""


def reproduce(setting: Setting) -> Reproduction:
    """Run the crawls that are missing and set them beside the paper."""
    base = base_task(setting)
    known = known_words(setting, base)
    pages, most = (QUICK_PAGES, QUICK_PAGES) if setting.quick else (PAGES, ALL_PAGES)
    tasks = sense_tasks(base, known)
    own = {name: each for name, each in tasks.items() if each.word.word in PAIRS}
    others = {name: each for name, each in tasks.items() if each.word.word not in PAIRS}
    pairs = SenseRuns(setting, "lin", own, STRATEGIES, most)
    seen = SenseRuns(setting, "lin", others, STRATEGIES, pages)
    return Reproduction(
        "lin",
        PAPER,
        _design(known, pages),
        (
            *(() if setting.quick else (_chosen(known),)),
            _printed(),
            _printed_tests(),
            *((_pairs(pairs), _pair_means(pairs)) if own else ()),
            _harvests(seen),
            _tests(seen),
            _sensitivity(seen),
        ),
        _verdict(seen),
        DIFFERENCES,
        (_plot(seen), *(_pair_plot(pairs, name) for name in pairs.names)),
    )


# ── tables ──


def _chosen(known: Sequence[Word]) -> PaperTable:
    rows = tuple(
        (
            each.word,
            *(f"{each.subject(place)}: {each.pages[place]}" for place in (0, 1)),
            "yes" if each.common else "in crawls of its own" if each.word in PAIRS else "no",
        )
        for each in known
    )
    said = (
        f"Pages of the sense's subjects that contain the word; used if both are at least {ENOUGH}. The paper's own three words are "
        "used however few they are, and told apart from the others. The candidates were listed before any crawl was run."
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


def _pairs(seen: SenseRuns) -> PaperTable:
    rows = [
        (
            name,
            " / ".join(map(figure, PRINTED[name])),
            *(
                f"{_ratio(seen, name, by)} ({seen.found(name, by, LITERAL)} of {seen.came(name, by):,})"
                for by in seen.by
            ),
            str(seen.relevant(name, LITERAL)),
        )
        for name in seen.names
    ]
    columns = ("pair", f"printed {LIN} / {TF} / {BREADTH}", *seen.by, "relevant in all")
    said = (
        f"Equation 6 by the paper's own oracle (δ = {DELTA}): relevant pages ÷ pages that came in {seen.pages:,} fetches or before links "
        "ran out, and both numbers; many links of the encyclopaedia are dead. *Relevant in all*: the relevant pages that all crawls found "
        "together. Crawls of different length are no fair comparison: see the next table and the curves."
    )
    return PaperTable("The paper's own words: harvest", columns, tuple(rows), said)


def _ratio(seen: SenseRuns, name: str, by: str) -> str:
    return figure(seen.found(name, by, LITERAL) / max(seen.came(name, by), 1))


def _pair_means(seen: SenseRuns) -> PaperTable:
    rows = [
        (told, *(figure(mean_of(seen.values(by, oracle, EARLY))) for by in seen.by))
        for told, oracle in (
            (f"the paper's oracle, δ = {DELTA}", LITERAL),
            (f"word struck from pages too, δ = {DELTA}", STRUCK),
            ("labels", LABELS),
        )
    ]
    said = f"Relevant pages in the first {EARLY} fetches ÷ {EARLY}, mean of the six pairs; a crawl that ended earlier has found no more."
    return PaperTable(f"The paper's own words after {EARLY} fetches", ("judge", *seen.by), tuple(rows), said)


def _pair_plot(seen: SenseRuns, name: str) -> tuple[str, str]:
    curves = {by: [seen.page_curve(name, by, LITERAL)] for by in seen.by if seen.came(name, by)}
    return picture(f"{name}: harvest by the paper's oracle", "harvest ratio", curves, "pages")


def _harvests(seen: SenseRuns) -> PaperTable:
    rows = [
        (
            name,
            *(figure(seen.values(by, LITERAL)[name]) for by in seen.by),
            *(figure(seen.values(by, LABELS)[name]) for by in seen.by),
            " / ".join(str(seen.fetched(name, by)) for by in seen.by),
        )
        for name in seen.names
    ]
    means = [figure(mean_of(seen.values(by, oracle))) for oracle in (LITERAL, LABELS) for by in seen.by]
    ended = mean([seen.fetched(name, TF) for name in seen.names])
    columns = (
        "word and sense",
        *(f"{by}, δ = {DELTA}" for by in seen.by),
        *(f"{by}, labels" for by in seen.by),
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
        (f"{one}, {judged}{unit}", values(one, oracle), other, values(other, oracle))
        for judged, oracle in ((f"δ = {DELTA}", LITERAL), ("labels", LABELS))
        for unit, values in ((", a sense", seen.values), (", a word", seen.by_word))
        for one, other in COMPARED
    ]
    said = (
        "Pairs of senses as in the paper, then of words: the two senses of a word start from the same pages and are no "
        "independent samples."
    )
    return tests("Ours: is it chance?", pairs, said)


def _sensitivity(seen: SenseRuns) -> PaperTable:
    judges = [(f"the paper's oracle, δ = {delta}", SenseOracle("literal", delta)) for delta in DELTAS]
    judges += [(f"word struck from pages too, δ = {delta}", SenseOracle("struck", delta)) for delta in DELTAS]
    judges += [("labels", LABELS)]
    rows = [(told, *(figure(mean_of(seen.values(by, oracle))) for by in seen.by)) for told, oracle in judges]
    return PaperTable("Mean harvest by oracle and threshold", ("judge", *seen.by), tuple(rows))


def _plot(seen: SenseRuns) -> tuple[str, str]:
    curves = {by: [seen.curve(name, by, LITERAL) for name in seen.names] for by in seen.by}
    return picture(f"Harvest by the paper's oracle, mean of {len(seen.names)} senses", "harvest rate", curves)


# ── words ──


def _design(known: Sequence[Word], pages: int) -> str:
    used = [each.word for each in known if each.common and each.word not in PAIRS]
    return (
        "The paper crawls the live web for three words of two senses each, 6,000 pages a crawl from a search engine's hits, and "
        "calls a page relevant whose text is like the "
        f"definitions of Wikipedia and WordNet (cosine ≥ {DELTA}, the word itself struck from the definitions). Here the web is the "
        f"schools' encyclopaedia of about 5,500 pages. The paper's own three words get {ALL_PAGES:,} fetches; it has so few pages on "
        f"them that {len(used)} other words ({', '.join(used)}) stand beside them, with {pages:,} fetches each. The seeds are at most "
        f"{SEEDS} pages that a search for the word alone would "
        "give, the same for both senses. The oracle is the paper's: WordNet's definitions of the sense and its children, and the first "
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
    "The paper's window and number of seeds are not given; ours are set in `strategy/lin.py`.",
    "The paper's oracle has Wikipedia's definition; here it is the encyclopaedia's article, where there is one of that name.",
    (
        "*BBF* is the crawler that the paper would compare with (`best-best-first`), as far as it tells of it; its judge knows "
        "the word and no sense."
    ),
    "In an encyclopaedia the words around a link are running prose; on the paper's web they are often menus and lists.",
    "The labels ask for the subject (all chemical elements), the oracle for the sense (mercury): these are different questions.",
    (
        "*Lin, robust* is ours, not the paper's; three of these words (virus, port, memory) were among those that its switches "
        "were looked at with."
    ),
)


def _verdict(seen: SenseRuns) -> str:
    parts = []
    for judged, oracle in (("the paper's oracle", LITERAL), ("the labels", LABELS)):
        for other in (BREADTH, TF):
            own, base = seen.by_word(LIN, oracle), seen.by_word(other, oracle)
            gap = mean_of(own) - mean_of(base)
            parts.append(f"By {judged}, {direction(gap)}: {claim(LIN, own, other, base)}")
        said = claim(LIN, seen.by_word(LIN, oracle), BEST_BEST, seen.by_word(BEST_BEST, oracle))
        parts.append(f"The comparison that the paper left for later: {said}")
        parts.append(f"What is ours: {claim(ROBUST, seen.by_word(ROBUST, oracle), LIN, seen.by_word(LIN, oracle))}")
    for judged, oracle in (("the oracle", LITERAL), ("the labels", LABELS)):
        means = {by: mean_of(seen.values(by, oracle)) for by in seen.by}
        parts.append(f"The highest mean by {judged} has {highest(means)}.")
    return " ".join(parts)
