"""The report of a crawl as a file, which appears complete or not at all, and never replaces a file that is no earlier report."""

import os
from importlib.metadata import version
from pathlib import Path

from thresher.disk.atomic_file import write_whole
from thresher.disk.crawl_home import Place
from thresher.errors import BadInput
from thresher.results.archive import Archive
from thresher.results.export.destination import crawl_of
from thresher.results.plain_text import day
from thresher.results.report.host_map import found_map
from thresher.results.report.html_pieces import Html, element, framed_page, joined, strange, stylesheet
from thresher.results.report.method import method, rights
from thresher.results.report.report_facts import ReportFacts, report_facts
from thresher.results.report.sections import best_pages, harvest, headline, hosts, still_waiting, topic, trouble

MARK = "Thresher report"
"""By this an earlier report is recognised."""
_BEGINNING = 2_000
"""Bytes in which the mark stands."""
_NAV = {
    "harvest": "Harvest",
    "best": "Best pages",
    "map": "How they were found",
    "hosts": "Hosts",
    "trouble": "Trouble",
    "waiting": "Still waiting",
    "topic": "The topic",
    "method": "Method",
    "rights": "Rights",
}


def write_report(folder: Place, out: Path | None = None, *, force: bool = False) -> Path:
    """Write the report of a crawl; returns where it is. Without a place it is named after the folder, in the current one."""
    with Archive.open(folder) as archive:
        place = out or Path(f"{archive.folder.name}-report.html")
        check_place(place, force=force)
        page = report_page(report_facts(archive))
    write_page(place, page, force=force)
    return place


def report_page(facts: ReportFacts) -> str:
    """The report as HTML."""
    name = facts.settings.topic
    links = "".join(f'<li><a href="#{anchor}">{words}</a></li>' for anchor, words in _NAV.items())
    made = (
        f"A focused crawl{_when(facts)}. This report was made on {day(facts.made)} by Thresher {version('thresher')}."
    )
    head = joined(
        element("p", "Crawl report", kind="kicker"), element("h1", strange(name, 120)), element("p", made, kind="quiet")
    )
    parts = (harvest, best_pages, _map, hosts, trouble, still_waiting, topic, method, rights)
    body = (
        f"<header>\n{head}\n</header>\n<main>\n{headline(facts)}"
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n' + "\n".join(part(facts) for part in parts) + "\n</main>"
    )
    return framed_page(f"{name} – crawl report", stylesheet(), body, MARK)


def _map(facts: ReportFacts) -> Html:
    return found_map(facts.tree)


def _when(facts: ReportFacts) -> str:
    if facts.span is None:
        return ""
    first, last = map(day, facts.span)
    return f", {first}" if first == last else f", {first} to {last}"


def check_place(place: Path, *, force: bool) -> None:
    """Refuse a place that holds anything but an earlier report, and that too unless it may be replaced."""
    whole = Path(os.path.abspath(place))  # noqa: PTH100 - resolve would follow a link and replace what it points to
    if (crawl := crawl_of(whole)) is not None:
        raise BadInput(f"{place} belongs to the crawl {crawl.name}, which needs it: choose another place with --out")
    if not os.path.lexists(whole):
        return
    if not whole.is_file() or whole.is_symlink() or not _is_report(whole):
        raise BadInput(f"{place} is there already and is no earlier report: choose another place with --out")
    if not force:
        raise BadInput(f"{place} is there already: choose another place with --out, or replace it with --force")


def _is_report(path: Path) -> bool:
    with path.open("rb") as file:
        return f'content="{MARK}"'.encode() in file.read(_BEGINNING)


def write_page(place: Path, page: str, *, force: bool) -> None:
    """Write a page that was made for a place."""
    try:
        place.absolute().parent.mkdir(parents=True, exist_ok=True)
        check_place(place, force=force)  # something may have been put there meanwhile
        write_whole(place, page)
    except OSError as error:
        raise BadInput(f"cannot write {place}: {error.strerror}") from error
