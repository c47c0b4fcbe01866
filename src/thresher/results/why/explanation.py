"""Why a url was fetched, or was not: the way to it from a seed, page by page, with the reasons at each step.

`why` asks in this order: was the url visited (`store`), does it wait (`frontier`), does a kept page link to it (`unknown_urls`)? The first
that says yes gives the verdict. `reasons` says what the priority of each link on the way was made of.
"""

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from thresher.errors import BadInput
from thresher.frontier.reading import WaitingPlace, place_of
from thresher.model import FIRST, Candidate, Judgement, Url
from thresher.orders.state import pause_of
from thresher.results.archive import Archive
from thresher.results.plain_text import day, short_title
from thresher.results.sightings import TopicWordsSought
from thresher.results.why.reasons import PriorityParts, Reasons
from thresher.results.why.unknown_urls import Inlinks, inlinks, similar_urls
from thresher.store.labels import HandLabel, label_of
from thresher.store.looks import looks_at
from thresher.store.rejudgements import judgements_of
from thresher.store.visits import visit_row
from thresher.urls import canonical

_NEWS = {
    "changed": "it had changed by {day} and has relevance {relevance:.2f} since",
    "moved": "it redirected to {target} on {day}",
    "gone": "it was gone on {day}",
}
Fate = Literal["fetched", "redirected", "refused", "failed", "waiting", "unknown"]


class WayStep(NamedTuple):
    """A url on the way, how the crawl came to it, and what came of it."""

    candidate: Candidate
    parts: PriorityParts
    """What its priority is made of; a seed has none."""
    number: int | None = None
    """The number of the visit; None if it waits."""
    at: float | None = None
    outcome: str = "waiting"
    detail: str = ""
    refused: bool = False
    """Whether the crawl itself did not ask for it."""
    title: str = ""
    judgement: Judgement | None = None
    redirects_to: Url | None = None
    copy_of: Url | None = None
    """A page kept before with the same text, exactly or nearly."""
    missing: tuple[str, ...] = ()
    """Words of the topic that the judge looked for and did not find."""

    @property
    def found(self) -> str:
        """Where the link to it was found, in words, if not where a person would click."""
        return self.parts.found

    @property
    def adds_up(self) -> bool:
        """Whether the priority is the sum of its parts; strategies that rank pages against each other have other parts."""
        total = math.fsum(part.amount for part in self.parts.evidence)
        return math.isclose(total, self.candidate.priority, rel_tol=0.01)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        fields = self._asdict()
        judgement, parts = fields.pop("judgement"), fields.pop("parts")
        return {
            **fields.pop("candidate")._asdict(),
            "parts": [part._asdict() for part in parts.evidence],
            "parts_unknown": parts.unknown,
            "found": parts.found,
            **fields,
            "relevance": judgement and judgement.relevance,
            "relevant": judgement and judgement.relevant,
            "evidence": [each._asdict() for each in judgement.evidence] if judgement else [],
        }


class JudgementBy(NamedTuple):
    """What one judge said of a page."""

    judge: str
    at: float | None
    """When it was judged anew; None if the crawl did it."""
    relevance: float
    relevant: bool


class Why(NamedTuple):
    """All that the folder says about a url."""

    url: Url
    fate: Fate
    verdict: list[str]
    """In sentences."""
    way: list[WayStep]
    """From the seed to the url; if the crawl did not follow it, to the first page that links to it."""
    place: WaitingPlace | None = None
    """Where it waits."""
    links: Inlinks | None = None
    """Who links to it, if the crawl does not know it."""
    near: tuple[Url, ...] = ()
    label: HandLabel | None = None
    """What a person said of it."""
    judgements: tuple[JudgementBy, ...] = ()
    """What was said of it, if it was judged anew: by the crawl first, by the round in force last."""
    seeds: tuple[str, ...] = ()
    """All seeds of the crawl."""

    def __str__(self) -> str:
        return " ".join([f"{self.url}:", *self.verdict])

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        place = self.place and {key: value for key, value in self.place._asdict().items() if key != "candidate"}
        return {
            "url": self.url,
            "fate": self.fate,
            "verdict": self.verdict,
            "way": [step.as_json() for step in self.way],
            "place": place,
            "label": self.label and {"relevant": self.label.relevant, "at": self.label.at},
            "judgements": [each._asdict() for each in self.judgements],
            "linked_by": [link._asdict() for link in self.links.found] if self.links else [],
            "near": self.near,
            "seeds": self.seeds,
        }


