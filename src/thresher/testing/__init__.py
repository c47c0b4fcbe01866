"""For those who write a part: a check or a contract suite for each port, and small webs to crawl in tests.

What comes in is your part, or a function that makes it; what comes out is silence, or an AssertionError with a sentence that says which
promise is broken. The parts of Thresher itself pass the same suites (`tests/contract`).

- `strategy.py`: `check_strategy` runs whole crawls over a small web, stops and resumes them, and passes pages such as the web gives;
  `check_judge` judges real and odd pages, in any order. Both take a function that makes a new part.
- `sharing.py`: `check_sharing`, a part of it: what workers of one crawl tell each other.
- `encoder.py`: `check_encoder` encodes texts such as pages have, for an encoder of the judge `meaning`.
- `translator.py`: `check_translator` translates texts such as pages have, for a translator of `[knowledge]`.
- `frontier.py`, `frontier_order.py`, `frontier_hosts.py`: `FrontierContract`, a class of tests to inherit: order, leases, manners
  towards hosts.
- `durable_frontier.py`: `DurableFrontierContract`, for a frontier that must survive a crash.
- `store_contract.py`: `StoreContract`, the same for a store, and visits to keep in it.
- `simulated_web.py`: `SimulatedWeb`, a web in a dictionary, as a fetcher that remembers what it was asked.
- `LocalWeb`, of `lab/webs`: a small web and a search engine for it, served on this machine; for examples and notebooks.
- `iris.py`: a generated web about two kinds of iris, and all that a part may ask to know of it. It needs no extra.

Nothing here is imported by a crawl. pytest is needed by the contract suites only, so each name is imported when it is asked for.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "DurableFrontierContract": "durable_frontier",
    "FrontierContract": "frontier",
    "LocalWeb": "..lab.webs.local_web",
    "SimulatedWeb": "simulated_web",
    "StoreContract": "store_contract",
    "check_encoder": "encoder",
    "check_judge": "strategy",
    "check_strategy": "strategy",
    "check_translator": "translator",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES[name]
    return getattr(import_module(home if home.startswith(".") else f".{home}", __name__), name)
