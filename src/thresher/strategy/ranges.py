"""Keys of a strategy that must lie within a range."""

from math import inf, isfinite

from thresher.errors import BadInput


def within(strategy: str, low: float, high: float = inf, **keys: float) -> None:
    """Raise `BadInput` for a key whose value is out of range.

    >>> within("shark-search", 0, 1, beta=0.8, r=2)
    Traceback (most recent call last):
    thresher.errors.BadInput: strategy 'shark-search': r is 2, but must be from 0 to 1
    """
    limits = f"at least {low}" if high == inf else f"from {low} to {high}"
    for key, value in keys.items():
        if not (low <= value <= high and isfinite(value)):
            raise BadInput(f"strategy {strategy!r}: {key} is {value}, but must be {limits}")
