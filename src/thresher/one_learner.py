"""A strategy that needs one view of the crawl, where several workers share it: all tell what they visit, and one learns from it.

    strategy = in_a_team(strategy)            # in each worker; only those with `sharing` "one learner" are changed
    strategy.elect(fresh, visits)             # in one of them

Every worker scores links by what it has seen itself: for a new link that is a first guess. What moves urls that wait is left to the
learner: its own visits go straight through it, the others' as lessons. A lesson is the visit as far as strategies look at it, with the
links that were scored: texts are cut at 50,000 characters, links at 2,000, and what nobody asks (bodies, facts, bold words) is left out.

When the learner is gone, another worker is elected with a strategy that was made anew and has loaded what the last learner saved. It is
then given the lessons since, its own of that time too.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

import msgspec

from thresher.lessons import Finite, Share, check, is_url, packed, unpacked
from thresher.model import (
    Candidate,
    Claim,
    Evidence,
    Failed,
    Fetched,
    Judgement,
    LabelledPage,
    Link,
    Outcome,
    Page,
    Refused,
    Response,
    Sharing,
    Url,
    Visit,
)
from thresher.outcomes import redirect_target
from thresher.ports import Strategy
from thresher.urls import host_of

_LONGEST_TEXT = 50_000
_LONGEST_LINE = 500
_MOST_LINKS, _MOST_HEADINGS = 2000, 100
Place = Annotated[int, msgspec.Meta(ge=0, le=_LONGEST_TEXT)]


class _TaughtLink(msgspec.Struct, array_like=True):
    target: str
    start: Place
    end: Place
    said: str | None
    """Its words, if they do not stand in the page's text."""
    heading: str
    rel: str
    navigation: bool
    kind: str


class _TaughtPage(msgspec.Struct, array_like=True):
    title: str
    language: str
    text: str
    main: str
    headings: list[str]
    links: list[_TaughtLink]
    refresh: str | None
    follow: bool
    form: str
    judgement: tuple[Share, bool] | None


class _TaughtVisit(msgspec.Struct, array_like=True):
    url: str
    priority: Finite
    depth: int
    parent: str | None
    anchor: str
    chain: list[str]
    outcome: str
    asked: bool
    moved_to: str | None
    page: _TaughtPage | None


def in_a_team(strategy: Strategy) -> Strategy:
    """The strategy as one of several workers has it."""
    return TeamStrategy(strategy) if strategy.sharing == "one learner" else strategy


class TeamStrategy(Strategy):
    """A strategy of which one worker learns for all."""

    sharing: Sharing = "one learner"

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        """What guesses; in the elected worker, what learns."""
        self.merge = strategy.merge
        self.elected = False
        self._number = 0
        self._last: tuple[Visit, Sequence[Link]] | None = None

    def elect(self, strategy: Strategy, visits: int) -> None:
        """Learn for all from now on, by a strategy that has loaded what the last learner saved, after so many visits of the crawl."""
        self.strategy, self.elected, self._number = strategy, True, visits

    def learn(self, visit: Visit) -> None:
        """Take note of a visit of this worker."""
        self._last = visit, ()
        self.strategy.learn(self._numbered(visit, new=True))

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """What the strategy says of the links."""
        self._last = visit, links
        return self.strategy.score(self._numbered(visit), links)

    def _numbered(self, visit: Visit, *, new: bool = False) -> Visit:
        """The visit with a number that no other has that the learner heard of; alone in a crawl, the number it has."""
        if new:
            self._number = max(self._number + 1, visit.number)
        if self._number == visit.number:
            return visit
        return Visit(visit.claim, self._number, visit.at, visit.fetched, visit.outcome, visit.page, visit.judgement)

    def rerank(self) -> Iterable[tuple[Url, float]]:
        """What the learner moves. What others would move by the little they saw is not heeded."""
        moved = tuple(self.strategy.rerank())
        return moved if self.elected else ()

    def heed(self, labels: Sequence[LabelledPage]) -> Iterable[tuple[Url, float]]:
        """What a person said, to every worker."""
        moved = tuple(self.strategy.heed(labels))
        return moved if self.elected else ()

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What the strategy of this worker says."""
        return self.strategy.explain(visit, link)

    def save(self) -> Mapping[str, bytes]:
        """What the learner saves; what the others have learnt nobody needs again."""
        parts = self.strategy.save()
        return parts if self.elected else {}

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take back what was saved."""
        self.strategy.load(parts)

    def lesson(self) -> bytes:
        """The last visit; nothing from the learner, who knows it."""
        return b"" if self.elected or self._last is None else packed(_taught(*self._last))

    def take_in(self, lessons: Sequence[bytes]) -> Iterable[tuple[Url, float]]:
        """Let the visits of others pass through the strategy."""
        moved: dict[Url, float] = {}
        for taught in [_checked(unpacked(lesson, _TaughtVisit)) for lesson in lessons]:
            visit, links = _visit(taught)
            self.learn(visit)
            if visit.page is not None and visit.page.follow:
                self.score(visit, links)
            moved.update(self.rerank())
        self._last = None
        return moved.items()


