import pytest

from thresher.budget import Budget, Tally
from thresher.errors import BadInput
from thresher.model import Candidate, Claim, Failed, Host, Judgement, Kept, Outcome, Refused, Response, Url, Visit

URL = Url("http://a.example/")


def visit(fetched=None, *, relevant=True):
    claim = Claim(Candidate(URL, 1.0), Host("a.example"), 1, 10.0)
    answer = fetched or Response(URL, 200, (), b"body", b"raw")
    return Visit(claim, 1, 0.0, answer, Outcome("page"), None, Judgement(0.9, relevant))


def tally_of(*relevant: bool, budget: Budget | None = None) -> Tally:
    tally = (budget or Budget()).tally(Tally())
    for each in relevant:
        tally.count(visit(relevant=each), Kept())
    return tally


def test_harvest_is_relevant_pages_by_pages_fetched():
    assert tally_of(True, False, False, True).harvest == 0.5


def test_nothing_fetched_is_a_harvest_of_zero():
    assert Tally().harvest == 0.0


def test_a_near_duplicate_is_fetched_but_no_harvest():
    tally = Tally()
    tally.count(visit(), Kept(near=URL))
    assert (tally.fetched, tally.relevant) == (1, 0)


def test_a_failed_fetch_is_charged_and_a_robots_refusal_is_not():
    tally = Tally()
    tally.count(visit(Failed("timeout"), relevant=False), Kept())
    tally.count(visit(Refused("robots"), relevant=False), Kept())
    assert (tally.visits, tally.fetched) == (2, 1)


def test_a_content_type_refused_after_asking_is_charged():
    tally = Tally()
    tally.count(visit(Refused("content-type", asked=True), relevant=False), Kept())
    assert tally.fetched == 1


def test_no_budget_is_never_spent_while_pages_are_relevant():
    assert Budget().spent(tally_of(*[True] * 2000), 1e9) is None


def test_each_limit_ends_the_crawl_by_its_own_name():
    tally = tally_of(True, True)
    assert Budget(pages=2).spent(tally, 0).reason == "pages"
    assert Budget(relevant=2).spent(tally, 0).reason == "relevant"
    assert Budget(bytes=6).spent(tally, 0).reason == "bytes"
    assert Budget(minutes=1).spent(tally, 60).reason == "time"


def test_a_limit_not_reached_ends_nothing():
    assert Budget(pages=3, relevant=3, bytes=7, minutes=1).spent(tally_of(True, True), 59) is None


def test_the_harvest_has_dried_up_when_too_few_of_the_latest_are_relevant():
    budget = Budget(dry_window=10, dry_share=0.2)
    assert budget.spent(tally_of(*[True] * 9, *[False] * 9, budget=budget), 0).reason == "dry"


def test_two_of_ten_is_not_below_a_fifth():
    budget = Budget(dry_window=10, dry_share=0.2)
    assert budget.spent(tally_of(*[True] * 2, *[False] * 8, budget=budget), 0) is None


def test_a_share_of_zero_switches_the_drying_up_off():
    budget = Budget(dry_window=10, dry_share=0)
    assert budget.spent(tally_of(*[False] * 50, budget=budget), 0) is None


def test_the_tally_remembers_no_more_than_the_window():
    assert len(tally_of(*[False] * 50, budget=Budget(dry_window=10)).recent) == 10


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"pages": -5}, "pages is -5, but must be at least 1"),
        ({"pages": 0}, "pages is 0, but must be at least 1"),
        ({"relevant": 0}, "relevant is 0, but must be at least 1"),
        ({"bytes": 0}, "bytes is 0, but must be at least 1"),
        ({"dry_window": 0}, "dry_window is 0, but must be at least 1"),
        ({"minutes": -1}, "minutes is -1, but must be more than 0"),
        ({"minutes": 0}, "minutes is 0, but must be more than 0"),
        ({"minutes": float("nan")}, "minutes is nan, but must be more than 0"),
        ({"dry_share": -0.1}, "dry_share is -0.1, but must be from 0 to 1"),
        ({"dry_share": 1.5}, "dry_share is 1.5, but must be from 0 to 1"),
    ],
)
def test_a_limit_that_nothing_could_keep_is_refused(limits, words):
    with pytest.raises(BadInput) as error:
        Budget(**limits)
    assert str(error.value) == f"[budget]: {words}"


def test_the_least_of_each_limit_is_fine():
    least = Budget(pages=1, relevant=1, bytes=1, minutes=0.001, dry_window=1, dry_share=0)
    assert (least.pages, least.minutes, least.dry_window) == (1, 0.001, 1)
    assert Budget(dry_share=1).dry_share == 1
