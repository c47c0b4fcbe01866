"""The data card beside an export: what it is, where it comes from, what may be wrong with it, and how to load it."""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from thresher import plugins
from thresher.results.export.destination import MARK
from thresher.results.export.formats import FRONT_MATTER, REASONS
from thresher.results.export.records import COLUMNS, OF_TEXT, Column
from thresher.results.export.summary import ARCHIVES, ExportSummary
from thresher.results.plain_text import day
from thresher.results.told_settings import knowledge_told, part_told, threshold_told
from thresher.settings import Manners, Settings

_HOSTS = 20
_LOAD = {
    "jsonl": (
        'pandas.read_json("{file}", lines=True)',
        "duckdb.sql(\"SELECT url, relevance FROM '{file}'\")",
        'datasets.load_dataset("json", data_files="{file}")',
    ),
    "csv": (
        'pandas.read_csv("{file}", keep_default_na=False)',
        "duckdb.sql(\"SELECT url, relevance FROM read_csv('{file}', max_line_size=50000000)\")",
        'datasets.load_dataset("csv", data_files="{file}", keep_default_na=False)',
    ),
    "parquet": (
        'pandas.read_parquet("{file}")',
        "duckdb.sql(\"SELECT url, relevance FROM '{file}'\")",
        'datasets.load_dataset("parquet", data_files="{file}")',
    ),
    "warc": (
        'warcio.archiveiterator.ArchiveIterator(open("{file}", "rb"))',
        'fastwarc.ArchiveIterator(open("{file}", "rb"))',
    ),
    "wacz": ("zipfile.ZipFile('{file}').namelist()  # or open it in ReplayWeb.page",),
    "markdown": ('{{path: path.read_text("utf-8") for path in pathlib.Path(".").glob("*/*.md")}}',),
}
_WHY = {
    "nothing": "trafilatura found no text",
    "error": "trafilatura failed",
    "large": "the page is too large for it",
    "plain": "the page is no HTML",
    "document": "it is a document",
    "slow": "trafilatura took too long",
    "crash": "trafilatura's process died",
}


def card(summary: ExportSummary, settings: Settings) -> str:
    """The card, in Markdown, with the front matter that the Hugging Face hub and `datasets` read."""
    parts = (_front(summary, settings), _what(summary, settings), _crawl(summary, settings), _pages(summary))
    return "\n\n".join((*parts, _rights(summary, settings), _columns(summary), _load(summary))) + "\n"


def _front(summary: ExportSummary, settings: Settings) -> str:
    lines = [f"pretty_name: {_quoted(settings.topic)}", "license: unknown"]
    if summary.form in {"jsonl", "csv", "parquet"}:
        lines += ["configs:", "- config_name: default", f"  data_files: {_quoted(summary.file)}"]
    return "\n".join(("---", *lines, "---", MARK))


def _what(summary: ExportSummary, settings: Settings) -> str:
    name = (
        f"`{summary.file}`"
        if summary.form != "markdown"
        else "one `.md` file for each page, in one folder for each host"
    )
    return (
        f"# {_line(settings.topic)}\n\n{summary.pages:,} web pages from {len(summary.hosts):,} hosts, gathered by a focused crawl for "
        f"**{_line(settings.topic)}** and exported on {day(summary.made)} by Thresher {version('thresher')}: {name}.\n\n"
        f"```sh\n{summary.command}\n```"
    )


def _crawl(summary: ExportSummary, settings: Settings) -> str:
    rows = (
        ("topic", settings.topic),
        *knowledge_told(settings),
        ("strategy", part_told(settings.strategy)),
        ("judge", part_told(settings.judge)),
        ("threshold of relevance", threshold_told(settings)),
        *_judged_anew(summary),
        ("labels by hand", _labels(summary)),
        *_taught(summary),
        ("seeds", f"{len(settings.seeds):,}, the first {settings.seeds[0]}" if settings.seeds else "none"),
        ("crawl", f"{summary.counts.fetched:,} urls fetched, {summary.counts.relevant:,} relevant pages"),
        ("chosen", summary.choice),
        ("fetched", f"{day(summary.first)} to {day(summary.last)}" if summary.pages else "nothing"),
    )
    return "## The crawl\n\n" + _table(("", ""), rows)


def _judged_anew(summary: ExportSummary) -> Iterator[tuple[str, str]]:
    if summary.judged is not None:
        what = "relevance is by this judge, except of pages that came later: see judged_by"
        yield "judged anew", f"on {day(summary.judged.done)} by {summary.judged}; {what}"


def _labels(summary: ExportSummary) -> str:
    relevant, others, _ = summary.labels
    if not relevant + others:
        return "none"
    pages = f"{relevant + others:,} page{'s' * (relevant + others != 1)}: {relevant:,} relevant, {others:,} not"
    return f"{pages}; {summary.labelled:,} of them in this export"


