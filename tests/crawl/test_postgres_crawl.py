"""The loop itself over PostgreSQL: the same visits in the same order as over SQLite, politeness and all."""

import pytest

from thresher.budget import Budget
from thresher.clock import FakeClock
from thresher.crawl import CrawlLoop
from thresher.disk.ledger import Ledger
from thresher.frontier import SqliteFrontier
from thresher.judge.terms import TermsJudge
from thresher.lab.webs.generated import generate
from thresher.lab.webs.replay import Replay
from thresher.lab.webs.web_pages import WebPages
from thresher.parse.html import HtmlParser
from thresher.polite.scope import ScopeRules
from thresher.store.memory_store import MemoryStore
from thresher.strategy.apprentice import Apprentice
from thresher.strategy.pagerank import PageRank
from thresher.topic import Topic
from thresher.urls import canonical

TOPIC = Topic.of("iris eye")
PAGES = 150


async def visits(frontier, strategy):
    """The urls of a crawl in the order of their visits."""
    web, store = generate(size=800, hosts=40, seed=5), MemoryStore()
    crawl = CrawlLoop(
        frontier=frontier,
        fetcher=Replay(WebPages(web)),
        parser=HtmlParser(),
        scope=ScopeRules(depth=None),
        judge=TermsJudge(TOPIC),
        strategy=strategy,
        store=store,
        seeds=[canonical(web.url(number)) for number in (0, 200, 400)],
        budget=Budget(pages=PAGES, dry_share=0.0),
        clock=FakeClock(1.7e9),
        workers=1,  # with more it depends on the server's speed which page is kept first
    )
    await crawl.run()
    return [visit.url for visit in store.visits()]


@pytest.mark.parametrize("strategy", [lambda: Apprentice(TOPIC), PageRank], ids=["apprentice", "pagerank"])
async def test_a_crawl_over_postgresql_makes_the_visits_of_one_over_sqlite(postgres, schema, tmp_path, strategy):
    from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415 - psycopg is an extra
    from thresher.frontier.postgres import PostgresFrontier  # noqa: PLC0415

    ours, theirs = Ledger(tmp_path / "crawl.sqlite"), PostgresLedger(postgres.url(), schema=schema)
    merge = strategy().merge
    expected = await visits(SqliteFrontier(ours, merge=merge, delay=1.0), strategy())
    found = await visits(PostgresFrontier(theirs, turned=True, merge=merge, delay=1.0), strategy())
    ours.close()
    theirs.close()
    assert len(expected) == PAGES
    assert found == expected
