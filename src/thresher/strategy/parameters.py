"""Parameters of a strategy: profiles, which set several at once, and ranges that values must lie within."""

from collections.abc import Mapping
from math import inf, isfinite
from types import SimpleNamespace
from typing import Any, Literal

from thresher.errors import BadInput

Profile = Literal["paper", "robust"]
"""`paper` follows the paper exactly; `robust` repairs what fails in practice, as the strategy's docstring says."""


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


def switches(
    strategy: str, profile: Profile, profiles: Mapping[str, Mapping[str, Any]], **given: Any
) -> SimpleNamespace:
    """The switches of a profile; those that were given, and are not None, replace its own.

    >>> switches("lin", "paper", {"paper": {"window": 10}, "robust": {"window": 20}}, window=None)
    namespace(window=10)
    """
    if profile not in profiles:
        raise BadInput(f"strategy {strategy!r} has no profile {profile!r}; its profiles: {', '.join(profiles)}")
    return SimpleNamespace(
        **{**profiles[profile], **{name: value for name, value in given.items() if value is not None}}
    )
