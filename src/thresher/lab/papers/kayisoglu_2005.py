"""Kayışoğlu 2005 (Lokman) again: GetGreater against IncrementValues against no ontology, and target recall.

On topics that recorded webs have sections of; `table_five_results.py` has the thesis's own topics.
"""

from collections.abc import Mapping, Sequence

from thresher.lab.papers.medical_crawls import (
    BEST,
    FEWEST,
    FULL,
    GREATER,
    INCREMENT,
    JUDGES,
    MEASURES,
    QUICK,
    ROBUST,
    SEEDS,
    STRATEGIES,
    TARGETS,
    WITHOUT,
    MedicalRuns,
    Sizes,
    TopicPages,
    harvest_tasks,
    parted,
    recall_task,
    subjects_of,
    trial_of,
    trials_of,
)
from thresher.lab.papers.paper_tables import claim, direction, gained, highest, percent, picture, tests
from thresher.lab.papers.reproduction import Crawls, PaperTable, Reproduction, Setting, mean_of
from thresher.lab.run.crawl_measures import relative_gain, target_recall
from thresher.lab.run.task import Task
from thresher.lab.run.trial import Workbench

PAPER = 'Kayışoğlu, "Lokman: a medical ontology based topical web crawler", 2005, Figures 15–18, 22 and 23'
PRINTED = {GREATER: (76.9057, 67.2906), INCREMENT: (67.095, 41.234), WITHOUT: (63.3287, 38.0434)}
"""Average harvest rate in percent, with and without D = 1."""
PRINTED_RECALL = 21.25


def reproduce(setting: Setting) -> Reproduction:
    """Run the crawls that are missing and set them beside Kayışoğlu's thesis."""
    sizes = QUICK if setting.quick else FULL
    subjects = subjects_of(setting)[: sizes.topics]
    harvest = {each.task.name: harvest_tasks(each, sizes) for each in subjects}
    recall = {each.task.name: recall_task(each) for each in subjects if len(each.pages) >= FEWEST}
    wanted = [*trials_of([each for some in harvest.values() for each in some], sizes.pages)]
    wanted += trials_of(recall.values(), sizes.recall_pages)
    # A task's trials one after another: what is known of a task is worked out once.
    crawls = Crawls(setting, "lokman", wanted)
    seen = MedicalRuns(crawls, sizes, harvest, setting.bench)
    medical = [each.task.name for each in subjects if each.medical]
    found = {name: _recalls(name, recall, crawls, sizes, setting.bench) for name in STRATEGIES}
    return Reproduction(
        "lokman",
        PAPER,
        _design(subjects, sizes),
        (
            _harvests("Average harvest rate, medical topics", seen, medical),
            _by_own_value(seen, medical),
            *_other_topics(seen, [each.task.name for each in subjects if not each.medical]),
            _tests(seen, medical),
            _by_topic(seen, [each.task.name for each in subjects]),
            _recall_table(found, medical),
        ),
        _verdict(seen, medical, found),
        DIFFERENCES,
        (_plot(seen, medical),),
    )


def _recalls(
    strategy: str, tasks: Mapping[str, Task], crawls: Crawls, sizes: Sizes, bench: Workbench
) -> dict[str, float]:
    found = {}
    for topic, task in tasks.items():
        _, targets = parted(bench.web(task.web).targets(task))
        found[topic] = target_recall(
            crawls.fetches(trial_of(task, strategy, sizes.recall_pages)), targets, sizes.recall_pages
        )
    return found


# ── tables ──


