"""How the window bears a large catalogue: how long each way to sort and filter a million pages takes, and each jump in the list.

    python benchmarks/view_scale.py --pages 1000000

The catalogue is made by the store's own code, without WARC files: pages with titles, urls, anchors and evidence as long as those of
crawls of the web, a third of them relevant, one in eight no page at all; a thousand labels, and ten thousand pages that were looked at
again. Each question is asked as the window asks it: the folder is opened, the order is found, and the first rows are read.
`jump` is a row from the middle of the list and those behind it. Times are told twice: by the clock, and as CPU time of this process,
which a busy machine changes less. Last line: the seconds of CPU of what a person sees first.
"""

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from thresher.disk.ledger import Ledger
from thresher.disk.schemas import schema
from thresher.model import Candidate, Claim, Evidence, Failed, Host, Judgement, Outcome, Page, Response, Url, Visit
from thresher.results.archive import Archive
from thresher.results.watch.page_grid import GridList, GridQuestion, first_question, grid_rows, listed
from thresher.store.labels import HandLabel, make_labels, put_label
from thresher.store.looks import make_looks
from thresher.store.page_list import SORTS, PageFilter
from thresher.store.rows import INSERT, StoreFacts, row_of

WORDS = [
    "iris",
    "pupil",
    "lens",
    "cornea",
    "retina",
    "eye",
    "garden",
    "flower",
    "study",
    "cell",
    "light",
    "nerve",
    "clinic",
    "blue",
]
OUTCOMES = ["http-404", "redirect", "timeout", "robots"]
HOSTS, LABELS, LOOKS = 2_000, 1_000, 10_000
ROWS = 100
LOOK = """
    INSERT INTO revisit (visit, at, found, outcome, status, relevant, relevance, evidence, title, language, bytes, new_links)
    VALUES (?1, ?2, ?3, 'page', 200, ?4 > 0.45, ?4, '[["iris","text",0.5]]', 'another title', 'en', 9000, 0)
"""


def some_words(draw: random.Random, count: int) -> str:
    return " ".join(draw.choices(WORDS, k=count))


def visit(number: int, draw: random.Random) -> Visit:
    """A visit as a crawl of the web has it."""
    host = Host(f"www.host-{int(draw.paretovariate(1)) % HOSTS}.example.org")
    url = Url(f"https://{host}/section/{number % 31}/{draw.choice(WORDS)}-{number}.html")
    parent = Url(f"https://{host}/section/{number % 31}/")
    candidate = Candidate(url, draw.random(), draw.randrange(1, 9), parent, some_words(draw, 3))
    claim = Claim(candidate, host, number, 0.0)
    at = 1.7e9 + number / 50
    if number % 8 == 0:
        outcome = draw.choice(OUTCOMES)
        return Visit(claim, number, at, Failed(outcome, "it did not answer in time"), Outcome(outcome))
    page = Page(url, title=some_words(draw, 7), language=draw.choice(["en", "en", "en", "de", "hi", ""]))
    relevance = draw.random() ** 2
    evidence = tuple(Evidence(draw.choice(WORDS), draw.choice(["title", "text"]), draw.random()) for _ in range(6))
    answer = Response(url, 200, (), b"", b"x" * draw.randrange(4_000, 20_000), at=at, elapsed=0.2, address="192.0.2.7")
    return Visit(claim, number, at, answer, Outcome("page"), page, Judgement(relevance, relevance > 0.45, evidence))


