"""How many pages a second the classifier judges, beside scikit-learn on the same words: python benchmarks/classifier_speed.py

Both learn the same pages and give the class distribution of others, one page at a time, as a crawl meets them; scikit-learn is also
given all pages at once. The raw distributions must be equal to 1e-9. Without `--warc` the pages are generated: 500 words, 12 classes.
"""

import argparse
import gzip
import random
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import TypeVar

from thresher.classify.naive_bayes import Classifier
from thresher.language import words

Text = TypeVar("Text")
Labelled = list[tuple[str, str]]


def main() -> None:
    arguments = _arguments()
    pages = list(recorded(arguments.warc, arguments.labels) if arguments.warc else generated(arguments.pages))
    random.Random(1).shuffle(pages)
    taught, asked = pages[: len(pages) // 2], [text for text, _ in pages[len(pages) // 2 :]]
    length = sum(len(words(text)) for text in asked) / len(asked)
    print(
        f"{len(taught)} pages to learn, {len(asked)} to judge, {length:.0f} words each, {len(set(dict(pages).values()))} classes"
    )
    began = time.perf_counter()
    raw = Classifier.of(taught, temperature=0, max_repeats=10**9, stop_words=())
    learning = len(taught) / (time.perf_counter() - began)
    tempered = Classifier.of(taught)
    ours = rate(tempered.distribution, asked, arguments.rounds)
    report("thresher, learn", learning)
    report("thresher, judge", ours)
    theirs = scikit_learn(taught, asked, raw, arguments.rounds)
    print(f"ratio: {ours / theirs:.1f}" if theirs else "ratio: 1.0")


def scikit_learn(taught: Labelled, asked: list[str], ours: Classifier, rounds: int) -> float | None:
    try:
        from sklearn.feature_extraction.text import CountVectorizer  # noqa: PLC0415 - a peer, not a dependency
        from sklearn.naive_bayes import MultinomialNB  # noqa: PLC0415
    except ImportError:
        print("scikit-learn is not installed, so there is nothing to compare with: pip install scikit-learn")
        return None
    began = time.perf_counter()
    counter = CountVectorizer(analyzer=words)
    theirs = MultinomialNB().fit(counter.fit_transform([text for text, _ in taught]), [label for _, label in taught])
    report("scikit-learn, learn all at once", len(taught) / (time.perf_counter() - began))

    def judge(texts: Sequence[str]):
        return theirs.predict_proba(counter.transform(texts))

    alone = rate(lambda text: judge([text]), asked, rounds)
    report("scikit-learn, judge", alone)
    report("scikit-learn, judge all at once", rate(judge, [asked], rounds) * len(asked))
    furthest = max(
        abs(found[label] - share)
        for found, shares in zip(map(ours.distribution, asked), judge(asked).tolist(), strict=True)
        for label, share in zip(theirs.classes_, shares, strict=True)
    )
    print(f"largest difference between two probabilities: {furthest:.0e}")
    assert furthest < 1e-9
    return alone


def rate(judge: Callable[[Text], object], texts: Sequence[Text], rounds: int) -> float:
    """Pages a second: of each page its fastest time counts, so that other work on the machine does not."""
    best = [float("inf")] * len(texts)
    for _ in range(rounds):
        for number, text in enumerate(texts):
            began = time.perf_counter()
            judge(text)
            best[number] = min(best[number], time.perf_counter() - began)
    return len(texts) / sum(best)


def report(what: str, pages_a_second: float) -> None:
    print(f"{what:32} {pages_a_second:8.0f} pages/s  {1e6 / pages_a_second:7.0f} µs a page")


# ── pages ──


def generated(count: int) -> Iterator[tuple[str, str]]:
    """Words with frequencies as in real text; each class has its own order of them."""
    dice = random.Random(7)
    vocabulary = ["".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=dice.randint(3, 10))) for _ in range(30_000)]
    weights = list(accumulate(1 / rank for rank in range(1, len(vocabulary) + 1)))
    special = {f"class {number}": dice.sample(vocabulary, 2000) for number in range(12)}
    for number in range(count):
        label = f"class {number % 12}"
        common = dice.choices(vocabulary, cum_weights=weights, k=450)
        yield " ".join(common + dice.choices(special[label], cum_weights=weights[:2000], k=50)), label


def recorded(warc: str, labels: str) -> Iterator[tuple[str, str]]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType  # noqa: PLC0415 - only with --warc

    from thresher.model import Response  # noqa: PLC0415
    from thresher.parse.html import HtmlParser  # noqa: PLC0415
    from thresher.urls import canonical  # noqa: PLC0415

    with gzip.open(labels, "rt", encoding="utf-8") as lines:
        known = dict(line.rstrip("\n").split("\t")[:2] for line in lines)
    parser = HtmlParser()
    with open(warc, "rb") as stream:  # noqa: PTH123 - as fastwarc wants it
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
            address = record.headers["WARC-Target-URI"] or ""
            url = canonical(address)
            if url and (label := known.get(address, "").partition("|")[0]):
                yield parser.parse(Response(url, 200, (), record.reader.read(), b"")).main, label


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000, help="how many pages to generate (default 2000)")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is judged (default 5)")
    parser.add_argument("--warc", help="take the pages from this WARC file, and their classes from --labels")
    parser.add_argument(
        "--labels", help="gzipped lines of a url, a tab, and labels joined by |: the first is the class"
    )
    parser.add_argument("--smoke", action="store_true", help="few pages, one round: does it run?")
    arguments = parser.parse_args()
    if bool(arguments.warc) != bool(arguments.labels):
        parser.error("--warc and --labels go together")
    if arguments.smoke:
        arguments.pages, arguments.rounds = 60, 1
    return arguments


if __name__ == "__main__":
    main()
