"""Which class of a taxonomy a page belongs to: multinomial naïve Bayes over its words, learnt page by page."""

import json
import math
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.disk.atomic_file import whole_file
from thresher.errors import BadInput
from thresher.language import STOP_WORDS, words
from thresher.language.tokens import LONGEST_WORD

Floats = NDArray[np.float64]

_FORMAT = 1
# The most bytes that a saved classifier may unpack to: more than `max_words` allows, too few to fill the disk.
_MOST_BYTES = 4_000_000_000
# Whatever numpy, zipfile and json raise on bytes that are not what they expect.
_DAMAGES = (
    ArithmeticError,
    LookupError,
    MemoryError,
    RuntimeError,
    TypeError,
    ValueError,
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
)


class Classifier:
    """Learns classes from example texts, and says how probably a text belongs to each.

    P(c | page) ∝ exp(s_c / t) with s_c = log P(c) + Σ_w n_w log (N_cw + smoothing) / (N_c + smoothing · V), over the page's n known words.

    The raw posterior (t = 1) is nearly always 0 or 1, since the words of a page are far from independent. So a page counts as a fixed
    number of independent words: t = max(1, temperature · n). The default, five words, had the lowest log loss on held-out pages of
    three recorded webs or was within .01 of it (7 to 46 classes; 0.75 to 1.6 nats where raw has 3.6 to 7.0); dividing by a constant
    or by √n did worse. `temperature=0` is raw. The order of the classes is the same at any temperature.

    Learning counts a word at most `max_repeats` times a page, lest one endless page outweigh all others of its class: that lifts the
    accuracy on the four universities of WebKB, all seven classes, from .29 to .40 and changes less than .02 elsewhere.
    Of more than `max_words` words the rarer half is forgotten: memory is at most about max_words · (150 + 6 · classes) bytes.
    """

    def __init__(
        self,
        *,
        smoothing: float = 1.0,
        temperature: float = 0.2,
        max_repeats: int = 30,
        max_words: int = 100_000,
        stop_words: Collection[str] = STOP_WORDS,
    ) -> None:
        if not (1e-9 <= smoothing <= 1e9 and 0 <= temperature < math.inf and max_repeats >= 1 and max_words >= 2):
            raise BadInput(
                "a classifier needs smoothing from 1e-9 to 1e9, temperature from 0, max_repeats from 1, max_words from 2"
            )
        self._smoothing = smoothing
        self._temperature = temperature
        self._max_repeats = max_repeats
        self._max_words = max_words
        self._stop_words = frozenset(stop_words)
        self._rows: dict[str, int] = {}
        """The row of each word, from 1; row 0 stays empty and stands for all unknown words."""
        self._columns: dict[str, int] = {}
        # The table grows by a quarter at a time: what is beyond the words and classes known so far is zero.
        self._counts: NDArray[np.uint32] = np.zeros((1024, 4), np.uint32)
        self._totals: NDArray[np.int64] = np.zeros(4, np.int64)
        self._pages: NDArray[np.int64] = np.zeros(4, np.int64)
        self._weights: tuple[Floats, Floats] | None = None
        self._latest: tuple[str, list[str]] = ("", [])

    @classmethod
    def of(cls, examples: Iterable[tuple[str, str]], **options: Any) -> "Classifier":
        """A classifier that has learnt all the examples, each a text and its class."""
        classifier = cls(**options)
        for text, label in examples:
            classifier.learn(text, label)
        return classifier

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes, in the order in which they were met."""
        return tuple(self._columns)

    @property
    def pages(self) -> dict[str, int]:
        """How many pages each class was learnt from: the sizes of train-0, by class."""
        return dict(zip(self._columns, self._pages.tolist(), strict=False))

    def learn(self, text: str, label: str) -> None:
        """Learn from one more page of a class, new or known. It counts from the next text on."""
        bag = Counter(words(text))
        for word in self._stop_words & bag.keys() | {word for word in bag if len(word) > LONGEST_WORD}:
            del bag[word]
        rows = [self._rows.setdefault(word, len(self._rows) + 1) for word in bag]
        column = self._columns.setdefault(label, len(self._columns))
        self._make_room()
        times = np.fromiter(bag.values(), np.uint32, len(bag)).clip(max=self._max_repeats)
        self._counts[rows, column] += times
        self._totals[column] += times.sum()
        self._pages[column] += 1
        self._weights = None
        if len(self._rows) > self._max_words:
            self._forget_rare_words()

    def distribution(self, text: str, temperature: float | None = None) -> dict[str, float]:
        """How probably the text belongs to each class: the best first, adding up to 1. Another temperature than its own may be given."""
        scores, known = self._joint(text)
        order = (-scores).argsort(kind="stable").tolist()
        scores -= scores[order[0]]
        chosen = self._temperature if temperature is None else temperature
        shares = np.exp(scores / max(1.0, chosen * known))
        shares /= shares.sum()
        names, values = self.classes, shares.tolist()
        return {names[column]: values[column] for column in order}

    def best(self, text: str) -> str:
        """The class the text most probably belongs to."""
        scores, _ = self._joint(text)
        return self.classes[int(scores.argmax())]

    def _joint(self, text: str) -> tuple[Floats, int]:
        """The joint log-probability of the text and each class, and how many of its words are known."""
        priors, sizes = self._weights = self._weights or self._weigh()
        tokens = self._cut(text)
        # Repeated words are not counted first: that would take longer than to look each of them up.
        rows = np.fromiter(map(self._rows.get, tokens, repeat(0)), np.intp, len(tokens))
        rows = rows[rows > 0]
        logs = self._log_likelihood(rows) if len(rows) else np.zeros_like(priors)
        return logs - len(rows) * sizes + priors, len(rows)

    def _cut(self, text: str) -> list[str]:
        # After the class of a page, its evidence is asked for next.
        if self._latest[0] != text:
            self._latest = text, words(text)
        return self._latest[1]

    def _log_likelihood(self, rows: NDArray[np.intp]) -> Floats:
        factors = self._counts.take(rows, axis=0)[:, : len(self._columns)] + self._smoothing
        # One logarithm for thirty factors takes a third of the time, and no such product leaves the range of a float.
        products = np.multiply.reduceat(factors, np.arange(0, len(rows), 30), axis=0)
        total: Floats = np.log(products).sum(axis=0)
        return total

    def _weigh(self) -> tuple[Floats, Floats]:
        """The logarithms of how probable each class is, and of how many words it has."""
        if not self._columns:
            raise BadInput("the classifier has no class yet: let it learn some example pages first")
        wide = len(self._columns)
        sizes = self._totals[:wide] + self._smoothing * max(1, len(self._rows))
        return np.log(self._pages[:wide] / self._pages.sum()), np.log(sizes)

    # ── why ──

    def evidence(self, text: str, label: str, limit: int = 10, against: int = 5) -> list[tuple[str, float]]:
        """The words of a text that speak most for a class, and those that speak most against it: n_w · log p(w|c) / p(w|others)."""
        bag = {word: count for word, count in Counter(self._cut(text)).items() if word in self._rows}
        ours, others = self._shares(label, np.array([self._rows[word] for word in bag], np.intp))
        return _strongest(list(bag), np.array(list(bag.values())) * np.log(ours / others), limit, against)

    def _shares(self, label: str, rows: NDArray[np.intp]) -> tuple[Floats, Floats]:
        if label not in self._columns:
            raise BadInput(f"there is no class {label!r}; the classes: {', '.join(self._columns) or 'none'}")
        column, room = self._columns[label], self._smoothing * len(self._rows)
        here, all_of_it = self._counts[rows, column], self._counts[rows].sum(axis=1)
        ours = (here + self._smoothing) / (self._totals[column] + room)
        others = (all_of_it - here + self._smoothing) / (self._totals.sum() - self._totals[column] + room)
        return ours, others

    # ── the table ──

    def _make_room(self) -> None:
        tall, wide = self._counts.shape
        # One row more than there are words, for row 0.
        if len(self._rows) < tall and len(self._columns) <= wide:
            return
        more = (_grown(tall, len(self._rows) + 1), _grown(wide, len(self._columns)))
        self._counts = np.pad(self._counts, ((0, more[0] - tall), (0, more[1] - wide)))
        self._totals = np.pad(self._totals, (0, more[1] - wide))
        self._pages = np.pad(self._pages, (0, more[1] - wide))

    def _forget_rare_words(self) -> None:
        """Keep the commoner half of the words; of equally common ones those met first."""
        seen = self._counts[1 : len(self._rows) + 1].sum(axis=1)
        kept = np.sort((-seen.astype(np.int64)).argsort(kind="stable")[: self._max_words // 2])
        names = list(self._rows)
        self._rows = {names[place]: row for row, place in enumerate(kept.tolist(), 1)}
        counts = self._counts[1:][kept]
        self._counts[1 : len(kept) + 1] = counts
        self._counts[len(kept) + 1 :] = 0
        self._totals = counts.sum(axis=0, dtype=np.int64)

    # ── keeping it ──

    def save(self, path: Path) -> None:
        """Write all that was learnt to a .npz file: plain arrays, nothing that could run."""
        about = {
            "format": _FORMAT,
            "smoothing": self._smoothing,
            "temperature": self._temperature,
            "max_repeats": self._max_repeats,
            "max_words": self._max_words,
            "stop_words": sorted(self._stop_words),
            "classes": self.classes,
        }
        wide = len(self._columns)
        with whole_file(path) as made, made.open("wb") as stream:
            np.savez_compressed(
                stream,
                about=np.frombuffer(json.dumps(about).encode(), np.uint8),
                words=np.frombuffer("\n".join(self._rows).encode(), np.uint8),
                counts=self._counts[1 : len(self._rows) + 1, :wide],
                pages=self._pages[:wide],
            )

    @classmethod
    def load(cls, path: Path) -> "Classifier":
        """The classifier that was saved there. It can go on learning."""
        try:
            if (size := _unpacked(path)) > _MOST_BYTES:
                raise BadInput(f"{path}: would unpack to {size // 1_000_000_000} GB; not a classifier of ours")
            with np.load(path, allow_pickle=False) as arrays:
                return cls._from(arrays)
        except OSError as error:
            raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from error
        except _DAMAGES as error:
            raise BadInput(f"{path}: not a saved classifier, or damaged: {error}") from error

    @classmethod
    def _from(cls, arrays: Mapping[str, NDArray[Any]]) -> "Classifier":
        about = dict(json.loads(arrays["about"].tobytes()))
        if about.pop("format") != _FORMAT:
            raise ValueError("it was written by another version of Thresher")
        classes = about.pop("classes")
        classifier = cls(**about)
        names = arrays["words"].tobytes().decode().split()
        counts, pages = arrays["counts"].astype(np.uint32), arrays["pages"].astype(np.int64)
        classifier._rows = {name: row for row, name in enumerate(names, 1)}
        classifier._columns = {name: column for column, name in enumerate(classes)}
        if counts.shape != (len(classifier._rows), len(classifier._columns)) or pages.shape != counts.shape[1:]:
            raise ValueError("its tables do not fit together")
        classifier._make_room()
        classifier._counts[1 : len(names) + 1, : len(classes)] = counts
        classifier._totals[: len(classes)] = counts.sum(axis=0)
        classifier._pages[: len(classes)] = pages
        return classifier


def _grown(size: int, needed: int) -> int:
    return size if needed <= size else max(needed, size * 5 // 4)


def _strongest(names: Sequence[str], values: Floats, most: int, least: int) -> list[tuple[str, float]]:
    """So many of the values above zero, the largest first; then so many of those below, the lowest first."""
    order = (-values).argsort(kind="stable").tolist()
    above = [place for place in order[:most] if values[place] > 0]
    below = [place for place in order[-1 : -least - 1 : -1] if values[place] < 0]
    return [(names[place], float(values[place])) for place in (*above, *below)]


def _unpacked(path: Path) -> int:
    with zipfile.ZipFile(path) as archive:
        return sum(member.file_size for member in archive.infolist())
