"""What Pesaranghader and others 2014 left for later: their crawler with other measures of similarity than Lin's."""

from collections.abc import Mapping
from typing import get_args

from thresher.lab.papers.paper_tables import claim, figure, highest, picture, tests
from thresher.lab.papers.reproduction import PaperTable, Reproduction, Setting, mean_of
from thresher.lab.papers.sense_runs import (
    DELTA,
    LABELS,
    LITERAL,
    PAGES,
    QUICK_PAGES,
    STRUCK,
    SenseRuns,
    base_task,
    known_words,
    sense_tasks,
)
from thresher.lab.run.trial import PartTable
from thresher.ontology.similarity import MeasureName

PAPER = (
    'Pesaranghader, Mustapha and Pesaranghader, "Intelligent Topic-Specific Web Crawling Using Sense-based Semantic '
    'Similarity Measures", 2014, §VII, future work'
)
LIN = "lin"
STRATEGIES: Mapping[str, PartTable] = {
    name: {"name": "lin"} if name == LIN else {"name": "lin", "measure": name} for name in get_args(MeasureName)
}
JUDGES = ((f"the paper's oracle, δ = {DELTA}", LITERAL), ("word struck from pages too", STRUCK), ("labels", LABELS))


def reproduce(setting: Setting) -> Reproduction:
    """Run the crawls that are missing and compare the measures."""
    base = base_task(setting)
    tasks = sense_tasks(base, known_words(setting, base))
    seen = SenseRuns(setting, "measures", tasks, STRATEGIES, QUICK_PAGES if setting.quick else PAGES)
    curves = {by: [seen.curve(name, by, LITERAL) for name in seen.names] for by in seen.by}
    return Reproduction(
        "measures",
        PAPER,
        _design(seen),
        (_means(seen), _tests(seen), _each(seen)),
        _verdict(seen),
        DIFFERENCES,
        (picture(f"Harvest by the paper's oracle, mean of {len(seen.names)} senses", "harvest rate", curves),),
    )


def _means(seen: SenseRuns) -> PaperTable:
    rows = [(told, *(figure(mean_of(seen.values(by, oracle))) for by in seen.by)) for told, oracle in JUDGES]
    lengths = [f"{sum(seen.fetched(name, by) for name in seen.names) / len(seen.names):.0f}" for by in seen.by]
    said = f"Relevant pages ÷ {seen.pages:,}, mean of {len(seen.names)} senses; the last row has the fetches before links ran out."
    return PaperTable("Mean harvest by measure", ("judge", *seen.by), (*rows, ("fetched", *lengths)), said)


def _tests(seen: SenseRuns) -> PaperTable:
    pairs = [
        (f"{by}, {told}", seen.by_word(by, oracle), LIN, seen.by_word(LIN, oracle))
        for told, oracle in JUDGES
        if oracle != STRUCK
        for by in seen.by
        if by != LIN
    ]
    return tests(
        "Is it chance?",
        pairs,
        "A word is one pair, its two senses averaged. P values are not corrected for their number.",
    )


def _each(seen: SenseRuns) -> PaperTable:
    rows = [
        (name, *(f"{seen.values(by, LITERAL)[name]:.3f} / {seen.values(by, LABELS)[name]:.3f}" for by in seen.by))
        for name in seen.names
    ]
    return PaperTable("Harvest by the paper's oracle / by the labels, sense by sense", ("sense", *seen.by), tuple(rows))


def _design(seen: SenseRuns) -> str:
    return (
        "The paper names measures by depth (Wu and Palmer, Leacock and Chodorow) and by information content (Resnik, Jiang and Conrath) "
        "for later. Here its crawler (`lin`, profile `paper`) runs with each of them and with the plain path in Lin's place, for "
        f"{len(seen.names)} senses of words in the schools' encyclopaedia, the paper's own three words among them, {seen.pages:,} "
        "fetches each; words, seeds and oracle are those of `lin`."
    )


DIFFERENCES = (
    "There is nothing to differ from: the paper has no numbers for these measures.",
    (
        "Measures by depth or path find every two things somewhat alike, so that any known word speaks for every sense; those by "
        "information content find things alike only below what both are."
    ),
    "Wu and Palmer's, Leacock and Chodorow's and the path need no counts; `ic` and `ic_ways` change nothing for them.",
)


def _verdict(seen: SenseRuns) -> str:
    parts = []
    for told, oracle in JUDGES:
        if oracle != STRUCK:
            means = {by: mean_of(seen.values(by, oracle)) for by in seen.by}
            best = max((by for by in seen.by if by != LIN), key=means.__getitem__)
            said = claim(best, seen.by_word(best, oracle), LIN, seen.by_word(LIN, oracle))
            parts.append(
                f"By {told}, the highest mean has {highest(means)}; the best of the others against Lin: {said}"
            )
    return " ".join(parts)
