"""Orders as a person types them: `pause`, `pages +500`, `leave example.org`, `label URL yes`."""

from collections.abc import Callable, Sequence

from thresher.errors import BadInput, did_you_mean
from thresher.orders.order import (
    BUDGET_KEYS,
    First,
    GoOn,
    Label,
    More,
    Order,
    Pause,
    StopCrawl,
    TakeBack,
    leave,
    web_url,
)

_VERDICTS: dict[str, bool | None] = {"yes": True, "no": False, "skip": None}
_ALONE: dict[str, Callable[[], Order]] = {"pause": Pause, "go-on": GoOn, "stop": StopCrawl}
_OF_ONE: dict[str, Callable[[str], Order]] = {
    "leave": leave,
    "first": lambda url: First(web_url(url)),
    "take-back": lambda url: TakeBack(web_url(url)),
}
_TAKES = {"leave": "a host, such as example.org", "first": "a url", "take-back": "the url of a page"}
CHOICES = (
    "pause, go-on, stop, pages +N, relevant +N, bytes +N, minutes +N, leave HOST, first URL, label URL yes|no|skip,"
    " take-back URL"
)


def order_of(words: Sequence[str]) -> Order:
    """The order that was typed; it is an error if it is none."""
    # `go on` is how one says it.
    name, *rest = ["go-on", *words[2:]] if list(words[:2]) == ["go", "on"] else words or [""]
    if name in _ALONE:
        if rest:
            raise BadInput(f"{name} takes nothing more{_instead(rest)}")
        return _ALONE[name]()
    if name in BUDGET_KEYS:
        return _more(name, rest)
    if name in _OF_ONE:
        if len(rest) != 1:
            raise BadInput(f"{name} takes {_TAKES[name]}{_instead(rest)}")
        return _OF_ONE[name](rest[0])
    if name == "label":
        return _label(rest)
    known = [*_ALONE, *BUDGET_KEYS, *_OF_ONE, "label"]
    said = f"{name!r:.100} is no order{did_you_mean(name, known)}" if name else "no order is given"
    raise BadInput(f"{said}: choose one of {CHOICES}")


def _more(key: str, rest: Sequence[str]) -> More:
    if len(rest) != 1:
        raise BadInput(f"{key} takes how many more, such as +500{_instead(rest)}")
    number = rest[0]
    try:
        amount = float(number.replace(",", "").replace("_", ""))
    except ValueError:
        raise BadInput(f"{key} takes how many more, such as +500, not {number!r:.100}") from None
    if not number.startswith("+"):
        raise BadInput(
            f"{key} {number:.100}: write +{number.lstrip('-'):.100} if you mean so many more; a new limit is for thresher crawl"
        )
    return More(key, int(amount) if amount.is_integer() else amount)  # type: ignore[arg-type]  # the caller has looked


def _label(rest: Sequence[str]) -> Label:
    if len(rest) != 2:
        raise BadInput(f"label takes the url of a page, and yes, no or skip{_instead(rest)}")
    url, verdict = rest
    if verdict not in _VERDICTS:
        raise BadInput(f"{verdict!r:.100} is no label{did_you_mean(verdict, list(_VERDICTS))}: choose yes, no or skip")
    return Label(web_url(url), _VERDICTS[verdict])


def _instead(rest: Sequence[str]) -> str:
    return f", not {' '.join(rest)!r:.100}" if rest else ""
