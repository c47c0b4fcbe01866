"""Judge a page by what it means: how near its text is to the topic as embeddings see it, together with the topic's words.

    cos = max(0, cosine of the topic and of the page)          the page: title, headings and the first 1,200 letters of its main text
    raw = (raw score of `terms` + cos) / 2                      relevance: the calibrated probability of `raw`

The topic is all that was typed, a sentence or words. A page that says the same in other words is found, and so is a topic that no ontology
knows. Words are kept as half of it, since embeddings alone take all that is near for the thing itself: over 9 topics of three recorded
webs, typed with keywords, average precision is .59 by words, .60 by embeddings and .65 by both; typed as one word .28, .42 and .41. Beside
`terms`, over thirteen tasks: .69 to .66 with keywords, .53 to .43 with the phrase alone (docs/reference/judges.md).

With example pages the mean of two is taken for cos, that of the topic and

    like = ½ · max(0, 2 · c / own − 1)        c: cosine of the page and the mean of the examples
                                              own: mean cosine of each example and the mean of the others

Pages of one site are all alike to some degree: on the labelled webs any page is about half as near to ten examples as they are to each
other, and counts as 0 by this; one as near as they are counts as ½, as pages on topic do by the topic's words.
docs/reference/judges.md has the figures.

Any object with `encode(texts)` that gives a row of numbers a text can take the place of the embeddings: `encoder = "module:name"` in a
crawl file, the object itself in Python. `thresher.testing.check_encoder` says whether it keeps its promises.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadInput, Missing
from thresher.install_hint import install_hint
from thresher.judge.calibration import curve
from thresher.judge.terms import TermsJudge
from thresher.language.extras import extra
from thresher.model import Evidence, Judgement, Page
from thresher.ports import Encoder
from thresher.topic import Topic

Direction = NDArray[np.float64]

_HEADINGS, _LETTERS = 300, 1200
_LEAST_ALIKE = 0.1


class MeaningJudge:
    """Relevance by meaning: embeddings of topic and page, and the topic's words."""

    def __init__(
        self,
        topic: Topic,
        threshold: float = 0.5,
        encoder: Encoder | str = "",
        *,
        raw: bool = False,
        examples: Sequence[str] = (),
    ) -> None:
        if not 0 <= threshold <= 1:
            raise BadInput(f"judge 'meaning': threshold is {threshold}, but must be from 0 to 1")
        self._encoder = _named(encoder) if isinstance(encoder, str) else encoder
        self._words = TermsJudge(topic, raw=True)
        self._topic = _direction(self._encoder.encode([", ".join(topic.phrases)]))
        self._examples = (
            _Examples([_direction(self._encoder.encode([text])) for text in examples]) if examples else None
        )
        self.threshold = threshold
        self._curve = None if raw else curve("meaning")

    def judge(self, page: Page) -> Judgement:
        """Judge one page."""
        text = page_text(page)
        if not text:
            return Judgement(0.0, relevant=False)
        said = self._words.judge(page)
        near = self._nearness(text)
        raw = min(1.0, (said.relevance + near) / 2)
        relevance = self._curve(raw) if self._curve else raw
        return Judgement(relevance, relevance >= self.threshold, (Evidence("meaning", "judge", near), *said.evidence))

    def _nearness(self, text: str) -> float:
        row = _direction(self._encoder.encode([text]))
        near = max(0.0, float(row @ self._topic))
        return near if self._examples is None else (near + self._examples.likeness(row)) / 2


class _Examples:
    """Pages such as are looked for, as directions."""

    def __init__(self, rows: Sequence[Direction]) -> None:
        if len(rows) < 2:
            raise BadInput("judge 'meaning': there is one example page, but it takes at least two, better five")
        total: Direction = np.sum(rows, axis=0)
        self._mean = _unit(total)
        self._own = float(np.mean([row @ _unit(total - row) for row in rows]))
        if self._own < _LEAST_ALIKE:
            raise BadInput(
                f"judge 'meaning': the {len(rows)} example pages have nothing in common: give pages on one topic"
            )

    def likeness(self, row: Direction) -> float:
        """How like them a page is: 0 if it is half as near to them as they are to each other, ½ if it is as near."""
        return min(1.0, max(0.0, float(row @ self._mean) / self._own - 0.5))


def page_text(page: Page) -> str:
    """What a page is about, shortly: what embeddings see of it."""
    return ". ".join(filter(None, (page.title, ". ".join(page.headings)[:_HEADINGS], page.main[:_LETTERS]))).strip()


def _direction(rows: NDArray[np.float32]) -> Direction:
    """The one row, of length 1."""
    return _unit(np.asarray(rows, dtype=np.float64)[0])


def _unit(vector: Direction) -> Direction:
    """The vector with length 1; one of zeros stays as it is."""
    length = float(np.linalg.norm(vector))
    unit: Direction = vector / length if length > 0 else vector
    return unit


def _named(name: str) -> Encoder:
    if not name:
        return StaticEmbeddings()
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadInput(f"judge 'meaning': encoder {name!r} cannot be imported: {error}; write 'module:name'") from error
    made: Encoder = found() if isinstance(found, type) else found
    if not hasattr(made, "encode"):
        raise BadInput(f"judge 'meaning': encoder {name!r} has no encode(texts)")
    return made


# ── the embeddings that come with the extra ──


class StaticEmbeddings:
    """The static embeddings of wordllama: a text is the mean of the vectors of its tokens, 256 numbers. No network; English.

    The package is under the MIT licence. Its weights were made from the token embeddings of Llama 2 70B, so that Meta's Llama 2 Community
    License may hold for them: see docs/reference/judges.md.
    """

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text."""
        return _latest(texts[0]) if len(texts) == 1 else _encoded(texts)


@lru_cache(1)
def _latest(text: str) -> NDArray[np.float32]:
    """Several judges may ask for the same page one after the other, as they do in the lab."""
    return _encoded([text])


def _encoded(texts: Sequence[str]) -> NDArray[np.float32]:
    with np.errstate(invalid="ignore"):
        found: NDArray[np.float32] = np.asarray(_model().embed(list(texts), norm=True), dtype=np.float32)
    # A text without a token has no direction.
    return np.nan_to_num(found)


@cache
def _model() -> Any:
    wordllama = extra("wordllama")
    if wordllama is None:
        raise Missing(f"judge 'meaning' needs embeddings: {install_hint('meaning')}, or name an encoder of your own")
    # It would ask the network for what lies beside it.
    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
