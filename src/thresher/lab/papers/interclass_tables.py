"""The tables of Altıngövde and Ulusoy 2004, with the sizes of what was learnt beside them."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from thresher.classify.taxonomy import Taxonomy
from thresher.lab.papers.interclass_cases import (
    ALONE,
    BREADTH,
    EXTENDED,
    FIFTY,
    FIRST,
    HARD,
    PUBLISHED,
    RULES,
    SCHOOLS,
    SECOND,
    SOFT,
    TOGETHER,
    WEBKB,
)
from thresher.lab.papers.interclass_runs import InterclassRuns, Tunnels
from thresher.lab.papers.paper_tables import Values, figure, gained, percent, tests
from thresher.lab.papers.reproduction import PaperTable, mean_of
from thresher.lab.run.crawl_measures import relative_gain
from thresher.lab.run.statistics import averaged

Seen = Mapping[str, InterclassRuns]
"""The crawls of each case, by its name."""
FigureOf = Callable[[InterclassRuns, str], float]
MARKS = (100, 200, 300, 500)
"""Pages after which the curves of Figure 6 are read."""


class Printed(NamedTuple):
    """A cell of the paper's Table 3: soft focus, then rules."""

    topic: str
    ratio: tuple[float, float]
    overlap: float
    exclusive: tuple[float, float]


TABLE_3 = (
    Printed("quantum mechanics, seeds 1", (0.28, 0.30), 0.10, (0.27, 0.29)),
    Printed("quantum mechanics, seeds 2", (0.25, 0.29), 0.16, (0.23, 0.28)),
    Printed("computer history, seeds 1", (0.29, 0.40), 0.27, (0.26, 0.39)),
    Printed("computer history, seeds 2", (0.36, 0.37), 0.22, (0.35, 0.37)),
    Printed("open source, seeds 1", (0.52, 0.56), 0.10, (0.51, 0.54)),
    Printed("open source, seeds 2", (0.48, 0.61), 0.08, (0.47, 0.61)),
)
_RATIO_COLUMNS = (
    "class and seeds",
    "harvest ratio, soft focus",
    "rules",
    "gain",
    "URL overlap",
    "exclusive ratio, soft focus",
    "rules",
)


def printed() -> PaperTable:
    """The paper's own figures."""
    rows = tuple(
        (
            each.topic,
            *(f"{value:.2f}" for value in each.ratio),
            gained(relative_gain(each.ratio[1], each.ratio[0])),
            percent(each.overlap, 0),
            *(f"{value:.2f}" for value in each.exclusive),
        )
        for each in TABLE_3
    )
    said = (
        "Gains are worked out from the printed cells. Train-0 was 119,000 pages of 1,282 classes, train-1 about 40,000 pages of 266; "
        "they gave 4,992 rules."
    )
    return PaperTable("The paper's Table 3", _RATIO_COLUMNS, rows, said)


# ── what was learnt from ──


def training_sets(taught: Mapping[str, Taxonomy], seen: Seen) -> PaperTable:
    """The sizes of train-0 and train-1, and how many rules lead to each class that is sought."""
    rows: list[tuple[str, ...]] = [("the paper, DMOZ", "1,282 (266)", "119,000", "40,000", "4,992", "41, 148, 212")]
    for web, taxonomy in taught.items():
        sizes, topics = taxonomy.sizes, {each.case.task.relevant[0] for each in _of_web(seen, web).values()}
        leading = [sum(rule.child == topic for rule in taxonomy.rules or ()) for topic in sorted(topics)]
        counts = (len(taxonomy.classifier.classes), sizes.train_0, sizes.train_1, sizes.rules)
        rows.append((web, *(f"{each:,}" for each in counts), ", ".join(map(str, sorted(leading)))))
    columns = ("web", "classes", "train-0", "train-1", "rules", "rules to the classes sought")
    said = (
        "Pages. A page of train-1 counts once under each class whose examples link to it. All pages that examples link to and that were "
        "recorded are used; of the paper's 1,282 classes the links of 266 were followed."
    )
    return PaperTable("Training sets", columns, tuple(rows), said)


def by_class(taxonomy: Taxonomy) -> PaperTable:
    """Of each class: its examples, the pages these link to, and its rules."""
    rules = taxonomy.rules
    assert rules is not None
    rows = tuple(
        (
            label,
            f"{pages:,}",
            f"{rules.pages.get(label, 0):,}",
            ", ".join(f"{child.removeprefix('class=')} {share:.2f}" for child, share in _shares(rules, label)),
        )
        for label, pages in taxonomy.classifier.pages.items()
    )
    return PaperTable("The classes of WebKB and their rules", ("class", "train-0", "train-1", "rules from it"), rows)


