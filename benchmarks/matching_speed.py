"""How fast are labels found in text? Our matcher beside pyahocorasick and `re` on the same labels and pages.

    pip install -e '.[bench]' && python benchmarks/matching_speed.py

Half a million made-up labels of one to four words, and 10 MB of text with the word frequencies of a language, in pages of
10 KB. All count whole words, blind to case, overlapping ones too, and all must count the same. Each runs in a process of
its own: one builds and saves, another loads and counts. The CPU time of a process counts, the best of three rounds.
"""

# ruff: noqa: D102 - a peer has five parts: build, save, load, count and a name
import argparse
import json
import multiprocessing
import random
import re
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, islice
from operator import itemgetter
from pathlib import Path

from thresher.language import words
from thresher.topic.matching import Matcher

PAGE = 10_000
ROUNDS = 3
# One alternation of more labels than this takes minutes.
FEW = 2000
ONSETS = (*"bcdfghlmnprstvw", "st", "tr", "pl", "ch")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--labels", type=int, default=500_000)
    parser.add_argument("--megabytes", type=float, default=10)
    parser.add_argument("--smoke", action="store_true", help="a few labels and pages, to see that it runs")
    options = parser.parse_args()
    size = (5000, 0.2) if options.smoke else (options.labels, options.megabytes)
    with tempfile.TemporaryDirectory() as folder:
        compared(Path(folder), *make(*size))


def compared(folder: Path, labels: list[str], pages: list[str]) -> None:
    length = sum(map(len, pages)) / 1e6
    print(
        f"{len(labels):,} labels, {length:.1f} MB of text in {len(pages)} pages; CPU seconds, best of {ROUNDS} rounds"
    )
    rates = side_by_side(folder, labels, pages, (Ours, Pyahocorasick))
    print(f"{min(FEW, len(labels)):,} of the labels, a tenth of the text, only the longest of labels that overlap")
    side_by_side(folder, labels[:FEW], pages[: max(1, len(pages) // 10)], (OursLongest, Alternation))
    print(f"ratio: {rates['thresher'] / rates['pyahocorasick']:.1f}")


def side_by_side(folder, labels, pages, peers) -> dict[str, float]:
    (folder / "input.json").write_text(json.dumps([labels, pages]))
    print(f"{'':15}{'build s':>9}{'load s':>9}{'file MB':>9}{'RAM MB':>9}{'MB/s':>9}{'found':>12}")
    rows = {peer.name: measured(folder, peer) for peer in peers}
    assert len({row["found"] for row in rows.values()}) == 1, "all must count the same"
    return {name: row["rate"] for name, row in rows.items()}


def measured(folder: Path, peer: type) -> dict[str, float]:
    row = alone(build, folder, peer) | alone(match, folder, peer)
    print(
        f"{peer.name:15}{row['build']:9.2f}{row['load']:9.2f}{row['file']:9.1f}{row['memory']:9.0f}{row['rate']:9.1f}"
        f"{row['found']:12,.0f}"
    )
    return row


def alone(task, folder: Path, peer: type) -> dict[str, float]:
    """Run a task in a fresh process, so that its memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(task, (folder, peer))


def build(folder: Path, peer: type) -> dict[str, float]:
    labels, _ = json.loads((folder / "input.json").read_text())
    spent, made = timed(peer.build, labels)
    peer.save(made, folder / peer.name)
    return {"build": spent, "file": (folder / peer.name).stat().st_size / 1e6}


def match(folder: Path, peer: type) -> dict[str, float]:
    before = memory()
    load, made = min((timed(peer.load, folder / peer.name) for _ in range(ROUNDS)), key=itemgetter(0))
    grown = memory() - before
    _, pages = json.loads((folder / "input.json").read_text())
    spent, found = min(timed(lambda: sum(made.count(page).total() for page in pages)) for _ in range(ROUNDS))
    return {"load": load, "memory": grown, "rate": sum(map(len, pages)) / 1e6 / spent, "found": found}


def timed(work, *arguments) -> tuple[float, object]:
    start = time.process_time()
    result = work(*arguments)
    return time.process_time() - start, result


def memory() -> float:
    """Megabytes that this process has at most had so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


# ── the peers ──


class Ours:
    """Our matcher, every label counted; built anew when loaded, for it is never saved."""

    name = "thresher"
    overlap = "independent"

    def __init__(self, labels: list[str]) -> None:
        self.labels = labels
        self.count = Matcher(labels, overlap=self.overlap).count

    @classmethod
    def build(cls, labels):
        return cls(labels)

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.labels))

    @classmethod
    def load(cls, path: Path):
        return cls(json.loads(path.read_text()))


class Pyahocorasick:
    """With the same blanks around words; it saves and loads by pickle."""

    name = "pyahocorasick"

    def __init__(self, automaton) -> None:
        self.automaton = automaton

    @classmethod
    def build(cls, labels):
        import ahocorasick  # noqa: PLC0415 - only in its own process

        automaton = ahocorasick.Automaton()
        for label in labels:
            automaton.add_word(padded(label), label)
        automaton.make_automaton()
        return cls(automaton)

    def save(self, path: Path) -> None:
        import pickle  # noqa: PLC0415 - only in its own process

        self.automaton.save(str(path), pickle.dumps)

    @classmethod
    def load(cls, path: Path):
        import pickle  # noqa: PLC0415 - only in its own process

        import ahocorasick  # noqa: PLC0415 - only in its own process

        return cls(ahocorasick.load(str(path), pickle.loads))

    def count(self, text: str) -> Counter[str]:
        return Counter(map(itemgetter(1), self.automaton.iter(padded(text))))


class OursLongest(Ours):
    """Our matcher, the longest of labels that overlap counted."""

    overlap = "longest"


class Alternation:
    """One alternation, the longest label first; compiled anew when loaded, for a pattern cannot be saved."""

    name = "re"

    def __init__(self, labels: list[str]) -> None:
        self.labels = labels
        ordered = sorted(labels, key=len, reverse=True)
        self.pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, ordered))})\b")

    @classmethod
    def build(cls, labels):
        return cls(labels)

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.labels))

    @classmethod
    def load(cls, path: Path):
        return cls(json.loads(path.read_text()))

    def count(self, text: str) -> Counter[str]:
        return Counter(self.pattern.findall(" ".join(words(text))))


