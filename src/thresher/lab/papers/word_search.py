"""What a search engine would give for a word in a web that stands still: the pages that answer it best."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from thresher.lab.run.task_web import TaskWeb
from thresher.language import words
from thresher.model import Page, Url


def search_worths(page: Page, wanted: Sequence[str]) -> Iterator[tuple[str, float]]:
    """How well a page answers a search for each word in it: a title counts three times, each further time less, as BM25 has it."""
    text = words(page.main)
    counts, named = Counter(text), Counter(words(page.title))
    damp = 1.2 * (0.25 + 0.75 * len(text) / 500)
    for word in wanted:
        times = sum(counts[form] + 3 * named[form] for form in (word, f"{word}s", f"{word}es"))
        if times:
            yield word, times / (times + damp)


def hits(word: str, among: Iterable[Url], web: TaskWeb, most: int) -> list[Url]:
    """The pages that answer best, at most so many."""
    pages = ((url, web.page(url)) for url in among)
    found = [(worth, url) for url, page in pages if page for _, worth in search_worths(page, [word])]
    return [url for _, url in sorted(found, key=lambda each: (-each[0], each[1]))[:most]]
