"""Altıngövde and Ulusoy 2004 again: do interclass rules find more than soft and hard focus, and do they tunnel?"""

from collections.abc import Mapping, Sequence

from thresher.classify.taxonomy import Taxonomy
from thresher.lab.papers import interclass_tables as tables
from thresher.lab.papers.interclass_cases import EXTENDED, FIFTY, PUBLISHED, RULES, SCHOOLS, SOFT, WEBKB, Case, cases
from thresher.lab.papers.interclass_runs import InterclassRuns, Tunnels, links_of_pages
from thresher.lab.papers.interclass_tables import Seen
from thresher.lab.papers.paper_tables import claim, direction, gained, highest, percent, picture
from thresher.lab.papers.reproduction import Crawls, PaperTable, Reproduction, Setting, mean_of
from thresher.lab.run.crawl_measures import harvest_curve, relative_gain

PAPER = 'Altıngövde and Ulusoy, "Exploiting Interclass Rules for Focused Crawling", 2004, Table 3 and Figure 6'


def reproduce(setting: Setting) -> Reproduction:
    """Run the crawls that are missing and set them beside the paper."""
    wanted = cases(setting)
    crawls = Crawls(setting, "interclass", [case.trial(name) for case in wanted for name in case.strategies])
    seen: dict[str, InterclassRuns] = {}
    found: dict[str, Tunnels] = {}
    taught: dict[str, Taxonomy] = {}
    for web in (WEBKB, SCHOOLS):
        own = [case for case in wanted if case.task.web.name == web]
        setting.told(f"interclass: counting tunnels in {web}")
        taught[web] = own[0].taxonomy(setting.bench)
        links = links_of_pages(setting.bench.web(own[0].task.web))
        for case in own:
            seen[case.name] = InterclassRuns(case, crawls, setting.bench)
            found[case.name] = seen[case.name].tunnels(links)
    return Reproduction(
        "interclass",
        PAPER,
        _design(wanted),
        tuple(_tables(seen, found, taught)),
        _verdict(seen, found),
        DIFFERENCES,
        (_plot(seen), _figure_6(seen)),
        f"pages of {tables.training_said(taught)}",
    )


def _tables(seen: Seen, found: Mapping[str, Tunnels], taught: Mapping[str, Taxonomy]) -> list[PaperTable]:
    sizes = tables.sizes_said(taught)
    webs = {"schools' encyclopaedia": SCHOOLS, "WebKB": WEBKB}
    return [
        tables.printed(),
        tables.training_sets(taught, seen),
        tables.by_class(taught[WEBKB]),
        *(
            tables.against_soft(f"Two disjoint seed sets, {name}", tables.from_seed_sets(seen, web), sizes)
            for name, web in webs.items()
        ),
        tables.against_soft("The same from the departments of WebKB", tables.departments(seen), sizes),
        tables.by_labels(seen, sizes),
        tables.chance(seen, sizes),
        tables.fifty_seeds(seen, sizes),
        tables.tunnelling(found, sizes),
        *tables.extensions(seen, sizes),
    ]


def _plot(seen: Seen) -> tuple[str, str]:
    whole = [each for name, each in seen.items() if name.endswith(" all")]
    curves = {name: [harvest_curve(each.all[name], each.pages).tolist() for each in whole] for name in PUBLISHED}
    return picture(f"Harvest by the labels from all departments, mean of {len(whole)} classes", "harvest rate", curves)


def _figure_6(seen: Seen) -> tuple[str, str]:
    some = list(tables.of_kind(seen, FIFTY).values())
    common = min(each.equal for each in some)
    curves = {name: [each.ratios(name)[:common] for each in some] for name in (RULES, SOFT)}
    title = f"Harvest ratio by the classifier from 50 seeds, mean of {len(some)} classes"
    return picture(title, "harvest ratio", curves)


# ── words ──


