"""`thresher crawl`, `work`, `move` and `demo`: what they take."""

from pathlib import Path

import click

from thresher.cli import completion
from thresher.cli.declared import shared_options as shared
from thresher.cli.declared.command_types import CrawlPlace, described


@described("crawl", renamed={"--relevant": "--relevant-pages"})
@click.argument("source", nargs=-1, metavar="[WORD… | CRAWL.TOML | DIR]", shell_complete=completion.crawls)
@shared.option(
    "--topic",
    section=shared.WHAT,
    metavar="WORDS",
    help="What to look for: the same as WORD…, but never taken for a file or a folder.",
)
@shared.option(
    "--topics",
    "topic_list",
    section=shared.WHAT,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A file with one topic on each line; each is crawled in a folder of its own, one after the other.",
)
@shared.SENSE
@shared.ONTOLOGY
@shared.TERMS
@shared.option(
    "--like",
    section=shared.WHAT,
    multiple=True,
    metavar="URL-OR-FILE",
    help="A page such as you look for, for the judge meaning; give 5 to 20 of them.",
)
@shared.option(
    "--taxonomy",
    section=shared.WHAT,
    metavar="DIR",
    help="What thresher taxonomy learn made; or example pages, in one folder for each class.",
)
@shared.option(
    "--target",
    section=shared.WHAT,
    multiple=True,
    metavar="CLASS",
    help="A class of the taxonomy to look for, or a path above several. Without it: those marked in a learnt taxonomy.",
)
@shared.option("--rules", section=shared.WHAT, metavar="FILE", help="Interclass rules, a TOML file.")
@shared.option(
    "--language",
    section=shared.WHAT,
    multiple=True,
    metavar="CODE",
    help="Another language that pages may be in, such as hi.",
)
@shared.SEEDS
@shared.option(
    "--search",
    section=shared.START,
    is_flag=True,
    help="Also ask search engines for seeds; without seeds they are always asked.",
)
@shared.part_option("strategy", "apprentice; lin if one of several senses is meant", section=shared.CHOICE)
@shared.part_option(
    "judge",
    "terms; if a sense is known, concepts, together with sense if the word has several",
    section=shared.CHOICE,
)
@shared.THRESHOLD
@shared.SCOPE
@shared.BUDGET
@shared.RELEVANT_PAGES
@shared.WHEN_SPENT
@shared.MANNERS
@shared.COOKIES
@shared.respect_tdm_option(section=shared.POLITE)
@shared.into_option(told="named after the topic")
@shared.option(
    "--ledger",
    section=shared.RUN,
    metavar="URL",
    envvar=shared.LEDGER,
    help="Keep the crawl in PostgreSQL, where other machines join it with thresher work: postgresql://USER@HOST/DATABASE?schema=NAME.",
)
@shared.WARC
@shared.option(
    "--documents/--no-documents",
    section=shared.RUN,
    default=None,
    show_default="read where the extra documents is installed",
    help="Read PDF, DOCX, ODT, EPUB, RTF, Markdown and plain text too.",
)
@shared.RUNNING
def crawl() -> None:
    """Crawl for a topic. Run it again on the same folder to continue.

    A word is enough: you are asked which of its senses you mean, and search engines are asked where to start. A url belongs to the crawl
    if one of --domain, --host, --prefix and --include fits it, or if none of them is given; what is excluded stays out in any case.
    With --json each event is a line of JSON.

    Start with what is set: the strategy apprentice and the judge terms need nothing but words; if you choose one of several senses, lin,
    concepts and sense take their place. Take --strategy lokman:profile=robust --judge concepts if an ontology knows your topic well,
    --judge meaning if pages may say it in other words, --strategy breadth-first for all of a small site. thresher strategies lists all.

    \b
    thresher crawl iris --pages 500 --contact you@example.org
    thresher crawl iris --sense 2        the second of its senses, without asking
    thresher crawl iris eye --seed https://example.org/ --domain example.org
    thresher crawl crawl.toml
    thresher crawl iris-eye              continue the crawl in that folder
    thresher crawl --topics list.txt     several topics, one after the other
    thresher crawl iris --ledger postgresql://me@db/crawls
    """


@described("work")
@click.argument("ledger", metavar="URL", envvar=shared.LEDGER)
@shared.WARC
@shared.REACH
@shared.RUNNING
def work() -> None:
    """Work on a crawl that is kept in PostgreSQL, together with others. Start it on as many machines as you like.

    A worker may join and leave at any time. It takes the settings of the crawl; what you say here holds for this worker alone. It ends when
    the crawl does; Ctrl-C ends it once the pages under way are kept. Without URL, the environment says it: THRESHER_LEDGER.

    With - for URL it reads the address from its input: others on this machine see command lines, and a password must not stand there.

    \b
    thresher work - < address.txt
    thresher work postgresql://me@db/crawls --hands 4
    thresher work 'postgresql://me@db/crawls?schema=iris' --warcs s3://bucket/iris
    """


@described("move")
@click.argument("source", type=CrawlPlace(), metavar="FROM", shell_complete=completion.folders)
@click.argument("target", type=CrawlPlace(), metavar="TO")
@shared.WARC
@shared.JSON
def move() -> None:
    """Copy a crawl from its folder into PostgreSQL, where several machines work on it, or back into a folder.

    Everything goes along: pages, labels, what was learnt, and every url that waits. Then all rows are read again on both sides and
    compared. Nobody may work on the crawl meanwhile; it stays as it was. WARC files are copied to --warcs, or stay where they are; into a
    folder they are always copied. A copy that was stopped is refused by all other commands, and the same command begins it anew.

    \b
    thresher move iris-eye 'postgresql://me@db/crawls?schema=iris'
    thresher move iris-eye postgresql://me@db/crawls --warcs s3://bucket/iris
    thresher move 'postgresql://me@db/crawls?schema=iris' iris-again
    """


@described("demo")
@shared.into_option("thresher-demo")
@shared.pages_option(150, least=10)
def demo() -> None:
    """Watch two crawls of a small web on this machine: apprentice, the default strategy, against breadth-first.

    Nothing leaves the machine. The web has a dozen hosts and a few hundred pages on the iris of the eye, the iris of the garden,
    and other things. Kill it, even with kill -9, and run it again: it continues.

    \b
    thresher demo
    thresher demo --into demo --pages 200
    """
