"""Fit the start weights of the apprentice: crawl labelled webs with it, and see which of the waiting urls it should have taken.

What is learnt from are pairs of urls that waited at the same time, one with the label and one without: the weights should put the first
before the second (RankNet, Burges et al. 2005, with a linear model). Urls that were never fetched teach as well as those that were, and
crawls that find much count no more than those that find little.

Every label of a web that 30 to 300 pages have is a topic to train on: its name, and the words that tell its pages from the others.
The labels of the tasks themselves are left out, so that these can be measured on.
"""

import asyncio
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import tomli_w
from xxhash import xxh3_64_intdigest

from thresher.errors import BadInput
from thresher.lab.run.task import SEED_SETS, Task
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import Trial, Workbench, crawled, parts
from thresher.language import STOP_WORDS, words
from thresher.model import Url
from thresher.strategy.apprentice import Apprentice
from thresher.strategy.link_features import FEATURES, NUMBER
from thresher.strategy.link_weights import BY_HAND, EXPLORING, Matrix, Vector, fitted, vector

FEWEST, MOST = 30, 300
"""How many pages a label may have to be a topic."""
_TELLING = 5
_SEEDS = 2
_READ = 3000
_OFTEN = 0.15
_STEPS = 25
_BEST, _OTHERS = 60, 40
_PAIRS_A_TURN, _PAIRS_A_CRAWL = 10, 300
_PINNED = 1e9


class Lesson(NamedTuple):
    """What one crawl taught."""

    web: str
    topic: str
    pairs: Matrix
    """The features of a url with the label, less those of one without it that waited at the same time."""


# ── topics ──


def topics(web: TaskWeb, tasks: Sequence[Task], most: int) -> list[Task]:
    """Topics of a web to train on, at most so many, picked evenly from the labels in order."""
    by_label: defaultdict[str, list[Url]] = defaultdict(list)
    for url, labels in web.labelled():
        for label in labels if web.has(url) else ():
            by_label[label].append(url)
    measured = {label for task in tasks for label in task.relevant}
    fit = [label for label in sorted(by_label) if FEWEST <= len(by_label[label]) <= MOST and label not in measured]
    picked = fit[:: max(1, math.ceil(len(fit) / most))]
    told = _words_by_page(web)
    return [_topic(label, by_label[label], told, tasks[0]) for label in picked]


def _words_by_page(web: TaskWeb) -> dict[Url, frozenset[str]]:
    pages = ((url, web.page(url)) for url, _ in web.labelled())
    return {
        url: frozenset(_content_words(f"{page.title} {' '.join(page.headings)} {page.main[:_READ]}"))
        for url, page in pages
        if page is not None
    }


def _content_words(text: str) -> Iterator[str]:
    return (word for word in words(text) if word.isalpha() and len(word) > 2 and word not in STOP_WORDS)


def _topic(label: str, pages: Sequence[Url], told: Mapping[Url, frozenset[str]], like: Task) -> Task:
    own = set(pages)
    others = sorted((url for url in told if url not in own), key=lambda url: _chance(label + url))
    name = " ".join(words(label.rpartition("=")[2].rpartition(".")[2]))
    near = sorted(pages, key=_chance)[:_SEEDS]
    keywords = " ".join(telling_words(own, told))
    return Task(like.web, label, name, keywords, relevant=(label,), near=tuple(near), far=tuple(others[:_SEEDS]))


def telling_words(own: Iterable[Url], told: Mapping[Url, frozenset[str]]) -> list[str]:
    """The words that tell some pages from all others: often on them, seldom elsewhere."""
    inside = Counter(word for url in own for word in told.get(url, ()))
    anywhere = Counter(word for found in told.values() for word in found)
    pages = sum(url in told for url in own)
    others = len(told) - pages
    value = {}
    for word, count in inside.items():
        here, there = count / pages, (anywhere[word] - count + 1) / (others + 2)
        if here >= _OFTEN and here > there:
            value[word] = here * math.log(here / there)
    return sorted(value, key=lambda word: (-value[word], word))[:_TELLING]


def _chance(text: str) -> int:
    return xxh3_64_intdigest(text.encode())


# ── crawls, and what they teach ──


def lessons(tasks: Iterable[Task], bench: Workbench, pages: int) -> Iterator[Lesson]:
    """Crawl for each topic from each set of seeds, by the apprentice with the weights set by hand, whichever ones ship."""
    for task in tasks:
        for seeds in SEED_SETS:
            if task.seeds(seeds):
                yield _lesson(Trial(task, seeds, {"name": "apprentice"}, pages), bench)


def _lesson(trial: Trial, bench: Workbench) -> Lesson:
    web = bench.web(trial.task.web)
    strategy, judge = parts(trial, bench.known(trial.task))
    assert isinstance(strategy, Apprentice)
    strategy.learner.start_from(vector(BY_HAND))
    targets, dice = web.targets(trial.task), np.random.default_rng(0)
    pairs = [np.zeros((0, len(FEATURES)))]
    strategy.learner.watcher = lambda given, features: pairs.append(_pairs(given, features, targets, dice))
    asyncio.run(crawled(trial, web, strategy, judge))
    return Lesson(trial.task.web.name, trial.task.name, np.concatenate(pairs))


def _pairs(
    given: Sequence[tuple[Url, float]], features: Matrix, targets: frozenset[Url], dice: np.random.Generator
) -> Matrix:
    """A few pairs of urls that wait: most of them from the best, as it is these that are taken next, the others by chance."""
    order = np.argsort([-priority for _, priority in given], kind="stable")
    best, others = order[:_BEST], order[_BEST:]
    picked = np.concatenate([best, dice.permutation(others)[:_OTHERS]])
    right = np.array([given[each][0] in targets for each in picked.tolist()], bool)
    good, bad = picked[right], picked[~right]
    if not len(good) or not len(bad):
        return np.zeros((0, features.shape[1]))
    pairs: Matrix = features[dice.choice(good, _PAIRS_A_TURN)] - features[dice.choice(bad, _PAIRS_A_TURN)]
    return pairs


def learnt(taught: Sequence[Lesson], strength: float) -> Vector:
    """The weights that these crawls teach, pulled to those set by hand; the weights for exploring stay as they are."""
    told = [each.pairs for each in taught if len(each.pairs)]
    if not told:
        raise BadInput("in no crawl did a url with the label wait: there is nothing to learn from")
    pull = np.full(len(FEATURES), strength)
    pull[[NUMBER[name] for name in EXPLORING]] = _PINNED
    x = np.concatenate([pairs[np.arange(_PAIRS_A_CRAWL) * len(pairs) // _PAIRS_A_CRAWL] for pairs in told])
    return fitted(x, np.ones(len(x)), vector(BY_HAND), pull, steps=_STEPS)


def weights_file(weights: Vector, name: str, date: str, taught: Sequence[Lesson]) -> str:
    """The table as it ships: its name, its date, and what it was fitted on."""
    crawls = Counter(each.web for each in taught)
    on = ", ".join(f"{web} ({count} crawls)" for web, count in sorted(crawls.items()))
    rows = {feature: round(float(weight), 3) for feature, weight in zip(FEATURES, weights, strict=True)}
    pairs = sum(len(each.pairs) for each in taught)
    return tomli_w.dumps(
        {"name": name, "date": date, "fitted_on": f"{pairs} pairs of waiting urls on {on}", "weights": rows}
    )