def _harvests(title: str, seen: MedicalRuns, topics: Sequence[str]) -> PaperTable:
    columns = ("strategy", "thesis, with D = 1", "thesis, without", *(f"{j}, {m}" for j in JUDGES for m in MEASURES))
    rows = []
    for name in STRATEGIES:
        printed = [f"{value} %" for value in PRINTED.get(name, ())] or ["", ""]
        own = [percent(mean_of(seen.values(name, topics, j, m))) for j in JUDGES for m in MEASURES]
        rows.append((name, *printed, *own))
    said = (
        f"Mean of the running harvest over {len(topics)} topics. The thesis's D = 1 are the search engine's hits; here labelled "
        "pages stand in for them as seeds, "
        "so *without seeds* is its second column; *without D ≤ 1* leaves out the seeds' own links too."
    )
    return PaperTable(title, columns, tuple(rows), said)


def _by_own_value(seen: MedicalRuns, topics: Sequence[str]) -> PaperTable:
    measures = list(MEASURES)[:2]
    rows = tuple(
        (
            name,
            *(f"{value} %" for value in PRINTED[name]),
            *(percent(mean_of(seen.values(name, topics, "CC > 0", each))) for each in measures),
            *(percent(mean_of(seen.own_values(name, topics, each))) for each in measures),
        )
        for name in PRINTED
    )
    judged = tuple(f"{judge}, {each}" for judge in ("one oracle", "own value") for each in measures)
    columns = ("strategy", "thesis, with D = 1", "thesis, without", *judged)
    easy, right = (percent(seen.passed(topics, judge)) for judge in JUDGES)
    said = (
        "*One oracle*: CC > 0 with the whole concept set for all. *Own value*: the crawler without ontology is asked for its "
        f"phrase alone, as it would be if every crawler was judged by its own page value. "
        f"Of all pages that came to any crawler, {easy} have CC > 0 and {right} the label."
    )
    return PaperTable("Who judges? Medical topics", columns, rows, said)


def _other_topics(seen: MedicalRuns, topics: Sequence[str]) -> tuple[PaperTable, ...]:
    if not topics:
        return ()
    return (_harvests(f"The same for {len(topics)} topics of other kinds ({', '.join(topics)})", seen, topics),)


def _tests(seen: MedicalRuns, topics: Sequence[str]) -> PaperTable:
    pairs = [
        (
            f"{GREATER}, by {judged}, {measure}",
            seen.values(GREATER, topics, judged, measure),
            other,
            seen.values(other, topics, judged, measure),
        )
        for judged in JUDGES
        for measure in list(MEASURES)[:2]
        for other in (INCREMENT, WITHOUT, BEST, ROBUST)
    ]
    said = (
        "A topic is one pair, its crawls averaged. The thesis has no test. P values are not corrected for their number."
    )
    return tests("Is it chance? Medical topics", pairs, said)


def _by_topic(seen: MedicalRuns, topics: Sequence[str]) -> PaperTable:
    values = {name: seen.values(name, topics, "labels") for name in STRATEGIES}
    rows = tuple((topic, *(percent(values[name][topic]) for name in STRATEGIES)) for topic in topics)
    return PaperTable("Average harvest rate by the labels, topic by topic", ("topic", *STRATEGIES), rows)


def _recall_table(found: Mapping[str, Mapping[str, float]], medical: Sequence[str]) -> PaperTable:
    rows = []
    for name, values in found.items():
        sick = {topic: value for topic, value in values.items() if topic in medical}
        printed = f"{PRINTED_RECALL} %" if name == GREATER else ""
        rows.append(
            (
                name,
                printed,
                f"{percent(mean_of(sick))} (n = {len(sick)})",
                f"{percent(mean_of(values))} (n = {len(values)})",
            )
        )
    said = (
        f"Topics with {FEWEST} pages or more; seeds and targets are {SEEDS} and {TARGETS} of fifty pages drawn by lot, of smaller "
        "topics the same shares."
    )
    return PaperTable("Target recall", ("strategy", "thesis", "medical topics", "all topics"), tuple(rows), said)


def _plot(seen: MedicalRuns, topics: Sequence[str]) -> tuple[str, str]:
    curves = {name: seen.curves(name, topics, "labels") for name in STRATEGIES}
    return picture(f"Harvest by the labels, mean of {len(topics)} medical topics", "harvest rate", curves)


