"""`thresher crawl` and `thresher demo`: what they take."""

from pathlib import Path

import click

from thresher.cli import completion
from thresher.cli.declared import shared_options as shared
from thresher.cli.declared.command_types import described


@described("crawl")
@click.argument("source", nargs=-1, metavar="[WORD… | CRAWL.TOML | DIR]", shell_complete=completion.crawls)
@click.option("--topic", help="What to look for, in words.")
@click.option(
    "--topics",
    "topic_list",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A file with one topic on each line; each is crawled in a folder of its own, one after the other.",
)
@shared.SEED
@shared.SEED_LISTS
@click.option("--search", is_flag=True, help="Also ask search engines for seeds; without seeds they are always asked.")
@shared.part_option(
    "strategy",
    "How to choose the next link; thresher strategies lists all (default: apprentice; lin if one of several senses is meant).",
)
@shared.part_option(
    "judge",
    "How to decide whether a page is on topic: terms, meaning, concepts, classifier, sense or combine (default: terms; if a sense is"
    " known, concepts, together with sense if the word has several).",
)
@click.option("--threshold", type=float, help="Minimum relevance for a page to count, 0 to 1.")
@click.option(
    "--ontology",
    multiple=True,
    metavar="NAME-OR-FILE",
    help="Where concepts come from (default: all installed).",
    shell_complete=completion.ontologies,
)
@click.option(
    "--sense",
    multiple=True,
    metavar="NUMBER-OR-ID",
    help="Which meaning of the topic, as thresher senses WORD shows them; none for the plain word.",
    shell_complete=completion.senses,
)
@click.option("--terms", metavar="FILE", help="Your own table of terms: TOML or CSV.")
@click.option(
    "--taxonomy",
    metavar="DIR",
    help="What thresher taxonomy learn made; or example pages, in one folder for each class.",
)
@click.option(
    "--target",
    multiple=True,
    metavar="CLASS",
    help="A class of the taxonomy to look for, or a path above several (default: those marked in a learnt taxonomy).",
)
@click.option("--rules", metavar="FILE", help="Interclass rules, a TOML file.")
@click.option("--language", multiple=True, metavar="CODE", help="Another language that pages may be in, such as hi.")
@click.option(
    "--like",
    multiple=True,
    metavar="URL-OR-FILE",
    help="A page such as you look for, for the judge meaning; give 5 to 20 of them.",
)
@shared.PAGES
@click.option("--relevant", type=click.IntRange(min=1), help="Stop after this many relevant pages.")
@shared.MINUTES
@shared.DELAY
@shared.WORKERS
@shared.HANDS
@shared.CONTACT
@shared.DOMAIN
@shared.DEPTH
@shared.PROXY
@shared.ALLOW_PRIVATE
@shared.EXTRA
@click.option(
    "--into", type=click.Path(path_type=Path), metavar="DIR", help="The crawl folder (default: named after the topic)."
)
@shared.LOG
@shared.EVENTS
@shared.QUIET
def crawl() -> None:
    """Crawl for a topic. Run it again on the same folder to continue.

    A word is enough: you are asked which of its senses you mean, and search engines are asked where to start.

    Start with what is set: the strategy apprentice and the judge terms need nothing but words; if you choose one of several senses, lin,
    concepts and sense take their place. Take --strategy lokman:profile=robust --judge concepts if an ontology knows your topic well,
    --judge meaning if pages may say it in other words, --strategy breadth-first for all of a small site. thresher strategies lists all.

    \b
    thresher crawl iris --pages 500 --contact you@example.org
    thresher crawl iris --sense 2        the second of its senses, without asking
    thresher crawl --topic "iris eye" --seed https://example.org/ --pages 500 --contact you@example.org
    thresher crawl crawl.toml
    thresher crawl iris-eye              continue the crawl in that folder
    thresher crawl --topics list.txt     several topics, one after the other
    """


@described("demo")
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    default="thresher-demo",
    show_default=True,
    help="Where the two crawls are kept.",
)
@click.option(
    "--pages", default=150, show_default=True, type=click.IntRange(min=10), help="Pages each crawl may fetch."
)
def demo() -> None:
    """Watch two crawls of a small web on this machine: apprentice, the default strategy, against breadth-first.

    Nothing leaves the machine. The web has a dozen hosts and a few hundred pages on the iris of the eye, the iris of the garden,
    and other things. Kill it, even with kill -9, and run it again: it continues.

    \b
    thresher demo
    thresher demo --into demo --pages 200
    """
