"""The pages of a harvest as rows, and as a table for pandas."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from thresher.disk.crawl_home import Place
from thresher.disk.found_rows import Row
from thresher.errors import BadInput
from thresher.install_hint import install_hint
from thresher.model import Evidence, Host, Url
from thresher.results.archive import Archive
from thresher.results.export.exporter import Choice
from thresher.results.plain_text import short_title
from thresher.store.labels import word_of
from thresher.store.rows import judgement_of

if TYPE_CHECKING:
    import pandas as pd


_TIME = "datetime64[ns, UTC]"
_KINDS: dict[Any, str] = {int: "int64", float: "float64", bool: "bool", datetime: _TIME, datetime | None: _TIME}
"""The kinds of columns, which pandas cannot see in a table without rows."""


@dataclass(frozen=True, slots=True)
class HarvestPage:
    """A page that was kept, as it is today: what the latest look at it saw."""

    number: int
    """Of its visit in the crawl."""
    url: Url
    title: str
    """Cut after 300 letters."""
    relevance: float
    """From 0 to 1, by the judge in force."""
    relevant: bool
    """By the judge."""
    label: str
    """What a person said of it: `relevant`, `not relevant`, or nothing."""
    evidence: tuple[Evidence, ...]
    """The reasons for its relevance."""
    judged_by: str
    language: str
    """As the page declares it; may be empty."""
    host: Host
    depth: int
    """Links from a seed."""
    parent: Url | None
    """The page that links to it; none for a seed."""
    anchor: str
    """The words of that link."""
    fetched: datetime
    """In UTC."""
    gone: datetime | None
    """When a later look found it gone."""
    status: int
    bytes: int
    copies: int
    """Other pages of the harvest that say the same."""
    text: str
    """Its main text, without menus, headers and footers. Empty if it was not asked for, or if its record is lost."""


def pages(folder: Place, choice: Choice, *, text: bool) -> Iterator[HarvestPage]:
    """The chosen pages of a crawl folder, in the order of their visits, read as they are asked for."""
    with Archive.open(folder) as archive:
        for row in choice.select(archive).rows():
            yield _page(archive, row, _text(archive, row) if text else "")


def _text(archive: Archive, row: Row) -> str:
    page = archive.visit_of(row).page
    return (page.main or page.text) if page is not None else ""


def _page(archive: Archive, row: Row, text: str) -> HarvestPage:
    judgement = judgement_of(row)
    return HarvestPage(
        number=row["number"],
        url=Url(row["url"]),
        title=short_title(row["title"] or ""),
        relevance=row["relevance"] or 0.0,
        relevant=bool(row["relevant"]),
        label=word_of(row["hand"]),
        evidence=judgement.evidence if judgement else (),
        judged_by=archive.judged_by(row),
        language=row["language"] or "",
        host=Host(row["host"]),
        depth=row["depth"],
        parent=row["parent"],
        anchor=row["anchor"] or "",
        fetched=datetime.fromtimestamp(row["sent"] or row["at"], UTC),
        gone=datetime.fromtimestamp(row["gone"], UTC) if row["gone"] else None,
        status=row["status"],
        bytes=row["bytes"],
        copies=row["cluster_size"] - 1,
        text=text,
    )


def table(folder: Place, choice: Choice, *, text: bool) -> "pd.DataFrame":
    """The chosen pages as a table, a row each; without the column `text` if that was not asked for."""
    try:
        import pandas as pd  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise BadInput(f"to_pandas needs pandas ({error}): {install_hint('pandas')}") from error
    names = [each.name for each in fields(HarvestPage) if text or each.name != "text"]
    rows = ({**asdict(page), "evidence": list(page.evidence)} for page in pages(folder, choice, text=text))
    made = pd.DataFrame.from_records(rows, columns=names)
    return made.astype({each.name: _KINDS[each.type] for each in fields(HarvestPage) if each.type in _KINDS})
