"""Best-best-first: of the best pages the best links, told apart by informative words and a decision tree that the crawl itself teaches.

Paper: Yin, Liu, Yang and Zhang 2009, "A Novel Method for Crawler in Domain-specific Search" (BBF), as Pesaranghader et al. 2014 tell of it
in §II: informative terms are found by χ² with the help of a search engine, and potential links by a C4.5 decision tree. They name a
comparison with it as future work. The paper of 2009 itself was not at hand, so all constants are ours.

1. Words. A page that the judge calls relevant speaks for its words, any other against them. With A and B of the n relevant and m other
   pages that have a word,

       χ²(w) = (n + m) · (A·(m − B) − B·(n − A))² / ((A + B) · (n + m − A − B) · n · m)

   The `terms` words of the highest χ² that relevant pages have more often are informative; the topic's own words always are.
2. Links. Of each link: how many informative words its anchor, its surroundings, its address and the heading above it have, the
   relevance of its page, that page's cosine with the topic (as in `best-first`), and whether it stands in a menu. When its target was
   visited, the link is an example: did it lead to a relevant page?
3. A tree over these features (`decision_tree.py`) is learnt anew every `every` pages, as soon as there are examples enough of both kinds.

    priority = the cosine of its page, as in best-first, before there is a tree
             = the share of relevant pages in its leaf + cosine / 1000 afterwards

The search engine's part is played by the seeds: they are the first pages that are judged. Whenever there is a new tree, all links that
wait and are remembered are ranked anew, and those are moved whose priority changes by more than a hundredth. The last `room` of them are
remembered; others keep the priority they had. Where workers share a crawl, each learns from all visits, and after at most `every` pages
of its own it moves what new trees have changed; of a page with more than 500 links the others hear of the first 500.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from thresher.errors import DamagedState
from thresher.lessons import Finite, check, is_url
from thresher.lessons import packed as packed_lesson
from thresher.lessons import unpacked as unpacked_lesson
from thresher.model import Evidence, Link, Merge, Page, Response, Sharing, Url, Visit
from thresher.outcomes import redirect_target
from thresher.ports import Strategy
from thresher.strategy.decision_tree import FEWEST, DecisionTree
from thresher.strategy.parameters import within
from thresher.strategy.visit_log import packed, unpacked
from thresher.strategy.word_numbers import BUCKETS, WIDTH, ZONES, Numbers, WordNumbers
from thresher.topic import Topic
from thresher.topic.scoring import Cosine

NAMES = (*(f"{zone} words" for zone in ZONES), "page relevance", "page cosine", "menu")
EXAMPLES = 5000
"""The last so many links whose targets were visited teach the tree."""
_SNAPSHOT, _VISIT = "snapshot", "visit/"
_SNAPSHOT_EVERY = 20
"""Trees after which all that was learnt is kept as a whole."""
_TIE = 1e-3
_WORTH_MOVING = 0.01
_TAUGHT_LINKS = 500


class LinkExample(msgspec.Struct, array_like=True):
    """What is remembered of a link: its words, and three numbers about its page and place."""

    words: bytes
    page: tuple[Finite, Finite, Finite]
    priority: Finite = 0.0
    """What it has in the frontier."""


class _Heard(msgspec.Struct, array_like=True):
    """A visit and the links of its page, as a crawl that goes on is told again."""

    url: str
    moved_to: str = ""
    judged: bool = False
    relevant: bool = False
    words: bytes = b""
    links: list[tuple[str, LinkExample]] = []


class BestBestFirst(Strategy):
    """Learn from visited pages which words and which links lead to relevant ones, by χ² and a decision tree."""

    merge: Merge = "last"
    sharing: Sharing = "lessons"

    def __init__(self, topic: Topic, *, terms: int = 50, every: int = 25, room: int = 16_384) -> None:
        within("best-best-first", 0, BUCKETS, terms=terms)
        within("best-best-first", 1, every=every)
        within("best-best-first", 1, room=room)
        self._terms, self._every, self._room = terms, every, room
        self._numbers, self._cosine = WordNumbers(), Cosine(topic.labels)
        self._topic = np.unique(self._numbers.of(" ".join(topic.labels)))
        self._counts = np.zeros((2, BUCKETS), np.int64)
        """How many pages have each word: of those that are not relevant, and of those that are."""
        self._pages = [0, 0]
        self._waiting: dict[str, LinkExample] = {}
        self._examples: list[tuple[LinkExample, bool]] = []
        self._informative = self._chosen()
        self._tree: DecisionTree | None = None
        self._due, self._fits = 0, 0
        self._own, self._behind = 0, False
        """Pages of this worker since it last moved urls, and whether there was a new tree since, of what others told."""
        self._unsaved, self._kept = list[_Heard](), 0
        self._heard = _Heard("")

    # ── a visit ──

    def learn(self, visit: Visit) -> None:
        """Count the words of a page, and note what the link to it led to."""
        moved = redirect_target(visit.fetched) if isinstance(visit.fetched, Response) and visit.page is None else None
        self._heard = _Heard(visit.url, moved or "")
        if visit.page is not None:
            words = self._numbers.page(visit.page).distinct
            relevant = visit.judgement is not None and visit.judgement.relevant
            self._heard = _Heard(visit.url, "", True, relevant, words.tobytes())
        self._unsaved.append(self._heard)
        self._own += self._heard.judged
        self._take_note(self._heard)

    def _take_note(self, heard: _Heard) -> None:
        link = self._waiting.pop(heard.url, None)
        if heard.moved_to and link is not None:
            self._remember([(heard.moved_to, link)])
        if not heard.judged:
            return
        self._counts[int(heard.relevant), np.frombuffer(heard.words, np.uint16)] += 1
        self._pages[int(heard.relevant)] += 1
        self._due += 1
        if link is not None:
            self._examples.append((link, heard.relevant))
            del self._examples[: len(self._examples) - EXAMPLES]

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The share of relevant pages in each link's leaf."""
        found = self._described(visit, links)
        priorities = self._priorities(found)
        for each, priority in zip(found, priorities, strict=True):
            each.priority = priority
        self._heard.links = [(link.target, each) for link, each in zip(links, found, strict=True)]
        self._remember(self._heard.links)
        return priorities

    def _described(self, visit: Visit, links: Sequence[Link]) -> list[LinkExample]:
        page = visit.page or Page(visit.url)
        rows = self._numbers.rows(self._numbers.page(page), links)
        relevance = visit.judgement.relevance if visit.judgement else 0.0
        cosine = self._cosine.similarity(page.main)
        return [
            LinkExample(row.tobytes(), (relevance, cosine, float(link.navigation)))
            for row, link in zip(rows, links, strict=True)
        ]

    def _remember(self, links: Iterable[tuple[str, LinkExample]]) -> None:
        for url, link in links:
            self._waiting.pop(url, None)
            self._waiting[url] = link
        for url in list(islice(self._waiting, max(0, len(self._waiting) - self._room))):
            del self._waiting[url]

    def rerank(self) -> Iterable[tuple[Url, float]]:
        """After a new tree: the links that wait, as it sees them."""
        return self._moved() if self._turn() or (self._behind and self._own >= self._every) else []

    def _turn(self) -> bool:
        """Learn a new tree if it is time; whether links that wait may have other priorities."""
        if self._due < self._every:
            return False
        self._due = 0
        self._fits += 1
        had_tree = self._tree is not None
        self._fit()
        return had_tree or self._tree is not None

    def _moved(self) -> list[tuple[Url, float]]:
        self._own, self._behind = 0, False
        moved = []
        for (url, link), priority in zip(
            self._waiting.items(), self._priorities(list(self._waiting.values())), strict=True
        ):
            if abs(priority - link.priority) > _WORTH_MOVING:
                link.priority = priority
                moved.append((Url(url), priority))
        return moved

    # ── words and the tree ──

    def _fit(self) -> None:
        self._informative = self._chosen()
        self._tree = None
        relevant = sum(label for _, label in self._examples)
        if min(relevant, len(self._examples) - relevant) >= FEWEST:
            features = self._features([link for link, _ in self._examples])
            self._tree = DecisionTree(features, np.array([label for _, label in self._examples]))

    def _chosen(self) -> NDArray[np.bool_]:
        """Which words are informative."""
        chosen = np.zeros(BUCKETS, bool)
        chosen[self._topic] = True
        other, own = self._counts
        m, n = self._pages
        if n and m and self._terms:
            excess = own * (m - other) - other * (n - own)
            both = own + other
            spread = np.maximum(both * (n + m - both), 1)
            worth = np.where(excess > 0, excess.astype(np.float64) ** 2 / spread, 0.0)
            best = np.argsort(-worth, kind="stable")[: self._terms]
            chosen[best[worth[best] > 0]] = True
        chosen[0] = False
        return chosen

    def _features(self, links: Sequence[LinkExample]) -> NDArray[np.float64]:
        rows: Numbers = np.frombuffer(b"".join(link.words for link in links), np.uint16).reshape(-1, WIDTH)
        known = self._informative[rows]
        words = [known[:, zone].sum(1) for zone in ZONES.values()]
        return np.column_stack([*words, np.array([link.page for link in links]).reshape(-1, 3)]).astype(np.float64)

    def _priorities(self, links: Sequence[LinkExample]) -> list[float]:
        cosines = np.array([link.page[1] for link in links])
        if self._tree is None or not links:
            return list(cosines.tolist())
        shares = self._tree.probabilities(self._features(links))
        return list((shares + _TIE * cosines).tolist())

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """The way to its leaf, and the cosine that tells equals apart."""
        (found,) = self._described(visit, [link])
        if self._tree is None:
            return (Evidence("cosine", "page", found.page[1]),)
        said, count, relevant = self._tree.reasons(self._features([found])[0], NAMES)
        where = f"tree: {relevant} of {count} such links led to relevant pages"
        share = (relevant + 1) / (count + 2)
        return Evidence(", ".join(said) or "any link", where, share), Evidence("cosine", "page", _TIE * found.page[1])

    # ── what is kept ──

    def save(self) -> Mapping[str, bytes]:
        """What was heard since; after some trees all that was learnt, in the place of the visits before."""
        heard, first = self._unsaved, self._kept + 1
        self._unsaved = []
        self._kept += len(heard)
        if self._due or self._fits < _SNAPSHOT_EVERY:
            return {f"{_VISIT}{number}": msgspec.msgpack.encode(each) for number, each in enumerate(heard, first)}
        forgotten = {f"{_VISIT}{number}": b"" for number in range(1, first)}
        self._kept = self._fits = 0
        return {**forgotten, _SNAPSHOT: packed(self._to_arrays())}

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take back the snapshot, and hear of the visits since once more."""
        try:
            if _SNAPSHOT in parts:
                self._from_arrays(unpacked(parts[_SNAPSHOT]))
            self._kept = len(parts) - (_SNAPSHOT in parts)
            for number in range(1, self._kept + 1):
                self._hear_again(msgspec.msgpack.decode(parts[f"{_VISIT}{number}"], type=_Heard))
        except (ValueError, LookupError, TypeError, AttributeError, msgspec.MsgspecError) as error:
            raise DamagedState(f"what the strategy has learnt is damaged: {error}") from error

    def _hear_again(self, heard: _Heard) -> None:
        self._take_note(heard)
        self._remember(heard.links)
        if self._turn():
            self._moved()

    # ── what workers tell each other ──

    def lesson(self) -> bytes:
        """The visit as it was heard."""
        if not self._heard.url:
            return b""
        return packed_lesson(msgspec.structs.replace(self._heard, links=self._heard.links[:_TAUGHT_LINKS]))

    def take_in(self, lessons: Sequence[bytes]) -> Iterable[tuple[Url, float]]:
        """Hear of the visits of others. Each worker moves urls when its own turn comes, so that they are not moved by all of them."""
        for heard in [_checked(unpacked_lesson(lesson, _Heard)) for lesson in lessons]:
            self._unsaved.append(heard)
            self._take_note(heard)
            self._remember(heard.links)
            self._behind = self._turn() or self._behind
        return ()

    def _to_arrays(self) -> dict[str, NDArray[np.generic]]:
        links = [*self._waiting.values(), *(link for link, _ in self._examples)]
        return {
            "counts": self._counts,
            "pages": np.array(self._pages),
            "urls": np.frombuffer("\n".join(self._waiting).encode("utf-8", "surrogatepass"), np.uint8),
            "words": np.frombuffer(b"".join(link.words for link in links), np.uint16),
            "values": np.array([(*link.page, link.priority) for link in links]).reshape(-1, 4),
            "labels": np.array([label for _, label in self._examples], bool),
        }

    def _from_arrays(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        urls = arrays["urls"].tobytes().decode("utf-8", "surrogatepass").split("\n")
        words = arrays["words"].reshape(-1, WIDTH)
        links = [
            LinkExample(row.tobytes(), (relevance, cosine, menu), priority)
            for row, (relevance, cosine, menu, priority) in zip(words, arrays["values"].tolist(), strict=True)
        ]
        labels = arrays["labels"].tolist()
        many = len(links) - len(labels)
        self._counts = arrays["counts"].astype(np.int64).reshape(2, BUCKETS)
        self._pages = arrays["pages"].tolist()
        self._waiting = dict(zip(urls[:many], links[:many], strict=True))
        self._examples = list(zip(links[many:], labels, strict=True))
        self._fit()


def _checked(heard: _Heard) -> _Heard:
    urls = [heard.url, *filter(None, [heard.moved_to]), *(url for url, _ in heard.links)]
    check(all(map(is_url, urls)), "one of its addresses is none")
    rows = {len(link.words) for _, link in heard.links}
    check(rows <= {2 * WIDTH} and not len(heard.words) % 2, "its words are no numbers of words")
    return heard