def _shares(rules: Iterable[tuple[str, str, float, int]], label: str) -> list[tuple[str, float]]:
    own = [(child, share) for parent, child, share, _ in rules if parent == label and share >= 0.005]
    return sorted(own, key=lambda each: (-each[1], each[0]))


def sizes_said(taught: Mapping[str, Taxonomy]) -> str:
    """The sizes in a sentence, for every table."""
    return f"Pages learnt from: {training_said(taught)}"


def training_said(taught: Mapping[str, Taxonomy]) -> str:
    """The sizes alone."""
    told = (f"{web}: train-0 {each.sizes.train_0:,}, train-1 {each.sizes.train_1:,}" for web, each in taught.items())
    return f"{'; '.join(told)}."


# ── figures by topic ──


def _of_web(seen: Seen, web: str) -> Seen:
    return {name: each for name, each in seen.items() if each.case.task.web.name == web}


def of_kind(seen: Seen, *kinds: str) -> Seen:
    """The cases that start so."""
    return {name: each for name, each in seen.items() if each.case.kind in kinds}


def by_topic(seen: Seen, of: FigureOf, strategy: str) -> dict[str, float]:
    """A figure of a strategy for each topic, its sets of seeds averaged."""
    return averaged((each.case.topic, of(each, strategy)) for each in seen.values())


def from_seed_sets(seen: Seen, web: str = "") -> Seen:
    """The cases of the paper's design: two sets of seeds for each topic."""
    return of_kind(_of_web(seen, web) if web else seen, FIRST, SECOND)


def against_soft(title: str, seen: Seen, sizes: str) -> PaperTable:
    """The paper's Table 3 on some of the cases."""
    rows = tuple(
        (
            f"{name} (N = {each.equal:,})",
            figure(each.ratio(SOFT)),
            figure(each.ratio(RULES)),
            gained(relative_gain(each.ratio(RULES), each.ratio(SOFT))),
            percent(each.overlap(), 0),
            figure(each.exclusive(SOFT, RULES)),
            figure(each.exclusive(RULES, SOFT)),
        )
        for name, each in seen.items()
    )
    said = (
        "Judged as in the paper, by the classifier that guides both crawlers, over the first N pages that came; N is the smaller "
        f"number of pages of the two. Dead links are left out here, as the paper counts pages. {sizes}"
    )
    return PaperTable(title, _RATIO_COLUMNS, rows, said)


def by_labels(seen: Seen, sizes: str) -> PaperTable:
    """The harvest of all cases, by the editors' classes."""
    rows = tuple(
        (
            f"{name} ({each.pages:,} fetches)",
            *(figure(each.harvest(strategy)) if strategy in each.all else "" for strategy in PUBLISHED),
        )
        for name, each in seen.items()
    )
    means = [("mean, single departments", of_kind(seen, ALONE))]
    means += [(f"mean, seeds 1 and 2, {web}", from_seed_sets(seen, web)) for web in (WEBKB, SCHOOLS)]
    rows += tuple((name, *_means(some)) for name, some in means if some)
    dead = percent(mean_of({name: each.dead() for name, each in _of_web(seen, WEBKB).items()}), 0)
    said = (
        f"Judged by the editors' classes, over all fetches; duplicates and dead links ({dead} of what was fetched on WebKB) are "
        f"charged. {sizes}"
    )
    return PaperTable("Harvest rate by the labels", ("class and seeds", *PUBLISHED), rows, said)


def _means(seen: Seen) -> list[str]:
    ran = next(iter(seen.values())).all
    return [figure(mean_of(by_topic(seen, InterclassRuns.harvest, name))) if name in ran else "" for name in PUBLISHED]


def label_means(seen: Seen) -> dict[str, float]:
    """The mean harvest by the labels from single departments, where all four strategies crawled."""
    some = of_kind(seen, ALONE)
    return {name: mean_of(by_topic(some, InterclassRuns.harvest, name)) for name in PUBLISHED}


def chance(seen: Seen, sizes: str) -> PaperTable:
    """Tests of rules against soft focus on the paper's design, and against all from the departments."""
    pairs = [
        (f"rules, {where}, by {judged}", by_topic(some, of, RULES), other, by_topic(some, of, other))
        for where, some in (
            ("seeds 1 and 2", from_seed_sets(seen)),
            ("schools", from_seed_sets(seen, SCHOOLS)),
            ("WebKB", from_seed_sets(seen, WEBKB)),
            ("departments", of_kind(seen, ALONE)),
        )
        for judged, of in (("classifier", InterclassRuns.ratio), ("labels", InterclassRuns.harvest))
        for other in (SOFT, HARD, BREADTH)
        if some and all(other in each.all for each in some.values()) and (judged == "labels" or other == SOFT)
    ]
    said = (
        "The paper has no test; over its own six cells t = 2.88, one-sided p = .017, but these are 3 topics with 2 seed sets each. "
        f"Here a pair is a topic, its sets of seeds or its departments averaged. {sizes}"
    )
    return tests("Is it chance?", pairs, said)


