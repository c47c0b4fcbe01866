"""The questions that the UTS REST API of the National Library of Medicine answers, as far as a topic needs them.

Documented at documentation.uts.nlm.nih.gov/rest. Lists come in pages (`pageNumber`, `pageSize`, `pageCount`); nothing is a 404, an empty
list, or the word NONE.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, NoReturn
from urllib.parse import quote, unquote, urlsplit

from thresher.errors import NoAnswer
from thresher.online.json_client import JsonClient

_PAGE = 200
_MOST_PAGES = 50
_NOTHING = ("", "NONE", "NOCODE")
Fields = dict[str, Any]


class UmlsNode(NamedTuple):
    """A concept, or what one source has in its place."""

    source: str
    """Empty for what is NLM's own."""
    code: str
    name: str = ""

    @property
    def id(self) -> str:
        """`MSH:D004775`, `C0270327`."""
        return f"{self.source}:{self.code}" if self.source else self.code


class Atom(NamedTuple):
    """A name that a source gives a concept."""

    name: str
    language: str
    source: str
    term_type: str
    place: UmlsNode | None
    """Where it stands in its source."""


class Relation(NamedTuple):
    """The concept asked about *is* the `label` of `other`: with CHD the other is its parent, with PAR its child."""

    label: str
    other: UmlsNode


class Record(NamedTuple):
    """What is said of a CUI at once."""

    name: str
    types: tuple[str, ...]


class Uts:
    """One release, seen through some sources and languages (all if empty)."""

    def __init__(self, client: JsonClient, version: str, sources: Sequence[str], languages: Sequence[str]) -> None:
        self._client = client
        self._version = _part(version)
        self._sources, self._languages = sources, languages

    async def search(self, phrase: str) -> list[str]:
        """The CUIs that have exactly this name, the best first."""
        question = self._seen(string=phrase, searchType="exact", pageNumber=1, pageSize=_PAGE)
        answer = await self._client.ask(f"/search/{self._version}", question)
        results = self._list(self._object(answer).get("results", []))
        return [ui for entry in results if (ui := _text(entry, "ui"))]

    async def record(self, cui: str) -> Record:
        """Its preferred name and semantic types."""
        result = self._object(await self._client.ask(self._of(cui), {}))
        types = result.get("semanticTypes", [])
        named = (_text(each, "name") for each in types if isinstance(each, dict)) if isinstance(types, list) else ()
        return Record(_text(result, "name"), tuple(filter(None, named)))

    async def atoms(self, cui: str) -> list[Atom]:
        """Its names."""
        # The server can filter by one language only.
        language = {"language": self._languages[0]} if len(self._languages) == 1 else {}
        found = await self._pages(f"{self._of(cui)}/atoms", **self._seen(**language))
        atoms = [_atom(entry) for entry in found if _text(entry, "name") and not _withdrawn(entry)]
        return [atom for atom in atoms if self._wanted(atom)]

    async def definition(self, cui: str) -> str:
        """The first, or nothing."""
        found = await self._pages(f"{self._of(cui)}/definitions", **self._seen())
        return next((value for entry in found if (value := _text(entry, "value"))), "")

    async def relations(self, cui: str, labels: Iterable[str]) -> list[Relation]:
        """Those with one of the labels."""
        wanted = sorted(labels)
        question = self._seen(includeRelationLabels=",".join(wanted))
        found = await self._pages(f"{self._of(cui)}/relations", **question)
        pairs = [(_text(entry, "relationLabel"), _node(entry, "relatedId", "relatedIdName")) for entry in found]
        return [Relation(label, other) for label, other in pairs if label in wanted and other]

    async def parents(self, node: UmlsNode) -> list[UmlsNode]:
        """One step up in its source."""
        return await self._beside(node, "parents")

    async def children(self, node: UmlsNode) -> list[UmlsNode]:
        """One step down in its source."""
        return await self._beside(node, "children")

    async def _beside(self, node: UmlsNode, direction: str) -> list[UmlsNode]:
        found = await self._pages(
            f"/content/{self._version}/source/{_part(node.source)}/{_part(node.code)}/{direction}"
        )
        nodes = [UmlsNode(_text(entry, "rootSource"), _text(entry, "ui"), _text(entry, "name")) for entry in found]
        return [each for each in nodes if all(each)]

    async def _pages(self, path: str, **question: str | int) -> list[Fields]:
        entries: list[Fields] = []
        number, count = 1, 1
        while number <= count:
            answer = await self._client.ask(path, {**question, "pageNumber": number, "pageSize": _PAGE})
            if answer is None or not (fresh := self._list(answer.get("result"))):
                break
            entries += fresh
            count = self._count(answer, path)
            number += 1
        return entries

    def _count(self, answer: Fields, path: str) -> int:
        count = answer.get("pageCount", 1)
        if isinstance(count, int) and count <= _MOST_PAGES:
            return count
        raise self._client.no_answer(f"{count!r:.40} pages of {path}, where at most {_MOST_PAGES} make sense")

    def _object(self, answer: Fields | None) -> Fields:
        result = {} if answer is None else answer.get("result")
        return result if isinstance(result, dict) else self._odd(result)

    def _list(self, entries: Any) -> list[Fields]:
        if entries in _NOTHING:
            return []
        if isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries):
            return [entry for entry in entries if entry.get("ui") not in _NOTHING]
        return self._odd(entries)

    def _odd(self, what: Any) -> NoReturn:
        raise self._client.odd(what)

    def _seen(self, **question: str | int) -> dict[str, str | int]:
        return {**question, "sabs": ",".join(self._sources)} if self._sources else question

    def _wanted(self, atom: Atom) -> bool:
        return (not self._sources or atom.source in self._sources) and (
            not self._languages or atom.language in self._languages
        )

    def _of(self, cui: str) -> str:
        return f"/content/{self._version}/CUI/{_part(cui)}"


def _part(part: str) -> str:
    """A part of a path, quoted; one of dots alone would lead elsewhere and is refused."""
    if not part.strip("."):
        raise NoAnswer(f"{part!r} is no id")
    return quote(part, safe="")


def _text(entry: Fields, key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _atom(entry: Fields) -> Atom:
    name, language, source, term_type = (_text(entry, key) for key in ("name", "language", "rootSource", "termType"))
    return Atom(name, language, source, term_type, _node(entry, "code", "name"))


def _withdrawn(entry: Fields) -> bool:
    return any(str(entry.get(flag)).lower() == "true" for flag in ("suppressible", "obsolete"))


def _node(entry: Fields, key: str, name: str) -> UmlsNode | None:
    """The concept or source entry named by an address such as `…/source/MSH/D004775` or `…/CUI/C0270327`; it is never followed."""
    parts = [unquote(part) for part in urlsplit(_text(entry, key)).path.split("/")]
    if len(parts) < 3 or parts[-1] in _NOTHING:
        return None
    return UmlsNode(parts[-2] if parts[-3] == "source" else "", parts[-1], _text(entry, name))