def _taught(summary: ExportSummary) -> Iterator[tuple[str, str]]:
    if summary.labels.relevant + summary.labels.others or summary.labels.taught:
        joined = ", and a classifier that they taught is averaged with the judge" if summary.labels.taught else ""
        yield (
            "what labels did",
            f"pages that came after them were judged with a threshold moved by them{joined}; those before keep their judgement",
        )


def _pages(summary: ExportSummary) -> str:
    lines = [
        f"Left out because they have the same bytes as another page, or nearly the same text: {summary.left_out:,}."
    ]
    if summary.keeps_duplicates:
        lines = ["Pages that repeat others were kept; those with the same `cluster` belong together."]
    lines += ["Near-duplicates are known among relevant pages only."]
    lines += [f"Left out because their records are lost: {summary.lost:,}."] if summary.lost else []
    lines += (
        [f"Left out because they reserve text and data mining: {summary.reserved_out:,}."]
        if summary.reserved_out
        else []
    )
    lines += list(_texts(summary))
    hosts = _table(("host", "pages"), ((host, f"{count:,}") for host, count in summary.hosts.most_common(_HOSTS)))
    more = f"\n\n… and {len(summary.hosts) - _HOSTS:,} more." if len(summary.hosts) > _HOSTS else ""
    return "## The pages\n\n" + " ".join(lines) + "\n\n" + hosts + more


def _texts(summary: ExportSummary) -> Iterator[str]:
    if summary.form in ARCHIVES:
        return
    others = ", ".join(f"{count:,} because {_WHY[why]}" for why, count in sorted(summary.why.items()) if why)
    yield f"The texts are trafilatura's, {summary.why['']:,} of them" + (
        f", or Thresher's own: {others}." if others else "."
    )


def _rights(summary: ExportSummary, settings: Settings) -> str:
    manners: Manners = plugins.construct(Manners, settings.polite, "[polite]")
    robots = (
        "robots.txt was asked before the first page of each site and once a day after that, and each page here was allowed to "
        f"`{manners.user_agent}` when it was fetched; {summary.forbidden:,} urls were not fetched because it forbids them. That is what "
        "the crawl's settings say as they stand now; the robots.txt files themselves are not kept."
        if manners.robots
        else "The crawl was told not to ask robots.txt."
    )
    return (
        f"## Rights and manners\n\n{summary.licensed:,} of the pages name a licence (`license`); of the others it is unknown: each "
        f"belongs to whoever wrote it, and being on the web allows nobody to publish it again. {robots} Pages that reserve text "
        f"and data mining (`noai`, `tdm-reservation`; see `reserved`): {summary.reserved:,}. Pages that "
        f"ask not to be listed by search engines (`noindex`): {summary.noindex:,}. Nothing "
        "was done to find or remove personal data."
    )


def _columns(summary: ExportSummary) -> str:
    rows = [(f"`{each.name}`", _TYPES[each.kind], each.what) for each in columns_of(summary.form)]
    where = {
        "warc": "Each page is a request, a response and a `metadata` record, whose block is a JSON object:",
        "wacz": "The WARC file in it has a request, a response and a `metadata` record for each page, whose block is a JSON object:",
        "markdown": "The front matter of each file has these, as far as they are known; the text follows it:",
        "csv": "Lists are JSON. Texts are as the page has them, even if they begin with `=`, unless the export was made with"
        " `--spreadsheet`: import them into a spreadsheet as text.",
    }
    return f"## Columns\n\n{where.get(summary.form, 'One row a page:')}\n\n" + _table(("name", "type", "what"), rows)


def columns_of(form: str) -> list[Column]:
    """The columns of a form: WARC and WACZ have the pages as they came, without the columns made from the text; Markdown has the few."""
    if form == "markdown":
        return [each for each in COLUMNS if each.name in FRONT_MATTER] + [REASONS]
    return [each for each in COLUMNS if form not in ARCHIVES or each.name not in OF_TEXT]


_TYPES = {
    "text": "text",
    "texts": "list of text",
    "float": "number",
    "integer": "integer",
    "truth": "true or false",
    "time": "time, UTC",
    "path": "list of {url, anchor}",
    "evidence": "list of {what, where, amount}",
}


def _load(summary: ExportSummary) -> str:
    calls = [call.format(file=summary.file) for call in _LOAD[summary.form]]
    return "## Load it\n\n```python\n" + "\n".join(calls) + "\n```"


def _table(heads: tuple[str, ...], rows: Any) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(_line(cell) for cell in row)} |" for row in lines)


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _quoted(text: str) -> str:
    return "'" + " ".join(text.split()).replace("'", "''") + "'"