def rows(pages: int) -> Iterator[tuple[object, ...]]:
    draw = random.Random(1)
    for number in range(1, pages + 1):
        copies = StoreFacts(duplicate_of=number // 2 if number % 40 == 1 and number > 40 else None, sent=1.7e9)
        yield row_of(visit(number, draw), copies)


def make(folder: Path, pages: int) -> None:
    """A crawl folder with so many visits."""
    folder.mkdir(parents=True)
    (folder / "warc").mkdir()
    with closing(Ledger(folder / "crawl.sqlite")) as ledger:
        for owner in ("store", "frontier", "frontier_view", "warc"):
            ledger.script(schema(owner))
        made = rows(pages)
        while some := list(islice(made, 10_000)):
            ledger.write_many(INSERT, some)
            ledger.commit()
        add_labels_and_looks(ledger, pages)
    (folder / "crawl.toml").write_text('topic = "iris, eye"\nseeds = ["https://www.host-1.example.org/"]\n', "utf-8")


def add_labels_and_looks(ledger: Ledger, pages: int) -> None:
    draw = random.Random(2)
    make_labels(ledger)
    asked = ledger.read("SELECT url FROM visit WHERE outcome = 'page' AND number % ? = 1", (max(2, pages // LABELS),))
    for (url,) in asked.fetchall():
        put_label(ledger, HandLabel(url, draw.random() < 0.5, 1.8e9))
    make_looks(ledger)
    looked = ledger.read(
        "SELECT number FROM visit WHERE outcome = 'page' AND number % ? = 2", (max(3, pages // LOOKS),)
    )
    found = [(number, 1.75e9, draw.choice(["same", "changed"]), draw.random()) for (number,) in looked.fetchall()]
    ledger.write_many(LOOK, found)
    ledger.commit()


def asked() -> dict[str, GridQuestion]:
    """Every way to sort, and every way to filter."""
    question = GridQuestion()
    sorted_by = {f"by {sort}": question._replace(sort=sort) for sort in SORTS}
    filters = {
        "relevant": PageFilter(relevant=True),
        "not relevant": PageFilter(relevant=False),
        "outcome timeout": PageFilter(outcome="timeout"),
        "host host-7": PageFilter(host="host-7.example.org"),
        "language hi": PageFilter(language="hi"),
        "labelled": PageFilter(hand="any"),
        "text in title or url": PageFilter(text="Cornea Cornea"),
        "text that no page has": PageFilter(text="nowhere at all"),
        "all of these": PageFilter(True, "page", "example.org", "de", "none", "blue"),
    }
    filtered = {f"{name}, best first": GridQuestion(wanted, sort="relevance") for name, wanted in filters.items()}
    return {**sorted_by, **filtered}


class Times(NamedTuple):
    """Seconds by the clock, and on the CPU."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:6.3f} s ({self.cpu:6.3f} of CPU)"


T = TypeVar("T")


def timed(call: Callable[[], T]) -> tuple[T, Times]:
    wall, cpu = time.perf_counter(), time.process_time()
    found = call()
    return found, Times(time.perf_counter() - wall, time.process_time() - cpu)


def first_rows(folder: Path, question: GridQuestion | None = None) -> GridList:
    """What a person waits for: the folder is opened, the order found, the first rows read."""
    with Archive.open(folder) as archive:
        found = listed(archive, question or first_question(archive))
        grid_rows(archive, found.numbers[:ROWS])
    return found


def jump(folder: Path, found: GridList) -> None:
    """What a person waits for who drags the list to its middle."""
    with Archive.open(folder) as archive:
        middle = len(found.numbers) // 2
        grid_rows(archive, found.numbers[middle : middle + ROWS])


def measure(folder: Path) -> float:
    """Prints a line for each question; returns the seconds of CPU of the first."""
    found, opened = timed(lambda: first_rows(folder))
    print(
        f"{'as it opens':<36} first rows {opened}  jump {timed(lambda: jump(folder, found))[1]}  {found.total:>9,} rows"
    )
    for name, question in asked().items():
        found, first = timed(lambda question=question: first_rows(folder, question))
        moved = timed(lambda found=found: jump(folder, found))[1]
        print(f"{name:<36} first rows {first}  jump {moved}  {found.total:>9,} rows", flush=True)
    return opened.cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument(
        "--folder", type=Path, help="where the catalogue is made and stays; made only if it is not there"
    )
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    pages = 20_000 if options.smoke else options.pages
    with tempfile.TemporaryDirectory() as beside:
        folder = options.folder or Path(beside) / "crawl"
        if not folder.exists():
            make(folder, pages)
        size = (folder / "crawl.sqlite").stat().st_size / 2**20
        print(f"{pages:,} visits, {size:,.0f} MB")
        cpu = measure(folder)
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB RSS at most")
    print(f"opens in: {cpu:.3f}")


if __name__ == "__main__":
    main()
