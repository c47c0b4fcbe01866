"""What a crawl has found, for Python: read-only but for labels, while the crawl runs or when it is over."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from thresher.chart import write_picture
from thresher.disk.crawl_home import Place, home_of, place_of
from thresher.errors import BadInput, ThresherError
from thresher.orders.state import CrawlState, crawl_state
from thresher.python.crawl_thread import let_end
from thresher.python.page_rows import HarvestPage, pages, table
from thresher.results.archive import Archive, settings_of
from thresher.results.export.exporter import Choice, export
from thresher.results.export.summary import ExportSummary
from thresher.results.label.by_url import Labels
from thresher.results.plain_text import day, short_line, shorten
from thresher.results.report.report_file import write_report
from thresher.results.search.answers import SearchAnswer, search
from thresher.results.show import BestNow, CrawlFigures, best, crawl_figures, harvest_picture
from thresher.results.steer import Told, told
from thresher.results.why.explanation import Why, why
from thresher.store.totals import Counts, counts

if TYPE_CHECKING:
    import pandas as pd

_BEST = 10
_LONGEST = 80
_RIGHT = 'style="text-align: right"'
_LEFT = 'style="text-align: left"'
Moment = date | str | float | None
"""A time: a datetime or a date, a text such as `2026-01-31`, or seconds since 1970. Without a time zone it is UTC."""


def open(folder: str | Place) -> "Harvest":  # noqa: A001 - it is called thresher.open
    """What a crawl has found, in a folder or at an address such as `postgresql://me@db/crawls?schema=iris`.

    It may be running: each question sees what was kept by then.
    """
    place = place_of(folder) if isinstance(folder, str) else folder
    settings_of(home_of(place))  # a folder that holds no crawl is told now
    return Harvest(place)


class HarvestCurve(NamedTuple):
    """The harvest rate over the pages fetched, as a picture; a notebook shows it."""

    svg: str

    def save(self, path: str | Path) -> None:
        """Write it to a file, `.svg` or `.png` (which needs the extra `png`)."""
        write_picture(self.svg, Path(path))

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<the harvest curve, {len(self.svg):,} bytes of SVG: save('curve.svg') writes it>"


class Harvest:
    """What a crawl has found. Nothing is kept open between two questions."""

    def __init__(self, folder: Place) -> None:
        self.folder = folder

    @property
    def labels(self) -> Labels:
        """What you say of pages, by their urls: `harvest.labels[url] = True`; `del harvest.labels[url]` takes it back."""
        let_end(self.folder)
        return Labels(self.folder)

    @property
    def state(self) -> CrawlState:
        """Whether the crawl is running, paused or stopped, why, and since when it is paused."""
        return crawl_state(home_of(self.folder))

    def tell(self, *order: str | float) -> Told:
        """Give the crawl an order, as `thresher tell` does: `tell("pause")`, `tell("pages", "+500")`, `tell("label", url, "yes")`.

        A crawl that runs carries it out between two pages; one that has stopped remembers it. An order that is refused raises BadInput.
        """
        return told(home_of(self.folder), order)

    def pages(
        self,
        *,
        relevant: bool = False,
        min_relevance: float = 0.0,
        since: Moment = None,
        duplicates: bool = False,
        text: bool = True,
    ) -> Iterator[HarvestPage]:
        """The pages, in the order of their visits, read one by one as they are asked for.

        Args:
            relevant: only those that are relevant: by your label if there is one, else by the judge.
            min_relevance: only those with at least this relevance.
            since: only those fetched from then on.
            duplicates: all pages that say the same, instead of one of them.
            text: whether their texts are read, which takes most of the time.
        """
        return pages(self.folder, Choice(relevant, min_relevance, _moment(since), duplicates), text=text)

    def to_pandas(
        self,
        *,
        relevant: bool = False,
        min_relevance: float = 0.0,
        since: Moment = None,
        duplicates: bool = False,
        text: bool = True,
    ) -> "pd.DataFrame":
        """The same pages as a table of pandas, a row each; without the column `text` if `text` is false."""
        return table(self.folder, Choice(relevant, min_relevance, _moment(since), duplicates), text=text)

    def search(self, words: str, *, limit: int = 10, relevant: bool = False, expand: bool = True) -> SearchAnswer:
        """Full text over all pages, the best first, with synonyms of the topic's words unless `expand` is false."""
        with Archive.open(self.folder) as archive:
            return search(archive, words, limit=limit, relevant=relevant, expand=expand)

    def why(self, url: str) -> Why:
        """What became of a url: the way to it link by link, the reasons, and where it waits if it was not fetched."""
        with Archive.open(self.folder) as archive:
            return why(archive, url)

    def export(  # noqa: PLR0913 - the options of `thresher export`
        self,
        to: str,
        out: str | Path | None = None,
        *,
        relevant: bool = False,
        min_relevance: float = 0.0,
        since: Moment = None,
        duplicates: bool = False,
        respect_tdm: bool = False,
        force: bool = False,
    ) -> ExportSummary:
        """Write the pages as `jsonl`, `csv`, `parquet`, `markdown`, `warc` or `wacz`, with a data card.

        With `respect_tdm`, pages that reserve text and data mining are left out. It replaces an earlier export by `force`.
        """
        choice = Choice(relevant, min_relevance, _moment(since), duplicates, respect_tdm)
        return export(self.folder, to, choice, Path(out) if out is not None else None, force=force)

    def report(self, path: str | Path | None = None, *, force: bool = False) -> Path:
        """Write a report, one page of HTML that needs nothing else; returns where it is. It replaces an earlier report by `force`."""
        return write_report(self.folder, Path(path) if path is not None else None, force=force)

    def curve(self) -> HarvestCurve:
        """The harvest rate over the pages fetched, as a picture."""
        with Archive.open(self.folder) as archive:
            return HarvestCurve(harvest_picture(archive))

    def figures(self) -> CrawlFigures:
        """All that `thresher show` says. It may take seconds: an ontology may have to be read."""
        with Archive.open(self.folder) as archive:
            return crawl_figures(archive)

    @property
    def counts(self) -> Counts:
        """How much was fetched and found: `fetched`, `pages`, `relevant`, `harvest`, `hosts`, `bytes` …"""
        with Archive.open(self.folder) as archive:
            return counts(archive.read)

    def __repr__(self) -> str:
        try:
            with Archive.open(self.folder) as archive:
                found, topic, (_, message) = counts(archive.read), archive.settings.topic, archive.stopped()
        except ThresherError as error:
            return f"<Harvest of {str(self.folder)!r}: {error}>"
        return (
            f"<Harvest of {topic!r} in {str(self.folder)!r}: {found.fetched:,} fetched, {found.relevant:,} relevant"
            f" ({found.harvest:.1%}) on {found.hosts:,} hosts; {message}>"
        )

    def _repr_html_(self) -> str:
        try:
            with Archive.open(self.folder) as archive:
                return _summary_html(repr(self), best(archive, _BEST))
        except ThresherError:
            return _summary_html(repr(self), [])


