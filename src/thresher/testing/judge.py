"""For those who write a judge: what every judge promises, checked over real and odd pages.

>>> def test_mine_keeps_its_promises():
...     check_judge(lambda: Mine(topic))
"""

from collections.abc import Callable, Iterator

from thresher.model import Evidence, Judgement, Page, Url
from thresher.ports import Judge
from thresher.testing import iris
from thresher.testing.strategy import odd_visits

Make = Callable[[], Judge]


def check_judge(make: Make) -> None:
    """Raise AssertionError with a sentence, if a judge breaks a promise. `make` gives a new one at each call."""
    judge, seen = make(), list(_pages())
    first = [_checked(judge.judge(page), page) for page in seen]
    assert [judge.judge(page) for page in reversed(seen)] == first[::-1], "a page is judged otherwise after other pages"
    assert [make().judge(page) for page in seen] == first, "another judge of the same making judges otherwise"
    empty = judge.judge(Page(Url("http://empty.example/")))
    assert not empty.relevant, "an empty page is called relevant"
    assert len({each.relevance for each in first}) > 1, "all pages are judged alike"


def _checked(judgement: Judgement, page: Page) -> Judgement:
    assert 0.0 <= judgement.relevance <= 1.0, f"the relevance of {page.url} is {judgement.relevance}, not from 0 to 1"
    assert all(isinstance(each, Evidence) for each in judgement.evidence), f"{judgement.evidence!r} is no evidence"
    if judgement.relevant:
        assert judgement.evidence, f"{page.url} is called relevant, and nothing is said for it"
    return judgement


def _pages() -> Iterator[Page]:
    yield from list(iris.pages(iris.web()).values())[:60]
    for visit in odd_visits():
        if visit.page is not None:
            yield visit.page
