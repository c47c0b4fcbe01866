"""The settings of a crawl as they may be told to others: parts with their keys, files by their names only, since paths are private."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from thresher import plugins
from thresher.errors import ThresherError
from thresher.knowledge import Knowledge
from thresher.settings import Settings


def part_told(table: Mapping[str, Any]) -> str:
    """A part with its keys.

    >>> part_told({"name": "apprentice", "weights": "/home/me/weights.toml"})
    'apprentice (weights = weights.toml)'
    """
    keys = ", ".join(f"{key} = {_value(value)}" for key, value in table.items() if key != "name")
    return f"{table['name']} ({keys})" if keys else str(table["name"])


def _value(value: Any) -> str:
    match value:
        case str():
            return Path(value).name
        case Mapping():
            return part_told(value) if "name" in value else "{…}"
        case list() | tuple():
            return ", ".join(map(_value, value))
        case _:
            return str(value)


def knowledge_told(settings: Settings) -> Iterator[tuple[str, str]]:
    """What the topic was made of."""
    known: Knowledge = plugins.construct(Knowledge, settings.knowledge, "[knowledge]")
    named = {
        "sense": known.senses,
        "ontologies": [Path(each).name for each in known.ontologies],
        "own terms": [Path(known.terms).name] if known.terms else [],
        "taxonomy": [Path(known.taxonomy).name] if known.taxonomy else [],
        "classes sought": known.targets,
        "languages": known.languages,
    }
    return ((what, ", ".join(names)) for what, names in named.items() if names)


def threshold_told(settings: Settings) -> str:
    """The minimum relevance; the judge's own if the settings name none."""
    if "threshold" in settings.judge:
        return str(settings.judge["threshold"])
    try:
        known = plugins.parameters(plugins.find("judge", settings.judge["name"])).get("threshold")
    except ThresherError:
        known = None  # a judge of somebody's own, which is not here
    return (
        f"{known.default} (the judge's own)"
        if known is not None and known.default not in {known.empty, None}
        else "the judge's own"
    )
