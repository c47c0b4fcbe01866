"""The weights of a link's features: where they start, and how they are corrected as pages come in.

A logistic regression whose weights are pulled back to where they started:

    Σ loss(σ(w · x), y) + λ/2 · ‖w − w₀‖²,   λ = 30

over the last thousand links that were followed; y is how relevant the page turned out to be, 0 if there was none.
"""

import math
import tomllib
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadInput
from thresher.strategy.link_features import FEATURES, NUMBER

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
SHIPPED = Path(__file__).with_name("apprentice_weights.toml")
BY_HAND: Mapping[str, float] = {
    "bias": -3.5, "page": 1.0, "page view": 0.5, "best page": 0.5, "page before": 0.3, "new page": 0.0,
    "anchor words": 1.0, "context words": 0.3, "url words": 0.2, "heading words": 0.3,
    "anchor odds": 0.8, "context odds": 0.4, "url odds": 0.3, "heading odds": 0.2,
    "lokman": 1.2, "concepts around": 0.2, "siblings": 1.0, "host": 0.5, "segment": 0.5, "directory": 0.5,
    "sibling answers": 0.5, "host answers": 1.5, "segment answers": 1.0, "host place": 0.8, "segment place": 0.8, "directory place": 0.4,
    "links": 0.1, "menu": -0.3, "media": -6.0,
    "unknown host": 2.0, "anchor phrase": 1.0, "shape": 0.5, "shape answers": 0.5,
}  # fmt: skip
"""Set by hand, before anything was fitted: what `thresher lab train` pulls its weights to."""
EXPLORING = ("anchor words", "sibling answers", "host answers", "host place", "media", "unknown host", "anchor phrase")
"""Weights that are not fitted. What exploring is worth shows in later pages, not in the one that was fetched: a regression on what came of
each link would take it away. Nor is there much to learn about what is hardly ever fetched."""
_REMEMBERED = 1000
_FEWEST = 10
_STEPS = 4
_PARTS_OF_A_STEP = (1.0, 0.3, 0.1, 0.02)
"""Far from the minimum a whole step can lead further away."""
_SHORT_STEP = 1e-4
"""Near the minimum each step is about the square of the one before: what would come after so short a one is nothing."""


class _Fit(NamedTuple):
    loss: float
    weights: Vector
    z: Vector
    """What the weights make of each example, as log-odds."""


class LinkWeights:
    """Weights that follow what comes of the links."""

    def __init__(self, start: Vector, strength: float) -> None:
        self.start, self._strength = start, strength
        self.now = start.copy()
        self._examples: deque[Vector] = deque(maxlen=_REMEMBERED)
        self._outcomes: deque[float] = deque(maxlen=_REMEMBERED)
        self._urls: deque[int] = deque(maxlen=_REMEMBERED)

    def restart(self, start: Vector) -> None:
        """Begin with other weights."""
        self.start, self.now = start, start.copy()

    @property
    def examples(self) -> Matrix:
        """The features of the last links that were followed, a row each."""
        # A list of rows takes `np.array` four times as long.
        rows = np.concatenate(self._examples) if self._examples else np.zeros(0)
        return rows.reshape(-1, len(self.start))

    @property
    def outcomes(self) -> Vector:
        """What came of each."""
        return np.array(self._outcomes)

    @property
    def urls(self) -> NDArray[np.uint64]:
        """The hash of the url that each led to."""
        return np.array(self._urls, np.uint64)

    def note(self, url: int, features: Vector, outcome: float) -> None:
        """Remember what came of a link."""
        self._examples.append(features)
        self._outcomes.append(outcome)
        self._urls.append(url)

    def set_right(self, url: int, outcome: float, times: int) -> None:
        """What came of the link to a url is known better, and counts as so many links."""
        known = [place for place, each in enumerate(self._urls) if each == url]
        for place in known:
            self._outcomes[place] = outcome
        if known:
            features = self._examples[known[-1]]
            for _ in range(times - len(known)):
                self.note(url, features, outcome)

    def correct(self) -> None:
        """Fit the weights anew, once there are a few examples."""
        if len(self._outcomes) >= _FEWEST:
            self.now = fitted(self.examples, self.outcomes, self.start, self._strength, self.now)

    def restore(self, now: Vector, examples: Matrix, outcomes: Vector, urls: NDArray[np.uint64]) -> None:
        """Take back weights and examples."""
        self.now = now
        self._examples.extend(examples)
        self._outcomes.extend(outcomes.tolist())
        self._urls.extend(urls.tolist())


def fitted(  # noqa: PLR0913, PLR0917 - a regression has so many parts
    x: Matrix, y: Vector, start: Vector, strength: float | Vector, begin: Vector | None = None, steps: int = _STEPS
) -> Vector:
    """The weights of a logistic regression that is pulled back to `start`, by a few steps of Newton's method."""
    pull = strength * np.ones(len(start))

    def at(weights: Vector) -> _Fit:
        z, away = x @ weights, weights - start
        return _Fit(float(np.logaddexp(0.0, z).sum() - y @ z + 0.5 * (pull * away) @ away), weights, z)

    now = at(start if begin is None else begin)
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(now.z, -30, 30)))
        curvature = x.T @ (x * (p * (1 - p) + 1e-4)[:, None]) + np.diag(pull)
        step = np.linalg.solve(curvature, x.T @ (p - y) + pull * (now.weights - start))
        best = _lowest(at(now.weights - part * step) for part in _PARTS_OF_A_STEP)
        if not best.loss < now.loss:
            break
        now = best
        if np.abs(step).max() < _SHORT_STEP:
            break
    return now.weights.copy()


def _lowest(ever_shorter: Iterator[_Fit]) -> _Fit:
    """Where the loss is lowest. Along a step it is convex: once a shorter one is worse, all that are still shorter are worse too."""
    best = next(ever_shorter)
    for fit in ever_shorter:
        if fit.loss >= best.loss:
            break
        best = fit
    return best


def vector(weights: Mapping[str, float]) -> Vector:
    """Weights by name, in the order of the features."""
    found = np.zeros(len(FEATURES))
    for name, weight in weights.items():
        found[NUMBER[name]] = weight
    return found


@cache
def read_weights(path: Path) -> Mapping[str, float]:
    """A table of start weights; an error says what is wrong with it."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))["weights"]
    except OSError as error:
        raise BadInput(f"{path}: weights cannot be read: {error.strerror or error}") from error
    except (ValueError, LookupError) as error:
        raise BadInput(f"{path}: not a table of weights: {error!r}") from error
    if (
        not isinstance(table, dict)
        or set(table) != set(FEATURES)
        or not all(isinstance(each, int | float) and math.isfinite(each) for each in table.values())
    ):
        raise BadInput(f"{path}: [weights] must have a finite number for each of: {', '.join(FEATURES)}")
    return table
