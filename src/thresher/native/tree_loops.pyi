from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

FUNCTIONS: tuple[str, ...]

def use(addresses: Sequence[int | None]) -> None: ...
def flat_tree(
    root: int, kinds: bytes, names: tuple[tuple[bytes, str], ...], wanted: NDArray[np.uint32], hides: bool
) -> tuple[bytes, list[int], list[Any], set[int]]: ...
