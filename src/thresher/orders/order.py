"""What can be ordered of a crawl, as values, and each as bytes for the inbox and back."""

import json
import math
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from thresher.errors import BadInput
from thresher.model import Host, Url
from thresher.urls import canonical, host_of

BudgetKey = Literal["pages", "relevant", "bytes", "minutes"]
BUDGET_KEYS: tuple[BudgetKey, ...] = get_args(BudgetKey)
MOST_BYTES = 8192
"""An order that takes more is none of ours; the longest url that a person could mean fits in."""
_MOST = 1e15
"""More pages or bytes than this is a mistake, and whole numbers beyond it are not exact."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Take no new page; those under way end."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """Go on after a pause."""


@dataclass(frozen=True, slots=True)
class StopCrawl:
    """End the crawl once the pages under way are settled."""


@dataclass(frozen=True, slots=True)
class More:
    """Give more budget."""

    key: BudgetKey
    amount: float

    def __post_init__(self) -> None:
        if self.key not in BUDGET_KEYS:
            raise BadInput(f"a budget has no {self.key!r:.50}: choose one of {', '.join(BUDGET_KEYS)}")
        if type(self.amount) not in {int, float} or not 0 < self.amount <= _MOST:
            raise BadInput(f"{self.amount!r:.50} more {self.key} makes no sense: give a number above 0, such as 500")
        if self.key != "minutes" and self.amount != math.floor(self.amount):
            raise BadInput(f"{self.amount:g} more {self.key} makes no sense: give a whole number, such as 500")


@dataclass(frozen=True, slots=True)
class Leave:
    """Ask nothing more of a host."""

    host: Host

    def __post_init__(self) -> None:
        if _host(self.host) != self.host:
            raise BadInput(f"{self.host!r:.300} is not a host such as example.org")


@dataclass(frozen=True, slots=True)
class First:
    """Fetch a url next, as soon as its host may be visited."""

    url: Url

    def __post_init__(self) -> None:
        _check(self.url)


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says of a page: relevant, not relevant, or None if it is skipped."""

    url: Url
    relevant: bool | None

    def __post_init__(self) -> None:
        _check(self.url)
        if self.relevant is not None and type(self.relevant) is not bool:
            raise BadInput(f"the label of {self.url} is {self.relevant!r:.50}, but must be True, False or None")


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo the last label of a page: the one before comes back, or none."""

    url: Url

    def __post_init__(self) -> None:
        _check(self.url)


Order = Pause | GoOn | StopCrawl | More | Leave | First | Label | TakeBack
_NAMES: dict[str, type[Order]] = {
    "pause": Pause,
    "go-on": GoOn,
    "stop": StopCrawl,
    "more": More,
    "leave": Leave,
    "first": First,
    "label": Label,
    "take-back": TakeBack,
}
_NAME_OF = {kind: name for name, kind in _NAMES.items()}


def name_of(order: Order) -> str:
    """The kind of an order, in a word: `pause`, `go-on`, `more` …"""
    return _NAME_OF[type(order)]


def leave(host: str) -> Leave:
    """The order to leave a host out; a url stands for its host."""
    found = _host(host) or _host(host_of(url) if (url := canonical(host)) else "")
    if found is None:
        raise BadInput(f"{host!r:.300} is not a host such as example.org")
    return Leave(found)


def web_url(text: str) -> Url:
    """The one spelling of a url that somebody typed."""
    url = canonical(text)
    if url is None:
        raise BadInput(f"{text!r:.300} is not an address that begins with http:// or https://")
    return url


def to_bytes(order: Order) -> bytes:
    """An order as the inbox keeps it."""
    said = json.dumps({"order": name_of(order), **asdict(order)}, ensure_ascii=False).encode("utf-8", "replace")
    if len(said) > MOST_BYTES:
        raise BadInput(
            f"the order takes {len(said):,} bytes, but at most {MOST_BYTES:,}: {said[:80].decode(errors='replace')}…"
        )
    return said


def from_bytes(said: bytes) -> Order:
    """The order that the inbox kept; whatever is none raises BadInput."""
    try:
        # Python's reader takes any depth up to its own limit, and raises beyond it.
        values: Any = json.loads(said)
        kind = _NAMES[values.pop("order")]
        return kind(**values)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput("it is no order that this Thresher knows") from error


def _check(url: Url) -> None:
    if not isinstance(url, str) or canonical(url) != url:
        raise BadInput(f"{url!r:.300} is not the address of a page, spelt as the crawl spells it")


def _host(text: str) -> Host | None:
    """The host that a text names, in its one spelling."""
    if not isinstance(text, str) or set(text) & set("/\\?#@* ") or not text.strip("."):
        return None
    url = canonical(f"{'https' if text.endswith(':443') else 'http'}://{text}/")
    return None if url is None else host_of(url)
