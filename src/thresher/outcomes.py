"""What an answer means for its url: done with, tried again, or passed on to where it redirects."""

from dataclasses import replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from math import inf, nextafter

from thresher.model import (
    LISTS,
    PAGE,
    RESERVED,
    Candidate,
    Claim,
    Failed,
    Fetched,
    Judgement,
    Later,
    Outcome,
    Page,
    Refused,
    Response,
    Url,
)
from thresher.urls import join

TRIES = 3
"""How often a url is tried when another try can help."""
HOPS = 10
"""How many redirects are followed in a row."""
_PASSING = {408, 429, 500, 502, 503, 504}
_STRAINED = _PASSING - {500}
_SECOND_THOUGHT = 2.0


def outcome_of(claim: Claim, fetched: Fetched, now: float) -> Outcome:
    """How the claim ends."""
    last = claim.tries + 1 >= TRIES
    match fetched:
        case Response():
            return _answered(claim, fetched, now, last=last)
        case Refused(why=why, asked=asked):
            # What was never asked for costs its host neither a pause nor a part of its quota.
            return Outcome(why) if asked else Outcome(why, tried=False, rest=0.0)
        case Failed(why=why, retry=retry, strain=strain):
            return Outcome(why, final=last or not retry, strain=strain)
        case Later(why=why, seconds=seconds, delay=delay, strain=strain):
            # Never the url's end: a host whose robots.txt cannot be had is strained until the frontier gives it up.
            return Outcome(why, final=False, tried=False, strain=strain, rest=seconds, delay=delay)


def by_form(outcome: Outcome, page: Page, judgement: Judgement) -> tuple[Outcome, Page | None, Judgement | None]:
    """What a visit is that brought something else than a page. A list is read for its links and is no harvest; the rest is nothing."""
    outcome = outcome._replace(name=page.form)
    return (outcome, page, replace(judgement, relevant=False)) if page.form in LISTS else (outcome, None, None)


def kept_answer(response: Response, page: Page) -> Fetched:
    """What is kept of an answer: of a page that reserves text and data mining, only by what."""
    return Refused(RESERVED, page.fact(RESERVED), asked=True) if page.form == RESERVED else response


def _answered(claim: Claim, response: Response, now: float, *, last: bool) -> Outcome:
    status = response.status
    if 200 <= status < 300:
        return Outcome(PAGE)
    if status in {301, 302, 303, 307, 308}:
        return Outcome(redirect_name(claim, redirect_target(response)))
    final = last or status not in _PASSING
    rest = retry_after(response, now)
    if status == 500 and not final:
        # Often one broken page on a healthy host: it gets time, but three such pages must not close the host.
        rest = max(rest or 0.0, _SECOND_THOUGHT * 2**claim.tries)
    return Outcome(f"http-{status}", final=final, strain=status in _STRAINED, rest=rest)


def redirect_target(response: Response) -> Url | None:
    """Where a redirect leads."""
    location = response.header("location")
    return join(response.url, _as_written(location)) if location else None


def _as_written(header: str) -> str:
    """A header's bytes as UTF-8, which is what servers mean by `/café`; as Latin-1 where they cannot be that."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return header


def redirect_name(claim: Claim, target: Url | None) -> str:
    """`redirect`, or what is wrong with it."""
    if target is None:
        return "redirect-bad"
    if target == claim.url or target in claim.candidate.chain:
        return "redirect-loop"
    return "redirect-limit" if len(claim.candidate.chain) >= HOPS else "redirect"


def redirected(claim: Claim, target: Url) -> Candidate:
    """The candidate that a redirect hands its place to."""
    before = claim.candidate
    # Just above its equals: the url had waited its turn already.
    return before._replace(url=target, priority=nextafter(before.priority, inf), chain=(*before.chain, before.url))


def retry_after(response: Response, now: float) -> float | None:
    """The seconds that a response's `Retry-After` header asks for; None without one that makes sense."""
    return seconds_to_wait(response.header("retry-after") or "", now)


def seconds_to_wait(value: str, now: float) -> float | None:
    """The seconds that the value of a `Retry-After` header asks for, as a number or as a date; a number may be as long as it likes."""
    value = value.strip()
    # isdigit alone is true of "²" too, and of what other scripts call digits.
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
        aware = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, aware.timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None