# ── a visit as a lesson ──


def _taught(visit: Visit, links: Sequence[Link]) -> _TaughtVisit:
    url, priority, depth, parent, anchor, chain = visit.claim.candidate
    redirects = visit.page is None and isinstance(visit.fetched, Response)
    moved_to = redirect_target(visit.fetched) if redirects and isinstance(visit.fetched, Response) else None
    page = None if visit.page is None else _taught_page(visit.page, visit.judgement, links)
    return _TaughtVisit(
        url,
        priority,
        depth,
        parent,
        anchor[:_LONGEST_LINE],
        list(chain),
        visit.outcome.name,
        visit.asked,
        moved_to,
        page,
    )


def _taught_page(page: Page, judgement: Judgement | None, links: Sequence[Link]) -> _TaughtPage:
    return _TaughtPage(
        _plain(page.title, _LONGEST_LINE),
        page.language,
        _plain(page.text, _LONGEST_TEXT),
        _plain(page.main, _LONGEST_TEXT),
        [_plain(each, _LONGEST_LINE) for each in page.headings[:_MOST_HEADINGS]],
        [_taught_link(link, page.text) for link in links[:_MOST_LINKS]],
        page.refresh,
        page.follow,
        page.form,
        None if judgement is None else (judgement.relevance, judgement.relevant),
    )


def _taught_link(link: Link, text: str) -> _TaughtLink:
    inside = link.text is text and link.end <= _LONGEST_TEXT
    said = None if inside else _plain(link.anchor, _LONGEST_LINE)
    start, end = (link.start, link.end) if said is None else (0, len(said))
    heading = _plain(link.heading, _LONGEST_LINE)
    return _TaughtLink(link.target, start, end, said, heading, link.rel[:_LONGEST_LINE], link.navigation, link.kind)


def _plain(text: str, most: int) -> str:
    """The beginning of a text, with a mark for what no text may have."""
    return text[:most].encode("utf-8", "replace").decode()


def _checked(taught: _TaughtVisit) -> _TaughtVisit:
    named = [taught.url, *taught.chain, *filter(None, (taught.parent, taught.moved_to))]
    if taught.page is not None:
        named += [link.target for link in taught.page.links]
        named += filter(None, [taught.page.refresh])
    check(all(map(is_url, named)), "one of its addresses is none")
    return taught


def _visit(taught: _TaughtVisit) -> tuple[Visit, tuple[Link, ...]]:
    url = Url(taught.url)
    parent = None if taught.parent is None else Url(taught.parent)
    chain = tuple(map(Url, taught.chain))
    claim = Claim(Candidate(url, taught.priority, taught.depth, parent, taught.anchor, chain), host_of(url), 0, 0.0)
    outcome, fetched = Outcome(taught.outcome), _fetched(url, taught)
    if taught.page is None:
        return Visit(claim, 0, 0.0, fetched, outcome), ()
    page, said = _page(url, taught.page), taught.page.judgement
    judgement = None if said is None else Judgement(said[0], relevant=said[1])
    return Visit(claim, 0, 0.0, fetched, outcome, page, judgement), page.links


def _fetched(url: Url, taught: _TaughtVisit) -> Fetched:
    if taught.page is not None:
        return Response(url, 200, (), b"", b"")
    if taught.moved_to is not None:
        return Response(url, 302, ((b"location", taught.moved_to.encode()),), b"", b"")
    return Failed(taught.outcome, retry=False) if taught.asked else Refused(taught.outcome)


def _page(url: Url, taught: _TaughtPage) -> Page:
    links = tuple(
        Link(
            url, Url(each.target), taught.text if each.said is None else each.said, each.start, each.end,
            each.heading, place, each.rel, each.navigation, each.kind,
        )
        for place, each in enumerate(taught.links)
    )  # fmt: skip
    refresh = None if taught.refresh is None else Url(taught.refresh)
    return Page(
        url, taught.title, language=taught.language, text=taught.text, main=taught.main, headings=tuple(taught.headings),
        links=links, refresh=refresh, follow=taught.follow, form=taught.form,
    )  # fmt: skip