def why(
    archive: Archive,
    text: str,
    looked: Callable[[int, int], object] = lambda _seen, _of: None,
    *,
    reasons: Reasons | None = None,
    most: int | None = None,
) -> Why:
    """What became of a url; `looked` is told how many pages of how many were searched for links to it.

    Of a longer way the last so many steps are told, if a number is given.
    """
    found, sought = _why(archive, text, looked, reasons, most), TopicWordsSought(archive)
    way = [step._replace(missing=sought.missing(step.judgement)) for step in found.way]
    return found._replace(way=way, seeds=tuple(archive.settings.seeds))


def _why(
    archive: Archive, text: str, looked: Callable[[int, int], object], given: Reasons | None, most: int | None
) -> Why:
    url = canonical(text if "://" in text else f"http://{text}")
    if url is None:
        raise BadInput(f"{text!r} is not a web address such as https://example.org/page")
    reasons = given or Reasons(archive)
    way = _way(archive, reasons, url, most)
    if way and way[-1].number is not None:
        fate, verdict = _settled(way[-1])
        label, judged = label_of(archive.read, url), _judgements(archive, way[-1].number)
        told = [*verdict, *_judged_anew(judged), *_said(label), *_looked_at_again(archive, way[-1].number)]
        return Why(url, fate, told, way, label=label, judgements=tuple(judged))
    if way and (place := place_of(archive.read, url, archive.settings.frontier)) is not None:
        return Why(url, "waiting", ["It waits to be fetched.", *_waits_for(place, archive)], way, place)
    return _unknown(archive, reasons, url, looked)


def _way(archive: Archive, reasons: Reasons, url: Url, most: int | None = None) -> list[WayStep]:
    """The steps from the seed; empty if the url is not known."""
    steps, wanted, seen = list[WayStep](), url, set[Url]()
    while wanted not in seen and len(seen) != most and (step := _step(archive, reasons, wanted)) is not None:
        seen.add(wanted)
        steps.insert(0, step)
        if step.candidate.parent is None:
            break
        wanted = step.candidate.parent
    return steps


def _step(archive: Archive, reasons: Reasons, url: Url) -> WayStep | None:
    row = visit_row(archive.read, url)
    if row is None:
        place = place_of(archive.read, url, archive.settings.frontier)
        return None if place is None else WayStep(place.candidate, _parts(archive, reasons, place.candidate))
    visit = archive.visit_of(row)
    candidate = visit.claim.candidate
    return WayStep(
        candidate,
        _parts(archive, reasons, candidate),
        row["number"],
        row["at"],
        row["outcome"],
        row["detail"] or "",
        row["kind"] == "refused",
        short_title(row["title"] or ""),
        visit.judgement,
        row["final_url"],
        row["first_url"] or row["near_url"],
    )


def _parts(archive: Archive, reasons: Reasons, candidate: Candidate) -> PriorityParts:
    if candidate.parent is None:
        return PriorityParts()
    # After a redirect the page links to the url that redirected.
    target = candidate.chain[0] if candidate.chain else candidate.url
    return reasons.parts(archive.visit(candidate.parent), target, candidate.anchor)


def _settled(step: WayStep) -> tuple[Fate, list[str]]:
    if step.outcome == "redirect":
        return "redirected", [f"It redirects to {step.redirects_to}: ask about that."]
    if step.judgement is not None:
        judged = "relevant" if step.judgement.relevant else "not relevant"
        copy = f" It is a copy of {step.copy_of}, so it does not count twice." if step.copy_of else ""
        first = " You had put it first by order." if step.candidate.priority >= FIRST else ""
        return "fetched", [f"It was fetched, as visit {step.number:,}, and judged {judged}.{copy}{first}"]
    if step.outcome == "robots":
        return "refused", [f"The site's robots.txt does not allow it: {step.detail}."]
    if step.outcome == "scope":
        return "refused", [f"The crawl's scope keeps it out: {step.detail}."]
    said = f"{step.outcome} {step.detail}".rstrip()
    return ("refused", [f"It was refused: {said}."]) if step.refused else ("failed", [f"It gave no page: {said}."])