def _design(wanted: Sequence[Case]) -> str:
    budgets = ", ".join(f"{pages:,}" for pages in sorted({case.pages for case in wanted}))
    many = {web: len({case.topic for case in wanted if case.task.web.name == web}) for web in (WEBKB, SCHOOLS)}
    return (
        "The paper learns a classifier from DMOZ (train-0), the rules from what the examples link to (train-1), and crawls the live web "
        "for three topics from two disjoint seed sets of 10 each, a few thousand pages a crawl; once more from 50 hits of a search "
        "engine. DMOZ and that web are gone. Here: the leaves of the schools' encyclopaedia, merged upward below 20 pages, with twenty "
        f"examples each, and its {many[SCHOOLS]} largest as topics; and the seven classes of WebKB, learnt from its pages of other "
        f"universities, with {many[WEBKB]} as topics in the four universities. Two disjoint seed sets of 10 pages of the class each, "
        "drawn by lot; 50 hits of a search for the name of the class (WebKB); and, beside the paper, the home pages of the four "
        f"departments, together and alone. Budgets of {budgets} fetches. Pages that were learnt from count as no find."
    )


DIFFERENCES = (
    "94 leaves of one encyclopaedia and seven coarse classes of universities stand in for 1,282 topics of the whole web.",
    "Most links out of WebKB are dead, so a crawl sees a few hundred pages where the paper's saw thousands.",
    "In the encyclopaedia train-0 and train-1 are pages of the web that is crawled; the paper's were of the same live web too.",
    "Judge and guide are the same classifier, as in the paper; the tables by labels show what that is worth.",
    (
        "Raw naïve Bayes as in the paper, with our own smoothing: scores are nearly all 0 or 1, so that best-first among pages of one "
        "score goes by age. The profile robust of soft-focus tempers them."
    ),
    "The paper's seed sets are from two directories, ours are two draws from one set of labels: they differ less.",
    "Random walks take links forwards only; those of Chakrabarti et al. 2002 also went back.",
)


def _verdict(seen: Seen, found: Mapping[str, Tunnels]) -> str:
    parts = [_seed_sets_said(seen), _departments_said(seen), _tunnels_said(found)]
    parts.append(
        f"The highest mean harvest by the labels from single departments has {highest(tables.label_means(seen))}."
    )
    return " ".join([*parts, *_fifty_said(seen), *_extended_said(seen)])


def _seed_sets_said(seen: Seen) -> str:
    some = tables.from_seed_sets(seen)
    return " ".join(
        _said(some, f"From two seed sets, by {judged}", judged) for judged in ("the classifier", "the labels")
    )


def _departments_said(seen: Seen) -> str:
    some = {name: each for name, each in tables.departments(seen).items() if not name.endswith(" all")}
    return _said(some, "From single departments of WebKB, by the labels", "the labels")


def _said(seen: Seen, where: str, judged: str) -> str:
    of = InterclassRuns.ratio if judged == "the classifier" else InterclassRuns.harvest
    own, base = (tables.by_topic(seen, of, name) for name in (RULES, SOFT))
    gain = relative_gain(mean_of(own), mean_of(base))
    return f"{where}, {direction(gain)} ({gained(gain)}): {claim(RULES, own, SOFT, base)}"


def _tunnels_said(found: Mapping[str, Tunnels]) -> str:
    total = tables.all_tunnels(found)
    share = total.below / total.finds if total.finds else 0.0
    if not total.below:
        return f"No tunnel was seen: none of {total.finds} finds lay below soft focus's cut."
    return (
        f"It does tunnel: {total.below} of {total.finds} finds ({percent(share, 0)}) lay below soft focus's cut, "
        f"{total.off_topic} behind pages off topic only."
    )


def _fifty_said(seen: Seen) -> list[str]:
    some = tables.of_kind(seen, FIFTY)
    ends = {name: tables.by_topic(some, InterclassRuns.ratio, name) for name in (RULES, SOFT)}
    return [f"From 50 seeds, at the end, by the classifier: {claim(RULES, ends[RULES], SOFT, ends[SOFT])}"]


def _extended_said(seen: Seen) -> list[str]:
    found = tables.extended(seen)
    return [
        f"By the labels, rules {name}: {claim('this', found[name][0], 'the published rules', found[RULES][0])}"
        for name in EXTENDED
    ]
