"""The ten topics of Kayışoğlu 2005, Table 5, in recorded webs: which pages name them, a task file for each, and the crawls.

No web at hand has sections on these topics. A page is labelled with a topic if its own text, menus apart, has one of the topic's everyday
names, which are written down here so that no ontology decides. The search engine's first 15 hits, which the thesis calls D = 1,
are played by pages that have the label, drawn by lot: at most half of them, so that something is left to find.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import tomli_w

from thresher.disk.atomic_file import write_whole
from thresher.lab.papers.medical_crawls import JUDGE, SEEDS, STRATEGIES, TARGETS, Sizes
from thresher.lab.papers.reproduction import Setting, drawn, installed, tasks_of, varied
from thresher.lab.run.task import Task
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import Trial
from thresher.model import Url
from thresher.topic.matching import Matcher

TOPICS: Mapping[str, Sequence[str]] = {
    "chickenpox": ("chickenpox", "chicken pox", "varicella"),
    "bedwetting": ("bedwetting", "bed-wetting", "bed wetting", "enuresis"),
    "breast carcinoma": ("breast carcinoma", "breast cancer", "breast cancers"),
    "deafness": ("deafness", "deaf", "hearing loss"),
    "influenza": ("influenza", "flu"),
    "vasectomy": ("vasectomy", "vasectomies"),
    "tinnitus": ("tinnitus", "ringing in the ears"),
    "sunburn": ("sunburn", "sunburns", "sunburned", "sunburnt"),
    "motion sickness": ("motion sickness", "travel sickness", "seasickness", "car sickness"),
    "insomnia": ("insomnia", "sleeplessness"),
}
"""Table 5, and the names by which a page is known to speak of a topic."""
WEBS = ("womenshealth", "schools")
ALPHAS = (0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05)
"""The shares of what is inherited that the thesis tried, in its order (§4.1); it chose .1."""
CHOSEN = 0.1
HITS = 15
FEWEST_FOR_RECALL = 10
NAME = "lokman-table-5"
"""What the reproduction is called, and the folder of its runs."""


class TopicTask(NamedTuple):
    """A topic in one web."""

    task: Task
    pages: frozenset[Url]


def topic_tasks(setting: Setting) -> list[TopicTask]:
    """Every topic in every web that has two pages or more which name it; a task file of each is written beside the runs."""
    webs = WEBS[:1] if setting.quick else WEBS
    known = tasks_of(setting, *webs)
    found: list[TopicTask] = []
    for web in webs:
        base = next(task for task in known.values() if task.web.name == web)
        found += _in_web(base, setting)
    for each in found:
        write_task_file(each, setting.out / NAME)
    return found


def _in_web(base: Task, setting: Setting) -> Iterator[TopicTask]:
    labels = setting.out.absolute() / NAME / f"{base.web.name}.labels.tsv"
    if not labels.exists():
        labels.parent.mkdir(parents=True, exist_ok=True)
        write_whole(labels, "".join(labelled(setting.bench.web(base.web))).encode())
    source = replace(base.web, labels=str(labels))
    knowing = (*installed("mondo", "hpo"), "wordnet")
    web = setting.bench.web(source)
    for topic in TOPICS:
        wanted = (label(topic),)
        pages = frozenset(url for url in web.labels.having(wanted) if web.has(url))
        if len(pages) >= 2:
            plain = {"topic": topic, "keywords": "", "sense": "", "relevant": wanted, "ontologies": knowing}
            yield TopicTask(varied(base, topic, web=source, near=tuple(hits(pages, 1)), **plain), pages)


def labelled(web: TaskWeb) -> Iterator[str]:
    """Lines of a file of labels: every page of the web, with the topics that its own text names."""
    matchers = {topic: Matcher(names) for topic, names in TOPICS.items()}
    for url, _ in web.labelled():
        page = web.page(url)
        own = f"{page.title}\n{page.main}".lower() if page else ""
        yield f"{url}\t{'|'.join(label(topic) for topic, names in matchers.items() if names.count(own))}\n"


def label(topic: str) -> str:
    """The label of a page that names a topic."""
    return f"topic={topic}"


def hits(pages: frozenset[Url], crawl: int) -> list[Url]:
    """What stands for a search engine's first 15 hits; each crawl has others."""
    return drawn(pages, max(1, min(HITS, len(pages) // 2)), f"hits {crawl}")


def write_task_file(each: TopicTask, folder: Path) -> Path:
    """The task as `thresher lab run` reads it."""
    task = each.task
    table = {
        "warc": [str(path.absolute()) for path in task.web.paths],
        "labels": task.web.labels,
        "deny": list(task.web.deny),
        "task": [
            {
                "name": task.name,
                "topic": task.topic,
                "ontologies": list(task.ontologies),
                "relevant": list(task.relevant),
                "near": list(task.near),
            }
        ],
    }
    path = folder / f"{task.web.name}-{task.name.replace(' ', '-')}.toml"
    write_whole(path, tomli_w.dumps(table).encode())
    return path


# ── crawls ──


def harvest_crawls(each: TopicTask, sizes: Sizes) -> list[Task]:
    """Several crawls of a topic, each from other hits."""
    crawls = range(1, sizes.crawls + 1)
    return [varied(each.task, f"{each.task.name}~{crawl}", near=tuple(hits(each.pages, crawl))) for crawl in crawls]


def recall_crawl(each: TopicTask) -> tuple[Task, frozenset[Url]]:
    """The crawl that is to find the targets from the seeds, a fifth of the pages as in the thesis, and the targets."""
    chosen = drawn(each.pages, SEEDS + TARGETS, "recall")
    many = max(1, len(chosen) * SEEDS // (SEEDS + TARGETS))
    return varied(each.task, f"{each.task.name}~recall", near=tuple(chosen[:many])), frozenset(chosen[many:])


def trial(task: Task, name: str, pages: int) -> Trial:
    """A strategy by the name it has in the thesis, on a task."""
    return Trial(task, "near", STRATEGIES[name], pages, judge=JUDGE)


def sweep_trial(task: Task, alpha: float, pages: int) -> Trial:
    """Lokman with another share of what is inherited."""
    strategy = {"name": "lokman"} if alpha == CHOSEN else {"name": "lokman", "alpha_inherit": alpha}
    return Trial(task, "near", strategy, pages, judge=JUDGE)