def _judgements(archive: Archive, number: int) -> list[JudgementBy]:
    """All judgements of a page; none if only the crawl has judged it."""
    crawl = archive.settings.judge
    found = [
        JudgementBy(each.by(crawl), each.round and each.round.done, each.judgement.relevance, each.judgement.relevant)
        for each in judgements_of(archive.read, number)
    ]
    return found if len(found) > 1 else []


def _judged_anew(judged: list[JudgementBy]) -> list[str]:
    if not judged:
        return []
    told = "; ".join(map(_told, reversed(judged)))
    return [f"It was judged more than once, and the first of these holds: {told}."]


def _told(judged: JudgementBy) -> str:
    when = f"on {day(judged.at)}" if judged.at else "while crawling"
    return f"{when} {judged.relevance:.2f}, {'relevant' if judged.relevant else 'not relevant'} ({judged.judge})"


def _said(label: HandLabel | None) -> list[str]:
    if label is None:
        return []
    if label.relevant is None:
        return [f"You skipped it, on {day(label.at)}."]
    return [f"You said: {'relevant' if label.relevant else 'not relevant'}, on {day(label.at)}."]


def _looked_at_again(archive: Archive, number: int) -> list[str]:
    """What later looks found: the latest of each kind that matters."""
    looks = looks_at(archive.read, number)
    if not looks:
        return []
    told = {look.found: look for look in looks if look.found in _NEWS}
    news = [_NEWS[found].format(day=day(look.at), **look._asdict()) for found, look in told.items()]
    times = "once" if len(looks) == 1 else f"{len(looks):,} times"
    since = f"It was looked at again {times}, last on {day(looks[-1].at)}"
    return [f"{since}: {'; '.join(news) or 'it was the same'}."]


def _waits_for(place: WaitingPlace, archive: Archive) -> list[str]:
    """What the url waits for, in sentences, the strongest reason first."""
    running = archive.folder.in_use()
    if place.claimed:
        return [
            "It is being fetched now."
            if running
            else "It was being fetched when the crawl ended; it is next when it goes on."
        ]
    state = archive.stopped()[1].rstrip(".")
    reasons = [f"{state}."] if running and pause_of(archive.read) else []
    reasons += [] if running else [f"The crawl is not running: {state}."]
    if place.candidate.priority >= FIRST:
        reasons.append("You put it first by order: it is next when its host may be visited.")
    if place.closed:
        reasons.append(f"Its host {place.host} is closed: {place.closed}.")
    if place.tries:
        reasons.append(f"It was tried {place.tries} time{'s' * (place.tries > 1)} already, and is tried again.")
    if place.rests >= 1:
        reasons.append(f"Its host {place.host} rests for another {place.rests:,.0f} s.")
    return [*reasons, _queue(place)]


def _queue(place: WaitingPlace) -> str:
    own = f"It is number {place.before + 1:,} of {place.on_host:,} that wait on {place.host}"
    others = f"{place.higher:,} of all {place.waiting:,}" if place.higher else "none at all"
    return f"{own}; {others} have a higher priority."


def _unknown(archive: Archive, reasons: Reasons, url: Url, looked: Callable[[int, int], object]) -> Why:
    links = inlinks(archive, reasons, url, looked=looked)
    known = tuple(similar_urls(archive, url))
    if links.found:
        way = _way(archive, reasons, links.found[0].url)
        return Why(url, "unknown", ["The crawl met it and did not follow it."], way, None, links, known)
    verdict = f"No kept page links to it ({links.looked:,} looked through)."
    if links.looked < links.of:
        verdict = (
            f"None of the first {links.looked:,} of {links.of:,} kept pages links to it; the others were not looked at."
        )
    rule = reasons.scope.refusal(url, 1)
    return Why(
        url,
        "unknown",
        [verdict, *([f"The crawl's scope would keep it out: {rule}."] if rule else [])],
        [],
        None,
        links,
        known,
    )