def _moment(since: Moment) -> float | None:
    if since is None or isinstance(since, int | float):
        return since
    try:
        at = datetime.fromisoformat(since) if isinstance(since, str) else since
        at = at if isinstance(at, datetime) else datetime.combine(at, time())
    except (ValueError, TypeError):
        raise BadInput(f"since is {since!r:.100}, but must be a date such as 2026-01-31 or 2026-01-31T12:00") from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


# ── what a notebook shows; whatever strangers wrote is escaped ──


def _summary_html(sentence: str, best: Sequence[BestNow]) -> str:
    """The sentence, and below it the best pages."""
    told = f"<p>{escape(sentence.strip('<>'))}</p>"
    if not best:
        return told
    head = f"<tr><th {_RIGHT}>relevance</th><th {_LEFT}>page</th><th {_LEFT}>since</th></tr>"
    return f"{told}<table><thead>{head}</thead><tbody>{''.join(map(_row, best))}</tbody></table>"


def _row(best: BestNow) -> str:
    title = short_line(best.page.title, _LONGEST) or shorten(best.page.url, _LONGEST)
    since = (
        f"gone since {day(best.gone)}" if best.gone else f"changed, now {best.relevance:.2f}" if best.changed else ""
    )
    cells = f"<td {_LEFT}>{_link(best.page.url, title)}</td><td {_LEFT}>{escape(since)}</td>"
    return f"<tr><td {_RIGHT}>{best.page.relevance:.2f}</td>{cells}</tr>"


def _link(url: str, title: str) -> str:
    # Only what a browser fetches: a catalogue that somebody sent could hold other addresses.
    if urlsplit(url).scheme not in {"http", "https"}:
        return escape(title)
    return f'<a href="{escape(url)}" rel="noreferrer noopener" target="_blank">{escape(title)}</a>'
