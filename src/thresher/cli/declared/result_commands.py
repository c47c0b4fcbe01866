"""The commands that look at a crawl, or work on what it kept: what they take."""

from pathlib import Path

import click

from thresher.cli import completion
from thresher.cli.declared import shared_options as shared
from thresher.cli.declared.command_types import CrawlPlace, NamedChoice, Number, described


@described("show", renamed={"--targets": "--known"})
@shared.FOLDER
@shared.option(
    "--tree", is_flag=True, help="Show instead the links that led from the seeds to the best relevant pages."
)
@shared.PLOT
@shared.option(
    "--known",
    "targets",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Urls of pages that you know and the crawl should find, one on each line: says how many of them it reached.",
)
@shared.JSON
def show() -> None:
    """Show what a crawl has found: pages, harvest and its curve, hosts, the topic's words, errors, and why it stopped.

    You can use it while the crawl runs.

    \b
    thresher show iris-eye
    thresher show iris-eye --tree
    thresher show iris-eye --plot harvest.svg
    thresher show iris-eye --json | jq .harvest
    """


# An unwanted word begins with a minus, as options do; click would read `-h` inside an unwanted word that has an h.
@described("search", context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]})
@shared.FOLDER
@click.argument("words", nargs=-1, required=True)
@shared.limit_option(default=10)
@shared.RELEVANT
@shared.option(
    "--expand/--no-expand", default=True, help="Also look for synonyms of the topic's words (default), or not."
)
@shared.JSON
def search() -> None:
    """Search the pages that a crawl has kept: pages with all words, the best first, with the matching words marked.

    Pages are ranked by BM25 and by their relevance; duplicates are shown once. A word of the topic also finds its synonyms, which count
    half. You can search while the crawl runs: new pages are indexed first.

    \b
    thresher search iris-eye anterior chamber         pages with both words
    thresher search iris-eye '"anterior chamber"'     as a phrase
    thresher search iris-eye iris -flower 'pupil*'    not flower; pupil, pupils …
    thresher search iris-eye iris --relevant --json | jq -r '.found[].url'
    """


@described("why")
@shared.FOLDER
@click.argument("url")
@shared.JSON
def why() -> None:
    """Show why a url was fetched, or was not: the path from the seed, with the reasons at each step.

    Each page on the path is shown with its judgement and the evidence for it, each link with its anchor, its priority and the parts of the
    priority. If the url was not fetched, you see where it waits and what for, who refused it, or that no page links to it.

    \b
    thresher why iris-eye https://en.wikipedia.org/wiki/Uvea
    thresher why iris-eye https://example.org/uvea --json | jq '.way[].priority'
    """


@described("tell")
@shared.FOLDER
@click.argument("words", nargs=-1, metavar="ORDER…")
@shared.JSON
def tell() -> None:
    """Steer a crawl while it runs: pause it, give it more budget, leave a host out, put a url first, label a page.

    The crawl carries the order out between two pages, once, and says in a sentence what came of it. A crawl that does not run
    remembers it: a pause, more budget, a host that is left out hold when it goes on.

    \b
    thresher tell iris-eye pause
    thresher tell iris-eye go-on
    thresher tell iris-eye stop
    thresher tell iris-eye pages +500        also relevant, bytes, minutes
    thresher tell iris-eye leave example.org
    thresher tell iris-eye first https://example.org/uvea
    thresher tell iris-eye label https://example.org/uvea yes      or no, skip
    thresher tell iris-eye take-back https://example.org/uvea
    """


@described("label", renamed={"--count": "--limit"})
@shared.FOLDER
@shared.limit_option("count", default=20)
@shared.option("--url", metavar="URL", help="Ask about this page, even if it was labelled before.")
@shared.JSON
def label() -> None:
    """Judge pages by hand, those near the threshold first, with one key each. `thresher crawl DIR` then uses your labels.

    y relevant, n not relevant, s skip; u takes back your last answer, and with each further u one more; m shows more of the page's text; o
    opens the page in your browser; q quits. What the judge said of a page is shown when you have answered. Without a terminal, lines with
    these letters are read from standard input. Each answer is kept at once, and you are not asked about a page twice. From the first label
    on, your labels can move the threshold. With 20 labels or more, at least 5 of each kind, they also teach a classifier. With --json
    nobody is asked: it lists the labels and their figures.

    \b
    thresher label iris-eye
    thresher label iris-eye --url https://en.wikipedia.org/wiki/Iris_recognition
    thresher label iris-eye --json | jq '.labels[] | select(.relevant) | .url'
    """


