"""Why a url was fetched, or was not: the way to it from a seed, page by page, with the reasons at each step."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from thresher.errors import BadInput
from thresher.model import Candidate, Judgement, Url
from thresher.results.archive import Archive
from thresher.results.plain_text import day
from thresher.results.why.inlinks import Linkers, linkers
from thresher.results.why.reasons import Parts, Reasons
from thresher.results.why.similar_urls import near
from thresher.results.why.waiting import Place, place_of, what_for
from thresher.store.labels import Label, labels
from thresher.urls import canonical

_LOOKS = "SELECT at, found, target, relevance FROM revisit WHERE visit = ? ORDER BY number"
_NEWS = {
    "changed": "it had changed by {day} and has relevance {relevance:.2f} since",
    "moved": "it redirected to {target} on {day}",
    "gone": "it was gone on {day}",
}
Fate = Literal["fetched", "redirected", "refused", "failed", "waiting", "unknown"]


class Step(NamedTuple):
    """A url on the way, how the crawl came to it, and what came of it."""

    candidate: Candidate
    parts: Parts
    """What its priority is made of; of a seed nothing."""
    number: int | None = None
    """The how-manieth visit it was; None if it waits."""
    at: float | None = None
    outcome: str = "waiting"
    detail: str = ""
    refused: bool = False
    """Whether it was us who did not want to."""
    title: str = ""
    judgement: Judgement | None = None
    redirects_to: Url | None = None
    copy_of: Url | None = None
    """A page kept before with the same text, exactly or nearly."""


class Why(NamedTuple):
    """All that the folder says about a url."""

    url: Url
    fate: Fate
    verdict: list[str]
    """In sentences."""
    way: list[Step]
    """From the seed to the url; if the crawl did not follow it, to the first page of those that link there."""
    place: Place | None = None
    """Where it waits."""
    links: Linkers | None = None
    """Who links to it, if the crawl does not know it."""
    near: tuple[Url, ...] = ()
    label: Label | None = None
    """What a person said of it."""


def why(archive: Archive, text: str, looked: Callable[[int, int], object] = lambda _seen, _of: None) -> Why:
    """What became of a url; `looked` is told how many pages of how many were searched for links to it."""
    url = canonical(text if "://" in text else f"http://{text}")
    if url is None:
        raise BadInput(f"{text!r} is not a web address such as https://example.org/page")
    reasons = Reasons(archive)
    way = _way(archive, reasons, url)
    if way and way[-1].number is not None:
        fate, verdict = _settled(way[-1])
        label = _label(archive, url)
        return Why(url, fate, [*verdict, *_said(label), *_looked_at_again(archive, way[-1].number)], way, label=label)
    if way and (place := place_of(archive, url)) is not None:
        return Why(url, "waiting", ["It waits to be fetched.", *what_for(place, archive)], way, place)
    return _unknown(archive, reasons, url, looked)


def _way(archive: Archive, reasons: Reasons, url: Url) -> list[Step]:
    """The steps from the seed; empty if the url is not known."""
    steps, wanted, seen = list[Step](), url, set[Url]()
    while wanted not in seen and (step := _step(archive, reasons, wanted)) is not None:
        seen.add(wanted)
        steps.insert(0, step)
        if step.candidate.parent is None:
            break
        wanted = step.candidate.parent
    return steps


def _step(archive: Archive, reasons: Reasons, url: Url) -> Step | None:
    row = archive.row(url)
    if row is None:
        place = place_of(archive, url)
        return None if place is None else Step(place.candidate, _parts(archive, reasons, place.candidate))
    visit = archive.visit_of(row)
    candidate = visit.claim.candidate
    return Step(
        candidate,
        _parts(archive, reasons, candidate),
        row["number"],
        row["at"],
        row["outcome"],
        row["detail"] or "",
        row["kind"] == "refused",
        row["title"] or "",
        visit.judgement,
        row["final_url"],
        row["first_url"] or row["near_url"],
    )


def _parts(archive: Archive, reasons: Reasons, candidate: Candidate) -> Parts:
    if candidate.parent is None:
        return Parts()
    # After a redirect it is the url that redirected which the page links to.
    target = candidate.chain[0] if candidate.chain else candidate.url
    return reasons.parts(archive.visit(candidate.parent), target, candidate.anchor)


def _settled(step: Step) -> tuple[Fate, list[str]]:
    if step.outcome == "redirect":
        return "redirected", [f"It redirects to {step.redirects_to}: ask about that."]
    if step.judgement is not None:
        judged = "relevant" if step.judgement.relevant else "not relevant"
        copy = f" It is a copy of {step.copy_of}, so it does not count twice." if step.copy_of else ""
        return "fetched", [f"It was fetched, as visit {step.number:,}, and judged {judged}.{copy}"]
    if step.outcome == "robots":
        return "refused", [f"The site's robots.txt does not allow it: {step.detail}."]
    if step.outcome == "scope":
        return "refused", [f"The crawl's scope keeps it out: {step.detail}."]
    said = f"{step.outcome} {step.detail}".rstrip()
    return ("refused", [f"It was refused: {said}."]) if step.refused else ("failed", [f"It gave no page: {said}."])


def _label(archive: Archive, url: Url) -> Label | None:
    return next((each for each in labels(archive.read) if each.url == url), None)


def _said(label: Label | None) -> list[str]:
    if label is None:
        return []
    if label.relevant is None:
        return [f"You skipped it, on {day(label.at)}."]
    return [f"You said: {'relevant' if label.relevant else 'not relevant'}, on {day(label.at)}."]


def _looked_at_again(archive: Archive, number: int) -> list[str]:
    """What `revisit` found of it since, told by the latest of each that matters."""
    looks = list(archive.rows(_LOOKS, number))
    if not looks:
        return []
    told = {look["found"]: look for look in looks if look["found"] in _NEWS}
    news = [_NEWS[found].format(day=day(look["at"]), **look) for found, look in told.items()]
    times = "once" if len(looks) == 1 else f"{len(looks):,} times"
    since = f"It was looked at again {times}, last on {day(looks[-1]['at'])}"
    return [f"{since}: {'; '.join(news) or 'it was the same'}."]


def _unknown(archive: Archive, reasons: Reasons, url: Url, looked: Callable[[int, int], object]) -> Why:
    links = linkers(archive, reasons, url, looked=looked)
    known = tuple(near(archive, url))
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
