"""Where a crawl is worked on: its tables, its store, its inbox, and what makes its frontier, for a folder and for a database alike."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from thresher import plugins
from thresher.disk.crawl_home import Home
from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger import Ledger
from thresher.disk.tables import Tables
from thresher.frontier import SqliteFrontier
from thresher.model import LabelledPage
from thresher.orders.inbox import inbox_path
from thresher.orders.inbox_reader import Inbox, InboxReader
from thresher.parse.html import HtmlParser
from thresher.ports import Frontier
from thresher.settings import Settings
from thresher.store.catalogue import Catalogue, VisitKeeper
from thresher.store.labels import HandLabel, answer_of_label, labelled
from thresher.warc.record_files import record_files


@dataclass(frozen=True)
class Workplace:
    """One crawl, opened to be worked on. Nobody else works on a folder meanwhile; on a database others may."""

    home: Home
    tables: Tables
    store: VisitKeeper
    inbox: Inbox
    make_frontier: Callable[..., Frontier]
    """Called with what the strategy and the manners of the crawl want of it."""

    def labels(self) -> list[LabelledPage]:
        """The pages that a person has judged so far, as they were then."""
        parser, read = HtmlParser(), self.tables.read
        said = labelled(read, lambda: record_files(self.home, read))
        return [LabelledPage(parser.parse(answer), relevant) for answer, relevant in said]

    def labelled_page(self, label: HandLabel) -> LabelledPage | None:
        """The page of a label, as it was then; None if it cannot be read any more."""
        read = self.tables.read
        answer = answer_of_label(read, record_files(self.home, read), label)
        return None if answer is None else LabelledPage(HtmlParser().parse(answer), bool(label.relevant))


@contextmanager
def workplace(home: Home, settings: Settings, *, keeps: bool = True) -> Iterator[Workplace]:
    """Open a crawl to work on it; who only carries out orders keeps no pages. What was kept is complete when this ends."""
    if not isinstance(home, CrawlFolder):
        from thresher.orders.shared_workplace import shared_workplace  # noqa: PLC0415 - psycopg is an extra

        with shared_workplace(home, settings, keeps=keeps) as opened:
            yield opened
        return
    with ExitStack() as stack:
        stack.enter_context(home)
        stack.enter_context(home.blaming_damage())
        ledger = Ledger(home.database)
        stack.callback(ledger.close)
        store = plugins.construct(Catalogue, settings.store, "[store]", ledger=ledger, warc_folder=home.warc)
        stack.callback(store.close)

        def frontier(**wanted: Any) -> SqliteFrontier:
            made: SqliteFrontier = plugins.construct(
                SqliteFrontier, settings.frontier, "[frontier]", ledger=ledger, **wanted
            )
            return made

        yield Workplace(home, ledger, store, InboxReader(inbox_path(home)), frontier)
