"""Every installed judge keeps the promises of the port, and says the same in a hand as in the process of the crawl."""

import pytest
from tests.contract import judging_hand

from thresher import plugins
from thresher.hands import HandOptions, Setup, Team
from thresher.language.extras import extra
from thresher.parse.html import HtmlParser
from thresher.testing.strategy import check_judge

NAMES = plugins.names("judge")


def skip_what_is_not_installed(name):
    if name == "meaning" and extra("wordllama") is None:
        pytest.skip("needs pip install 'thresher[meaning]'")


@pytest.mark.parametrize("name", NAMES)
def test_it_keeps_the_promises_of_a_judge(name):
    skip_what_is_not_installed(name)
    check_judge(lambda: judging_hand.judge(name))


@pytest.mark.parametrize("name", NAMES)
async def test_a_hand_reads_and_judges_each_page_as_it_is_read_and_judged_here(name):
    skip_what_is_not_installed(name)
    parser, judge = HtmlParser(), judging_hand.judge(name)
    lost = []
    team = Team(
        Setup("tests.contract.judging_hand:parts", name),
        HandOptions(count=1),
        lambda *why: lost.append(why),
        lambda: pytest.fail("a page is read here that a hand has read"),
    )
    await team.open()
    try:
        for url, answer in judging_hand.answers().items():
            given = await team.fetch(url)
            page = team.parse(given)
            assert (given, page) == (answer, parser.parse(answer))
            assert team.judge(page) == judge.judge(page)
    finally:
        await team.close()
    assert lost == []
