from tests.unit.strategy.walks import crawl_of

from thresher.model import Link, Url
from thresher.strategy.oracle_greedy import OracleGreedy
from thresher.testing.simulated_web import SimulatedWeb

HERE = Url("http://a.example/")


def url(path):
    return Url(f"http://a.example/{path}")


def link(path):
    return Link(HERE, url(path), "", 0, 0)


def page(text, *paths):
    return f"<p>{text}</p>" + "".join(f"<p><a href=/{path}>go</a></p>" for path in paths)


# a → b → c leads to the only relevant page; x and y lead nowhere.
WEB = {
    url(""): page("home", "x", "a"),
    url("x"): page("nothing", "y"),
    url("y"): page("nothing"),
    url("a"): page("nothing yet", "b"),
    url("b"): page("nearly there", "c"),
    url("c"): page("iris iris"),
}
DISTANCES = {url(""): 3, url("a"): 2, url("b"): 1, url("c"): 0}


def test_the_nearer_a_relevant_page_the_sooner():
    near, far, self = OracleGreedy({url("near"): 1, url("far"): 7, url("self"): 0}).score(
        None, [link("near"), link("far"), link("self")]
    )
    assert self > near > far


def test_what_the_labels_do_not_know_comes_last():
    far, unknown = OracleGreedy({url("far"): 9999}).score(None, [link("far"), link("unknown")])
    assert far > unknown


def test_it_says_what_the_labels_say():
    strategy = OracleGreedy({url("near"): 1})
    assert [each.amount for each in strategy.explain(None, link("near"))] == [-1.0]
    assert [each.what for each in strategy.explain(None, link("elsewhere"))] == ["unknown"]


async def test_it_goes_straight_to_the_relevant_page_through_pages_that_are_not():
    web = SimulatedWeb(WEB)
    crawl = crawl_of(web, OracleGreedy(DISTANCES), pages=4)
    await crawl.run()
    assert web.asked == [url(""), url("a"), url("b"), url("c")]
    assert crawl.tally.relevant == 1