# ── words ──


def _design(subjects: Sequence[TopicPages], sizes: Sizes) -> str:
    medical = [each.task.name for each in subjects if each.medical]
    knowing = ", ".join(subjects[0].task.ontologies)
    return (
        "The thesis takes ten medical topics of MedlinePlus, five crawls each of 100 pages from a search engine's first 15 hits, "
        "with UMLS as ontology, and calls a page "
        "important if its value is above 0; then 800 pages from 10 seeds with 40 targets. Neither the engine, nor that web, nor "
        "UMLS (a licence and a server) can be "
        f"had here. Instead: {len(medical)} medical topics of recorded webs ({', '.join(medical)}), {sizes.crawls} crawls each of "
        f"{sizes.pages} fetches, every one from "
        f"up to five labelled pages drawn by lot; the first of {knowing} that knows the phrase as ontology; recall after "
        f"{sizes.recall_pages}. Every strategy gets the phrase and nothing else. "
        "All are judged by one oracle: *CC > 0* is the thesis's test with the whole concept set, *labels* are the editors' "
        "sections and subjects."
    )


DIFFERENCES = (
    (
        "The thesis judges each crawler by its own page value; if that was so for the one without ontology too, it was judged by "
        "one phrase where Lokman had a whole set. Here both meet the same oracle."
    ),
    (
        "CC > 0 calls a page important for one word of the concept set anywhere on it, menus too: on a site about health that "
        "says little, and so the labels are shown beside it."
    ),
    (
        "The webs are small: a section of 11 to 54 pages cannot fill 100 fetches, which caps the harvest by labels well below "
        "the thesis's figures, for every strategy alike."
    ),
    "800 fetches are most of the women's health site of a thousand pages: recall there says little about a large web.",
    "UMLS has more names for a disease than MONDO, HPO or WordNet.",
    "A recall of a topic within one site is easier than over the web: seeds and targets share a menu.",
    "The value formulas are rebuilt from the prose: they are lost in the copy at hand.",
    (
        "*robust* is ours, not the thesis's; its switches were looked at on topics of these same webs, so its lead is no "
        "independent finding."
    ),
)


def _verdict(seen: MedicalRuns, topics: Sequence[str], found: Mapping[str, Mapping[str, float]]) -> str:
    parts = []
    for judged in JUDGES:
        for other in (INCREMENT, WITHOUT):
            own, base = (seen.values(name, topics, judged, "without seeds") for name in (GREATER, other))
            gain = relative_gain(mean_of(own), mean_of(base))
            parts.append(
                f"By {judged}, without the seeds, {direction(gain)} ({gained(gain)}): {claim(GREATER, own, other, base)}"
            )
    parts.append(_of_judging(seen, topics))
    recalls = {name: mean_of(values) for name, values in found.items()}
    parts.append(
        f"Target recall of {GREATER} over {len(found[GREATER])} topics: {percent(recalls[GREATER])}, thesis {PRINTED_RECALL} %; "
        f"the highest here has {highest(recalls)}."
    )
    means = {name: mean_of(seen.values(name, topics, "labels")) for name in STRATEGIES}
    parts.append(f"The highest average harvest rate by the labels has {highest(means)}.")
    return " ".join(parts)


def _of_judging(seen: MedicalRuns, topics: Sequence[str]) -> str:
    """What the ontology seems to gain by who judges."""
    own = mean_of(seen.values(GREATER, topics, "CC > 0", "without seeds"))
    one = own - mean_of(seen.values(WITHOUT, topics, "CC > 0", "without seeds"))
    each = own - mean_of(seen.own_values(WITHOUT, topics, "without seeds"))
    printed = (PRINTED[GREATER][1] - PRINTED[WITHOUT][1]) / 100
    return (
        f"Judged each by its own value, {GREATER} differs from {WITHOUT} by {100 * each:+.1f} points instead of {100 * one:+.1f} "
        f"(thesis {100 * printed:+.1f})."
    )