@described("rejudge")
@shared.FOLDER
@shared.part_option("judge", "the crawl's own, with all labels that you have given by now")
@shared.THRESHOLD
@shared.option(
    "--learn",
    is_flag=True,
    help="Put the pages in the order of a classifier that learns from the crawl's best pages and from your labels.",
)
@shared.option("--yes", is_flag=True, help="Do it without asking.")
@shared.JSON
def rejudge() -> None:
    """Judge all pages that a crawl has kept anew, show what would change, and do it if you say yes.

    Pages are read from the crawl's own files; no server is asked. Your labels come first. The earlier judgements are kept, and
    `thresher why` names them. The crawl can be continued afterwards: it goes on with its own judge. With --json
    nothing is changed unless you say --yes. You can kill it at any time; the same command continues.

    \b
    thresher rejudge iris-eye                the same judge, with your labels
    thresher rejudge iris-eye --threshold 0.7
    thresher rejudge iris-eye --judge meaning --learn
    thresher rejudge iris-eye --learn --yes --json | jq .becoming
    """


@described("advise")
@shared.FOLDER
@shared.part_option("strategy", "apprentice and four that it is compared with", several="strategies")
@shared.part_option("judge", "terms", several="judges")
@shared.JSON
def advise() -> None:
    """Crawl a finished crawl again from its own recording, and say which strategy would have found what earlier.

    No server is asked. What counts is what you labelled (`thresher label`), and what the crawl's judge called relevant where you did not.
    Judges are tried on the labelled pages.

    \b
    thresher advise iris-eye
    thresher advise iris-eye --strategy shark-search --strategy lin
    thresher advise iris-eye --strategy lokman:profile=robust --judge concepts
    """


@described("export")
@shared.FOLDER
@shared.option(
    "--to",
    required=True,
    type=NamedChoice(["jsonl", "csv", "parquet", "warc", "wacz", "markdown"]),
    help="What to write.",
)
@shared.RELEVANT
@shared.option("--min-relevance", type=Number(), default=0.0, help="Only pages with at least this relevance, 0 to 1.")
@shared.option(
    "--since", metavar="DATE", help="Only pages fetched at this time or later, in UTC: 2026-01-31 or 2026-01-31T12:00."
)
@shared.option("--duplicates", is_flag=True, help="Export all copies of pages with the same text, not only one.")
@shared.respect_tdm_option()
@shared.into_option(told="DIR-FORMAT in the current folder")
@shared.out_option()
@shared.option("--spreadsheet", is_flag=True, help="With csv: nothing that a page says is taken for a formula.")
@shared.FORCE
@shared.jobs_option(told="one for each core")
@shared.JSON
def export() -> None:
    """Export pages: their texts with all that the crawl knows about them, or the pages themselves, and a data card.

    jsonl, csv and parquet are tables with one row for each page; markdown is a folder with one file for each page; warc has the pages as
    they were received, and wacz the same for ReplayWeb.page. If several pages have the same text, one of them is exported. You can export
    while the crawl runs. The export is a folder with the pages and a data card; with --out it is a file, with its card beside it.

    \b
    thresher export iris-eye --to parquet --relevant
    thresher export iris-eye --to jsonl --since 2026-01-31 --out iris.jsonl
    thresher export iris-eye --to markdown --into notes
    """


@described("report")
@shared.FOLDER
@shared.out_option(told="DIR-report.html in the current folder")
@shared.FORCE
def report() -> None:
    """Write a report of a crawl: one page of HTML to read, to print, or to send to a colleague.

    It has the figures and what they mean, the harvest curve, the best pages with reasons, how pages were found, hosts, trouble, what still
    waits, the topic, the method, and rights. The file needs nothing else: no server, no script, no network. You can make one while the
    crawl runs.

    \b
    thresher report iris-eye -o iris.html
    thresher report iris-eye                 into iris-eye-report.html
    thresher report iris-eye -o iris.html --force
    """


