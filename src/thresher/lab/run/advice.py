"""What another strategy or judge would have done with a finished crawl: the crawl is a recording, so it can be crawled again.

    with Archive.open(Path("iris-eye")) as archive:
        advice = advise(archive, strategies=["best-first", "shark-search"])

Each strategy crawls the recording from ten starts: the crawl's own seeds, and nine pages of it. What counts as found are the pages that
a person labelled relevant, and of those that nobody labelled the ones that the crawl's judge called so. Judges are compared on the
labelled pages alone: by its own verdicts every judge is perfect.

A replay has only what the crawl fetched. A strategy that would have gone elsewhere finds nothing there, so the crawl's own strategy has an
advantage from its own seeds; nine other starts take most of that away.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from thresher import plugins
from thresher.disk.crawl_home import folder_of
from thresher.errors import BadInput, Missing
from thresher.knowledge import Knowledge
from thresher.knowledge import needs as known_of
from thresher.lab.run.judge_scores import JudgeRow, judged
from thresher.lab.run.statistics import Comparison, compare, holm
from thresher.lab.run.task import Task, WebSource
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import PartTable, Trial, Workbench, label, run
from thresher.model import Url
from thresher.plugins import Need
from thresher.results.archive import Archive
from thresher.store.labels import labels
from thresher.store.visits import kept_pages

STARTS = 10
FEWEST_PAGES, FEWEST_RELEVANT, FEWEST_LABELS = 50, 5, 20
RELEVANT, OTHER = "relevant", "other"
STRATEGIES: Sequence[PartTable] = (
    {"name": "apprentice"},
    {"name": "best-first"},
    {"name": "shark-search"},
    {"name": "lokman", "profile": "robust"},
    {"name": "breadth-first"},
)
Told = Callable[[str], None]


class StrategyAdvice(NamedTuple):
    """What one strategy did with the recording."""

    strategy: str
    found: int
    """Relevant pages from the crawl's own seeds, within the budget."""
    auc: float
    """The mean area under the harvest curve, over the starts."""
    against_own: Comparison | None
    """Against the crawl's own strategy, start by start; None for itself."""
    p: float
    """The chance that it is luck, corrected for the number of strategies."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The outcome of the replays."""

    own: str
    """The crawl's own strategy."""
    pages: int
    relevant: int
    labelled: int
    budget: int
    strategies: tuple[StrategyAdvice, ...]
    """The best first."""
    judges: tuple[JudgeRow, ...]
    """On the labelled pages, the best first; none if too few pages are labelled."""
    left_out: tuple[str, ...] = ()
    """What could not be tried, and why, a sentence each."""


