"""What does a strategy cost a page? Every installed one over the same pages of 63 links.

    pip install -e . && python benchmarks/strategy_speed.py

A page passes through learn, score, rerank and save, as in a crawl. CPU milliseconds: the median, the 95th percentile and the mean of the
pages after the first twenty, in the round of three whose mean is in the middle; the means of the other two; and the bytes of state kept a
page. Of those whose workers tell each other what they learn: the bytes of a lesson, and CPU milliseconds to tell it and to take it in.
Then PageRank and HITS on a frontier in SQLite that knows a hundred thousand urls, with what it costs to move them there.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from thresher import plugins
from thresher.disk.ledger import Ledger
from thresher.frontier import SqliteFrontier
from thresher.lab.webs.web_pages import WebPages
from thresher.model import Candidate, Host, Judgement, Link, Outcome, Page, Response, Url, Visit
from thresher.model import Claim as Lent
from thresher.one_learner import TeamStrategy, in_a_team
from thresher.testing import iris
from thresher.testing.strategy import visit

LINKS = 74
"""Of which 63 are different on an average page."""
WARM_UP = 20
LIMIT = 2.0
RANKED = {"pagerank", "hits"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--urls", type=int, default=100_000, help="known urls for PageRank and HITS")
    parser.add_argument("--smoke", action="store_true", help="a few pages, to see that it runs")
    options = parser.parse_args()
    web = iris.web(size=60 if options.smoke else options.pages, hosts=9, links=LINKS, words=600)
    visits, rounds = list(visits_of(web)), 1 if options.smoke else 3
    print(
        f"{len(visits)} pages, {statistics.mean(len(each.page.links) for each in visits):.0f} links each; CPU ms a page"
    )
    print(f"{'strategy':26}{'median':>8}{'95 %':>8}{'mean':>8}{'spread':>12}{'bytes':>9}")
    medians = {name: measured(name, visits, web, rounds) for name in plugins.names("strategy")}
    slow = [name for name, median in medians.items() if median > LIMIT and name not in RANKED]
    print(f"over {LIMIT:g} ms in the median: {', '.join(slow) or 'none'}")
    print(f"{'what workers tell':26}{'bytes':>8}{'to tell':>9}{'to take in':>12}")
    for name in medians:
        told(name, visits, web)
    asyncio.run(at_scale(5_000 if options.smoke else options.urls))


def visits_of(web):
    for number, url in enumerate(iris.pages(web), 1):
        response = WebPages(web).read(url)
        yield visit(number, response)


def measured(name, visits, web, rounds) -> float:
    found = sorted((one_round(name, visits, web) for _ in range(rounds)), key=lambda each: statistics.mean(each[0]))
    means = [statistics.mean(times) for times, _ in found]
    times, kept = found[len(found) // 2]
    high = sorted(times)[int(0.95 * len(times))]
    median = statistics.median(times)
    spread = f"{means[0]:.2f}–{means[-1]:.2f}"
    print(f"{name:26}{median:8.2f}{high:8.2f}{means[len(means) // 2]:8.2f}{spread:>12}{kept / len(visits):9.0f}")
    return median


def one_round(name, visits, web) -> tuple[list[float], int]:
    """What each page took after the first few, and the bytes that were kept."""
    strategy = plugins.build("strategy", name, {}, **iris.needs(web))
    times, kept = [], 0
    for each in visits:
        start = time.process_time()
        strategy.learn(each)
        strategy.score(each, each.page.links)
        list(strategy.rerank())
        parts = strategy.save()
        times.append(1000 * (time.process_time() - start))
        kept += sum(map(len, parts.values()))
    return times[WARM_UP:], kept


def told(name, visits, web) -> None:
    teller, hearer = (plugins.build("strategy", name, {}, **iris.needs(web)) for _ in range(2))
    if teller.sharing == "nothing":
        return
    if teller.sharing == "one learner":
        teller, learner = in_a_team(teller), hearer
        hearer = TeamStrategy(learner)
        hearer.elect(learner, 0)
    lessons, telling = [], 0.0
    for each in visits:
        teller.learn(each)
        teller.score(each, each.page.links)
        list(teller.rerank())
        start = time.process_time()
        lessons.append(teller.lesson())
        telling += time.process_time() - start
        teller.save()
    start = time.process_time()
    for lesson in filter(None, lessons):
        list(hearer.take_in([lesson]))
        hearer.save()
    hearing = time.process_time() - start
    size = sum(map(len, lessons)) / len(visits)
    print(f"{name:26}{size:8,.0f}{1000 * telling / len(visits):9.2f}{1000 * hearing / len(visits):12.2f}")


# ── a hundred thousand known urls ──


async def at_scale(known: int) -> None:
    print(f"{known:,} known urls, of which a tenth is visited; CPU ms a page, over 50 pages")
    for name in sorted(RANKED):
        strategy = plugins.find("strategy", name)()
        with tempfile.TemporaryDirectory() as folder:
            ledger = Ledger(Path(folder) / "crawl.sqlite")
            frontier = SqliteFrontier(ledger, delay=0.0)
            grow(strategy, known, known // 10)
            await frontier.add(Candidate(url_of(number), 0.0) for number in range(known))
            await settled(frontier, known // 10)
            await turns(name, strategy, frontier, known)
            ledger.close()


async def turns(name, strategy, frontier, known) -> None:
    thinking = moving = moved = 0.0
    for turn in range(50):
        page = page_of(known // 10 + turn, known)
        (claim,) = await frontier.claim(1, 0.0)
        start = time.process_time()
        strategy.learn(page)
        strategy.score(page, page.page.links)
        pairs = list(strategy.rerank())
        strategy.save()
        middle = time.process_time()
        await frontier.settle(claim, Outcome("page"), [], 0.0, pairs)
        moving += time.process_time() - middle
        thinking += middle - start
        moved += len(pairs)
    print(f"{name:26}{1000 * thinking / 50:8.1f} to rank{1000 * moving / 50:8.1f} to move {moved / 50:,.0f} urls")


def grow(strategy, known: int, visited: int) -> None:
    for number in range(visited):
        page = page_of(number, known)
        strategy.learn(page)
        strategy.score(page, page.page.links)
        strategy._due = False  # noqa: SLF001 - growing is not what is measured
        strategy.save()


async def settled(frontier, count: int) -> None:
    for _ in range(count):
        (claim,) = await frontier.claim(1, 0.0)
        await frontier.settle(claim, Outcome("page"), [], 0.0)


def page_of(number: int, known: int) -> Visit:
    """A page with sixty links, half of them to a few favourites."""
    url = url_of(number)
    near = [(number * 31 + place * place) % (known // 20) for place in range(LINKS // 2)]
    far = [(number * 7919 + place * 104_729) % known for place in range(LINKS // 2)]
    links = tuple(Link(url, url_of(target), "", 0, 0) for target in near + far)
    claim = Lent(Candidate(url, 0.0), Host("bench.example"), number, 1e12)
    relevance = number % 97 / 97
    page = Page(url, links=links)
    fetched = Response(url, 200, (), b"", b"")
    return Visit(claim, number + 1, 0.0, fetched, Outcome("page"), page, Judgement(relevance, relevant=True))


def url_of(number: int) -> Url:
    return Url(f"http://bench.example/section-{number % 100}/page-{number}.html")


if __name__ == "__main__":
    main()