def padded(text: str) -> str:
    return f" {'  '.join(words(text))} "


# ── labels and text ──


def make(count: int, megabytes: float) -> tuple[list[str], list[str]]:
    """Labels and pages of made-up words, the Nth of them 1/N as frequent as the first."""
    dice = random.Random(7)
    vocabulary = sorted(
        dict.fromkeys(word(dice) for _ in range(150_000)), key=lambda made: len(made) + 5 * dice.random()
    )
    # The most frequent words of a language name nothing; half of the words in labels are rare ones.
    nouns = vocabulary[300:]
    common, rare = stream(dice, nouns, 1.0), stream(dice, nouns, 0.0)
    labels: dict[str, None] = {}
    while len(labels) < count:
        length = dice.choice((1, 2, 2, 2, 3, 3, 4))
        labels[" ".join(next(dice.choice((common, rare))) for _ in range(length))] = None
    prose = stream(dice, vocabulary, 1.0)
    return list(labels), [page(prose) for _ in range(max(1, round(megabytes * 1e6 / PAGE)))]


def word(dice: random.Random) -> str:
    syllables = (dice.choice(ONSETS) + dice.choice("aeiou") for _ in range(dice.randint(1, 4)))
    return "".join(syllables) + dice.choice(("", "n", "s", "r", "ed", "ing", ""))


def stream(dice: random.Random, vocabulary: list[str], slope: float) -> Iterator[str]:
    """Words without end, the Nth of the vocabulary as often as 1 / N ** slope."""
    weights = list(accumulate(1 / rank**slope for rank in range(1, len(vocabulary) + 1)))
    while True:
        yield from dice.choices(vocabulary, cum_weights=weights, k=10_000)


def page(prose: Iterator[str]) -> str:
    """Sentences of about fifteen words."""
    said: list[str] = []
    size = 0
    while size < PAGE:
        sentence = " ".join(islice(prose, 15)).capitalize() + ". "
        said.append(sentence)
        size += len(sentence)
    return "".join(said)


if __name__ == "__main__":
    main()
