"""Profiles: the switches of a strategy as its paper has them, and as they work better."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Literal

from thresher.errors import BadInput

Profile = Literal["paper", "robust"]
"""`paper` takes the paper at its word; `robust` mends what breaks, as the strategy's docstring says."""


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
