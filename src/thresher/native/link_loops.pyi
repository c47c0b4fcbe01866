from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.model import Candidate, Link, Url

def joined(
    origin: str, directory: str, hrefs: list[str], origins: dict[str, Url]
) -> tuple[list[Url | None], list[int]]: ...
def numbers_of(
    rows: Sequence[tuple[Any, ...]], column: int, table: NDArray[np.int64], ask: Callable[[Url], int]
) -> list[int]: ...
def above(candidates: list[Candidate], keys: list[int], table: NDArray[np.int64]) -> list[tuple[int, Candidate]]: ...
def candidates(
    made: type[Candidate], links: Sequence[Link], priorities: list[float], depth: int, url: Url
) -> list[Candidate]: ...
def seen_links(
    made: type[Link],
    url: Url,
    text: str,
    anchors: list[Any],
    spans: list[tuple[int, int]],
    navigation: list[bool],
    above: list[str],
    chosen: dict[Url, int],
) -> list[Link]: ...