# ── from fifty seeds ──


def fifty_seeds(seen: Seen, sizes: str) -> PaperTable:
    """The paper's Figure 6 in figures: the harvest ratio as the number of pages grows."""
    rows = []
    for name, each in of_kind(seen, FIFTY).items():
        for strategy in (SOFT, RULES):
            ratios = each.ratios(strategy)
            marks = [figure(ratios[mark - 1]) if len(ratios) >= mark else "" for mark in MARKS]
            rows.append((f"{name}, {strategy}", *marks, f"{figure(ratios[-1])} ({each.equal:,})" if ratios else ""))
    columns = ("class and strategy", *(f"after {mark:,} pages" for mark in MARKS), "at the end (pages)")
    said = (
        "The seeds are the fifty pages that a search for the name of the class in the four universities gives first; the harvest ratio is "
        f"the classifier's. The paper: rules are ahead after the first few hundred pages. {sizes}"
    )
    return PaperTable("From 50 seeds (the paper's Figure 6)", columns, tuple(rows), said)


# ── tunnels ──


def tunnelling(found: Mapping[str, Tunnels], sizes: str) -> PaperTable:
    """How the rule crawler came to its finds."""
    rows = [
        (name, str(each.finds), str(each.off_topic), str(each.below), figure(each.cut)) for name, each in found.items()
    ]
    total = all_tunnels(found)
    rows.append(("all", str(total.finds), str(total.off_topic), str(total.below), ""))
    said = (
        "Of the relevant pages (by the labels) that the rule crawler found through a link: those that only pages off topic for the "
        "classifier (target score below .5, where hard focus stops) had linked to by then, and those whose best linking page "
        f"scored below the cut, the score that soft focus had come down to in the last tenth of its own fetches. {sizes}"
    )
    columns = ("class and seeds", "found by rules", "through pages off topic", "below soft focus's cut", "cut")
    return PaperTable("Tunnelling", columns, tuple(rows), said)


def all_tunnels(found: Mapping[str, Tunnels]) -> Tunnels:
    """The sums over all cases."""
    finds, off_topic, below = (sum(column) for column in list(zip(*found.values(), strict=True))[:3])
    return Tunnels(int(finds), int(off_topic), int(below), 0.0)


# ── what the authors named as future work ──


def extended(seen: Seen) -> dict[str, tuple[Values, Values]]:
    """Of each extension: harvest by the labels and ratio by the classifier, by topic."""
    some = from_seed_sets(seen, SCHOOLS)
    return {
        name: (by_topic(some, InterclassRuns.harvest, name), by_topic(some, InterclassRuns.ratio, name))
        for name in (SOFT, RULES, *EXTENDED)
    }


def extensions(seen: Seen, sizes: str) -> list[PaperTable]:
    """Rules of random walks, and rules over the whole taxonomy, beside the published ones."""
    found = extended(seen)
    rows = tuple(
        (topic, *(figure(labels[topic]) for labels, _ in found.values())) for topic in next(iter(found.values()))[0]
    )
    means = ("mean", *(figure(mean_of(labels)) for labels, _ in found.values()))
    ratio = ("mean ratio by the classifier", *(figure(mean_of(ratios)) for _, ratios in found.values()))
    said = (
        "Harvest by the labels on the schools' encyclopaedia, seeds 1 and 2 averaged. Rules *of walks* (`citations = 'walks'`) are "
        "counted on as many links of random walks as train-1 has pages; *of both*: the counts added up; *over the whole taxonomy* "
        f"(`whole_taxonomy = true`): a class borrows from those above it. {_same_said(seen)} {sizes}"
    )
    shown = PaperTable("What the authors left for later", ("class", *found), (*rows, means, ratio), said)
    pairs = [(f"{name}, by labels", found[name][0], "rules", found[RULES][0]) for name in EXTENDED]
    pairs += [(f"{name}, by classifier", found[name][1], "rules", found[RULES][1]) for name in EXTENDED]
    return [shown, tests("Is that chance?", pairs, sizes)]


def _same_said(seen: Seen) -> str:
    some = from_seed_sets(seen, SCHOOLS).values()
    told = ", ".join(f"{sum(each.same_visits(name) for each in some)} {name}" for name in EXTENDED)
    return f"Of {len(some)} crawls each, so many fetched what the published rules did, url by url: {told}."


def departments(seen: Seen) -> Seen:
    """The cases that start at home pages of departments."""
    return of_kind(seen, TOGETHER, ALONE)