@described("compare")
@click.argument("first", type=CrawlPlace(), metavar="DIR", shell_complete=completion.folders)
@click.argument("second", type=CrawlPlace(), metavar="OTHER-DIR", shell_complete=completion.folders)
@shared.PLOT
@shared.out_option(told="print")
@shared.FORCE
@shared.JSON
def compare() -> None:
    """Compare two crawls: their figures, what both found, what only one of them found, their curves and hosts.

    Pages are the same if they have the same url, the same bytes, or the same text. With -o FILE.html the comparison is a page of
    HTML, as `thresher report` writes one. You can compare crawls while they run.

    \b
    thresher compare iris-eye iris-eye-2
    thresher compare thresher-demo/apprentice thresher-demo/breadth-first
    thresher compare iris-eye iris-eye-2 --plot both.svg
    thresher compare iris-eye iris-eye-2 --json | jq .same
    """


@described("revisit", renamed={"--force": "--now"})
@shared.FOLDER
@shared.limit_option()
@shared.option(
    "--older-than",
    type=Number(min=0),
    metavar="DAYS",
    help="Look at pages last seen at least this many days ago, whatever their own intervals.",
)
@shared.option("--all", "every", is_flag=True, help="Look at all pages, not only the relevant ones.")
@shared.option(
    "--now",
    is_flag=True,
    help="Look at pages even if they are not due, also at pages that are gone or no longer relevant.",
)
@shared.option(
    "--very-often",
    type=Number(),
    default=1.0,
    show_default=True,
    metavar="DAYS",
    help="Days between checks of a page that changes very often.",
)
@shared.option(
    "--often",
    type=Number(),
    default=7.0,
    show_default=True,
    metavar="DAYS",
    help="Days between checks of an ordinary page.",
)
@shared.option(
    "--seldom",
    type=Number(),
    default=30.0,
    show_default=True,
    metavar="DAYS",
    help="Days between checks of a page that seldom changes.",
)
@shared.option("--dry-run", is_flag=True, help="Fetch nothing: list the pages that are due.")
@shared.LOG
@shared.QUIET
@shared.JSON
def revisit() -> None:
    """Look at kept pages again, and keep what has changed.

    A page is due when its interval has passed; the interval depends on how often the page has changed. The most overdue come first.
    Pages are requested as politely as in a crawl, and servers are asked to send them only if they have changed (ETag, Last-Modified).
    Changed pages are judged again, pages that are gone are marked, and new links wait for `thresher crawl DIR`. Nothing is overwritten.
    You can kill it at any time.

    \b
    thresher revisit iris-eye
    thresher revisit iris-eye --dry-run      which are due, how often they change
    thresher revisit iris-eye --older-than 3 --limit 100
    thresher revisit iris-eye --now --json | jq .found
    """


@described("view")
@click.argument("folders", nargs=-1, type=CrawlPlace(), metavar="[DIR]…", shell_complete=completion.folders)
@shared.PORT
@shared.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen on. Other machines can look in by another than this one; then --token is needed.",
)
@shared.option(
    "--token", metavar="TOKEN", help="What the address must have in it, at least 16 letters; without it, a random one."
)
@shared.option("--open/--no-open", "show", default=False, help="Open it in your browser at once.")
def view() -> None:
    """Watch crawls, steer them and read what they found, in a browser on this machine.

    DIR is the folder of a crawl that runs or has stopped, of results of the lab, or a folder with several of them; this folder without DIR.
    It may also be the address of a crawl in PostgreSQL. The address that is printed has a token in it, and opens the window; nobody can
    look in without. No request leaves this machine but to that PostgreSQL.

    \b
    thresher view iris-eye
    thresher view 'postgresql://me@db/crawls?schema=iris' iris-eye
    thresher view --open
    thresher view iris-eye mercury lab-results --port 8080
    """
