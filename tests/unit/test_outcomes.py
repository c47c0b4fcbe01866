from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.frontier import MemoryFrontier
from thresher.model import Candidate, Claim, Failed, Host, Later, Outcome, Refused, Response, Url
from thresher.outcomes import HOPS, outcome_of, redirect_target, redirected, retry_after

URL = Url("http://a.example/one")
NOW = 1_800_000_000.0


def claim(tries=0, chain=()):
    return Claim(Candidate(URL, 0.5, 3, Url("http://a.example/"), "one", chain), Host("a.example"), 1, NOW + 600, tries)


def answer(status, **headers):
    pairs = tuple((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items())
    return Response(URL, status, pairs, b"", b"")


def outcome(fetched, **of_claim):
    return outcome_of(claim(**of_claim), fetched, NOW)


def test_a_200_is_a_page():
    assert outcome(answer(200)) == Outcome("page", final=True, tried=True)


def test_a_404_is_final_and_named():
    assert outcome(answer(404))[:2] == ("http-404", True)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_passing_error_is_tried_again_twice(status):
    assert [outcome(answer(status), tries=tries).final for tries in (0, 1, 2)] == [False, False, True]


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
def test_a_passing_error_is_strain(status):
    assert outcome(answer(status)).strain


def test_a_500_is_the_page_s_own_trouble_but_gets_longer_and_longer_to_pass():
    again = [outcome(answer(500), tries=tries) for tries in (0, 1, 2)]
    assert [each.strain for each in again] == [False] * 3
    assert [each.rest for each in again] == [2.0, 4.0, None]
    assert outcome(answer(500, retry_after="120")).rest == 120.0


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
async def test_no_passing_error_is_tried_again_at_once(status):
    frontier = MemoryFrontier(delay=1)
    await frontier.add([claim().candidate])
    gaps = []
    while (now := frontier.due()) is not None:
        [lent] = await frontier.claim(1, now)
        await frontier.settle(lent, outcome_of(lent, answer(status), now), [], now)
        gaps.append((frontier.due() or now) - now)
    assert gaps == [2.0, 4.0, 0.0]


def test_a_failure_that_cannot_get_better_is_not_tried_again():
    assert outcome(Failed("too-large", retry=False)).final


def test_a_failure_that_can_get_better_is():
    assert not outcome(Failed("timeout", strain=True)).final


def test_a_refusal_is_final():
    assert outcome(Refused("robots"))[:2] == ("robots", True)


def test_a_url_that_was_never_asked_for_costs_its_host_no_pause():
    assert outcome(Refused("robots"))[2:5] == (False, False, 0.0)
    assert outcome(Refused("content-type", asked=True)).tried


def test_asking_for_robots_uses_up_no_try_and_hands_on_the_crawl_delay():
    asked = outcome(Later("robots-asked", 2.0, delay=2.0), tries=2)
    assert (asked.final, asked.tried, asked.rest, asked.delay) == (False, False, 2.0, 2.0)


def test_robots_that_cannot_be_had_are_never_the_end_of_a_url():
    unavailable = outcome(Later("robots-unavailable", 2.0, strain=True), tries=2)
    assert (unavailable.final, unavailable.tried, unavailable.strain, unavailable.rest) == (False, False, True, 2.0)


async def test_a_host_whose_robots_never_come_is_given_up_and_its_urls_still_wait():
    frontier = MemoryFrontier(give_up=8)
    await frontier.add([claim().candidate])
    asked = []
    while (now := frontier.due()) is not None:
        [lent] = await frontier.claim(1, now)
        asked.append(lent.tries)
        await frontier.settle(lent, outcome_of(lent, Later("robots-unavailable", 60.0, strain=True), now), [], now)
    assert asked == [0] * 8
    assert (frontier.census().closed, frontier.census().settled) == (1, 0)


def test_a_redirect_hands_its_place_to_the_target():
    target = redirect_target(answer(301, location="/two"))
    handed_on = redirected(claim(), target)
    assert handed_on._replace(priority=0.5) == claim().candidate._replace(url=Url("http://a.example/two"), chain=(URL,))
    assert 0.5 < handed_on.priority < 0.5000001, "it comes before its equals, and before nothing else"


def test_a_redirect_to_itself_or_back_is_a_loop():
    earlier = Url("http://a.example/zero")
    assert outcome(answer(302, location="/one")).name == "redirect-loop"
    assert outcome(answer(302, location="/zero"), chain=(earlier,)).name == "redirect-loop"


def test_the_eleventh_redirect_in_a_row_is_too_many():
    chain = tuple(Url(f"http://a.example/{number}") for number in range(HOPS))
    assert outcome(answer(302, location="/next"), chain=chain).name == "redirect-limit"
    assert outcome(answer(302, location="/next"), chain=chain[1:]).name == "redirect"


@pytest.mark.parametrize("location", ["javascript:alert(1)", "file:///etc/passwd", "http://", ""])
def test_a_redirect_to_nowhere_is_bad(location):
    assert outcome(answer(302, location=location)).name == "redirect-bad"


@pytest.mark.parametrize("written", ["/café".encode(), "/café".encode("latin-1"), b"/caf%C3%A9"])
def test_a_redirect_target_is_utf_8_and_latin_1_where_it_cannot_be(written):
    response = Response(URL, 302, ((b"Location", written),), b"", b"")
    assert redirect_target(response) == "http://a.example/caf%C3%A9"


def test_retry_after_is_seconds_or_a_date():
    assert retry_after(answer(503, retry_after="120"), NOW) == 120.0
    assert retry_after(answer(503, retry_after=formatdate(NOW + 90, usegmt=True)), NOW) == 90.0
    assert retry_after(answer(503, retry_after="soon"), NOW) is None
    assert retry_after(answer(503), NOW) is None


@pytest.mark.parametrize(
    "value", [b"\xb2", b"1\xb2", b"\xd9\xa3", b"Mon, 01 Jan 2020 00:00:00 +" + b"9" * 20, b"Mon, 01 Jan 10000 00:00:00"]
)
def test_a_retry_after_that_is_neither_is_as_good_as_none(value):
    assert retry_after(Response(URL, 503, ((b"Retry-After", value),), b"", b""), NOW) is None


def test_a_retry_after_without_end_is_left_to_the_frontier_to_bound():
    assert retry_after(answer(503, retry_after="9" * 5000), NOW) == float("inf")


DATES = st.from_regex(r"(Mon, )?[0-9]{1,3} Jan [0-9]{1,20} [0-9]{1,3}:[0-9]{2}(:[0-9]{2})? ([+-][0-9]{1,20}|GMT)?")


@given(
    st.sampled_from([200, 301, 302, 404, 429, 503]),
    st.binary() | st.text().map(str.encode) | DATES.map(str.encode),
    st.binary() | st.text().map(str.encode),
)
def test_no_header_makes_it_raise(status, retry, location):
    headers = ((b"Retry-After", retry), (b"Location", location))
    assert outcome(Response(URL, status, headers, b"", b"")).name