def advise(
    archive: Archive,
    strategies: Sequence[PartTable] = STRATEGIES,
    judges: Sequence[PartTable] = ({"name": "terms"},),
    told: Told = lambda _: None,
) -> Advice:
    """Crawl the recording of a crawl again, under its own strategy and under others."""
    by_hand = {each.url: each.relevant for each in labels(archive.read) if each.relevant is not None}
    truth = _truth(archive, by_hand)
    budget = max(FEWEST_PAGES // 2, len(truth) // 2)
    own = dict(archive.settings.strategy)
    tables = [own, *(each for each in strategies if dict(each) != own)]
    left_out: list[str] = []
    with _as_task(archive, truth, by_hand) as (starts, labelled_pages), Workbench() as bench:
        runs = _replays(starts, tables, dict(archive.settings.judge), budget, bench, told, left_out)
        rows = _judge_rows(labelled_pages, [dict(archive.settings.judge), *judges], bench, left_out)
    return Advice(
        own=label(own),
        pages=len(truth),
        relevant=sum(truth.values()),
        labelled=len(by_hand),
        budget=budget,
        strategies=_compared(runs, label(own)),
        judges=rows,
        left_out=tuple(left_out),
    )


def _truth(archive: Archive, by_hand: Mapping[Url, bool]) -> dict[Url, bool]:
    """Whether each page is relevant: as a person said, or else as the crawl's judge did."""
    found = {page.url: page.relevant for page in kept_pages(archive.read)}
    found |= {url: is_so for url, is_so in by_hand.items() if url in found}
    if len(found) < FEWEST_PAGES or sum(found.values()) < FEWEST_RELEVANT:
        raise BadInput(
            f"{archive.folder.path} has {len(found)} pages, {sum(found.values())} of them relevant: "
            f"advice needs {FEWEST_PAGES} pages and {FEWEST_RELEVANT} relevant ones"
        )
    return found


@contextmanager
def _as_task(
    archive: Archive, truth: Mapping[Url, bool], by_hand: Mapping[Url, bool]
) -> Iterator[tuple[list[Task], Task | None]]:
    """The crawl as tasks of the lab, one for each start, and one with the labelled pages for judges, if these are enough."""
    with TemporaryDirectory(prefix="thresher-advise-") as place:
        own = [str(url) for url in archive.settings.seeds]
        starts = [own, *([str(url)] for url in _other_starts(truth, own))]
        source = _source(archive, Path(place), "pages.tsv", truth)
        tasks = [_task(archive, source, number, seeds) for number, seeds in enumerate(starts)]
        enough = len(by_hand) >= FEWEST_LABELS and 0 < sum(by_hand.values()) < len(by_hand)
        labelled_source = _source(archive, Path(place), "labelled.tsv", by_hand)
        yield tasks, _task(archive, labelled_source, 0, own) if enough else None


def _source(archive: Archive, place: Path, name: str, truth: Mapping[Url, bool]) -> WebSource:
    lines = (f"{url}\t{RELEVANT if is_so else OTHER}\n" for url, is_so in truth.items())
    (place / name).write_text("".join(lines), "utf-8")
    recording = str(folder_of(archive.folder, "advice").path.resolve())
    return WebSource(name=archive.folder.name, warc=(recording,), labels=name, folder=place)


def _task(archive: Archive, source: WebSource, number: int, seeds: Sequence[str]) -> Task:
    return Task(source, f"start {number}", archive.settings.topic, relevant=(RELEVANT,), near=tuple(seeds))


def _other_starts(truth: Mapping[Url, bool], own: Sequence[str]) -> list[Url]:
    """Pages to start from, the same each time: every third is relevant, since people start from good pages and from portals."""
    shuffled = sorted(truth.keys() - set(map(Url, own)), key=lambda url: xxh3_64_intdigest(url.encode()))
    good, other = ([url for url in shuffled if truth[url] is wanted] for wanted in (True, False))
    wanted_good = min(len(good), (STARTS - 1) // 3)
    return [*good[:wanted_good], *other[: STARTS - 1 - wanted_good]]


def _knowledge(task: Task, web: TaskWeb) -> dict[str, Need]:  # noqa: ARG001 - as the lab calls it
    """What the crawl knew of its topic."""
    with Archive.open(Path(task.web.warc[0])) as archive:
        known = plugins.construct(Knowledge, archive.settings.knowledge, "[knowledge]")
    return known_of(task.topic, known)


def _replays(  # noqa: PLR0913, PLR0917 - what a replay is made of
    tasks: Sequence[Task],
    tables: Sequence[PartTable],
    judge: PartTable,
    budget: int,
    bench: Workbench,
    told: Told,
    left_out: list[str],
) -> dict[str, dict[str, tuple[float, int]]]:
    """By strategy and start: the area under the harvest curve, and how many relevant pages were found."""
    runs: dict[str, dict[str, tuple[float, int]]] = {}
    without = set[str]()
    for task in tasks:
        for table in tables:
            name = label(table)
            if name in without:
                continue
            told(f"{name}, {task.name} of {len(tasks) - 1}")
            try:
                row, _ = run(Trial(task, "near", table, budget, judge=judge, knowledge_of=_knowledge), bench)
            except Missing as error:
                without.add(name)
                left_out.append(f"{name} is left out: {error}")
                continue
            runs.setdefault(name, {})[task.name] = row.auc, row.relevant
    return runs


def _compared(runs: Mapping[str, Mapping[str, tuple[float, int]]], own: str) -> tuple[StrategyAdvice, ...]:
    areas = {name: {start: area for start, (area, _) in each.items()} for name, each in runs.items()}
    against = {name: compare(each, areas[own]) for name, each in areas.items() if name != own}
    chances = holm({name: each.sign_flip.either for name, each in against.items()}) if against else {}
    rows = [
        StrategyAdvice(
            strategy=name,
            found=next(iter(each.values()))[1],
            auc=sum(areas[name].values()) / len(areas[name]),
            against_own=against.get(name),
            p=chances.get(name, 1.0),
        )
        for name, each in runs.items()
    ]
    return tuple(sorted(rows, key=lambda each: -each.auc))


def _judge_rows(
    task: Task | None, tables: Sequence[PartTable], bench: Workbench, left_out: list[str]
) -> tuple[JudgeRow, ...]:
    rows: dict[str, JudgeRow] = {}
    if task is None:
        return ()
    for table in tables:
        try:
            rows[label(table)] = judged(task, table, bench, _knowledge)
        except Missing as error:
            left_out.append(f"{label(table)} is left out: {error}")
    return tuple(sorted(rows.values(), key=lambda row: -row.average_precision))
