"""Seeds from search engines, in front of a person: who is asked, who failed, what was found."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from thresher import plugins
from thresher.model import Url
from thresher.seed.initializer import Found, Search, find_seeds, queries_for
from thresher.seed.standing import Standing
from thresher.settings import Manners
from thresher.topic.topic import Topic

_STANDINGS: dict[Standing, str] = {
    "high": "found by several engines",
    "medium": "found several times by one engine",
    "low": "found once",
}


def seeds_for(wanted: Mapping[str, Any], concepts: Topic | None, console: Console) -> list[Url]:
    """Seeds for a topic, the surest first."""
    search: Search = plugins.construct(Search, wanted.get("search", {}), "[search]")
    manners: Manners = plugins.construct(Manners, wanted.get("polite", {}), "[polite]")
    engines = search.open_engines(manners.user_agent)
    queries = queries_for(str(wanted["topic"]), concepts)
    with console.status(f"asking {', '.join(engine.name for engine in engines)}"):
        found = asyncio.run(find_seeds(queries, engines, search.limit, allow_private=manners.allow_private))
    _tell(found, queries, console)
    return found.urls


def _tell(found: Found, queries: Sequence[str], console: Console) -> None:
    for engine, why in found.failed.items():
        console.print(f"[yellow]{escape(engine)}[/] skipped: {escape(why)}", soft_wrap=True)
    counts = Counter(seed.standing for seed in found.seeds)
    classes = ", ".join(f"{counts[standing]} {words}" for standing, words in _STANDINGS.items() if counts[standing])
    names = dict.fromkeys(name for seed in found.seeds for name in seed.engines)
    asked = " and ".join(escape(repr(query)) for query in queries)
    seeds = f"{len(found.seeds)} seed{'s' * (len(found.seeds) != 1)}"
    console.print(f"{seeds} for {asked} from {escape(', '.join(names))}: {classes}", soft_wrap=True)
    console.print(f"Starting with {escape(found.urls[0])}", soft_wrap=True)
