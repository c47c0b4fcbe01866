"""UMLS without a release on disk: what the National Library of Medicine answers about a few phrases.

The order is that of Lokman's connector (Kayışoğlu 2005, §3.4.3.1): the exact phrase gives a CUI, the CUI its names and relations, and
its places in the sources the context: parents, children, and the parents' other children. All questions of a topic go over one session.

This product uses publicly available data from the U.S. National Library of Medicine (NLM), National Institutes of Health, Department of
Health and Human Services; NLM is not responsible for the product and does not endorse or recommend this or any other product.
"""

from asyncio import TaskGroup
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from thresher.disk.caches import cache_folder
from thresher.errors import BadInput
from thresher.event_loops import run_to_end
from thresher.online.json_client import JsonClient, RequestPolicy
from thresher.online.keys import SERVICE, key_of
from thresher.online.uts import Atom, Record, Relation, UmlsNode, Uts
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.places import UMLS_KEY
from thresher.ontology.readers.umls_rrf import LANGUAGES, SOURCES, code_of, plain_name

BASE = "https://uts-ws.nlm.nih.gov/rest"

_BROADER, _ALIKE = frozenset({"CHD", "RN"}), "SY"
_MOST_PLACES = 8
_SHORTEST_KEY = 16


class NotInUmls(BadInput):
    """A phrase that UMLS does not have."""


class _Family(NamedTuple):
    """What stands around one place of a concept in a source."""

    parents: list[UmlsNode]
    children: list[UmlsNode]
    siblings: list[tuple[UmlsNode, UmlsNode]]
    """Each with the parent it shares."""


class Umls:
    """Asks UMLS about phrases."""

    def __init__(  # noqa: PLR0913 - all have defaults, and each is a different thing
        self,
        key: str | None = None,
        *,
        base: str = "",
        version: str = "current",
        languages: Iterable[str] = ("ENG",),
        sources: Iterable[str] = SOURCES,
        kept: Path | None = None,
        policy: RequestPolicy | None = None,
    ) -> None:
        """Say whom to ask and for what.

        Args:
            key: the API key; by default what UMLS_API_KEY holds, or the keyring under that name.
            base: scheme, host and path of the API; by default NLM's.
            version: `current`, or a release such as `2025AA`.
            languages: `ENG` or `en` …, the one for the preferred name first; all if empty.
            sources: `MSH`, `SNOMEDCT_US` …; all if empty.
            kept: the folder for answers; by default one in Thresher's cache.
            policy: how often and how fast to ask.
        """
        self._key = _checked(key or key_of(UMLS_KEY))
        self._base, self._version = base or BASE, version
        self._languages = [code_of(language) for language in languages]
        self._sources = list(sources)
        self._kept = kept or cache_folder() / "umls"
        self._policy = policy or RequestPolicy()

    async def concepts(self, phrases: Sequence[str]) -> list[Concept]:
        """The concepts that the phrases mean, and their neighbours."""
        try:
            async with self._client() as client:
                return await self._asked(Uts(client, self._version, self._sources, self._languages), phrases)
        except BaseExceptionGroup as several:
            problem = _first(several)
        raise problem

    def _client(self) -> JsonClient:
        return JsonClient(
            "UMLS",
            self._base,
            key=self._key,
            key_field="apiKey",
            policy=self._policy,
            kept=self._kept,
            may_be_absent=True,
        )

    async def _asked(self, uts: Uts, phrases: Sequence[str]) -> list[Concept]:
        async with TaskGroup() as group:
            found = [group.create_task(uts.search(phrase)) for phrase in phrases]
        ranks = {cui: rank for task in found for rank, cui in enumerate(task.result())}
        if not ranks:
            named = " or ".join(map(repr, phrases))
            raise NotInUmls(f"UMLS has no {named} in {', '.join(self._sources) or 'any source'}")
        async with TaskGroup() as group:
            around = [group.create_task(self._around(uts, cui, rank)) for cui, rank in ranks.items()]
        return _merged(concept for task in around for concept in task.result())

    async def _around(self, uts: Uts, cui: str, rank: int) -> list[Concept]:
        """A concept and its neighbours."""
        async with TaskGroup() as group:
            record, gloss = group.create_task(uts.record(cui)), group.create_task(uts.definition(cui))
            atoms, relations = (
                group.create_task(uts.atoms(cui)),
                group.create_task(uts.relations(cui, {*_BROADER, _ALIKE})),
            )
        places = {atom.place.id: atom.place for atom in atoms.result() if atom.place}
        async with TaskGroup() as group:
            families = [group.create_task(_family(uts, place)) for place in list(places.values())[:_MOST_PLACES]]
        labels = self._labels(record.result(), atoms.result(), relations.result(), rank)
        concept = Concept(cui, labels, gloss.result(), kind="; ".join(record.result().types))
        above = [relation.other for relation in relations.result() if relation.label in _BROADER]
        return _neighbourhood(concept, places, above, [task.result() for task in families])

    def _labels(
        self, record: Record, atoms: Iterable[Atom], relations: Iterable[Relation], rank: int
    ) -> tuple[ConceptLabel, ...]:
        """The preferred name, the other names, and last the names that belong to other concepts."""
        order = {code: place for place, code in enumerate(self._languages)}
        # NLM's preferred name is English.
        first = [(record.name, "ENG")] if record.name and self._languages[:1] in ([], ["ENG"]) else []
        others = [
            (plain_name(atom.name, atom.term_type), atom.language)
            for atom in sorted(atoms, key=lambda atom: order.get(atom.language, 0))
        ]
        lent = [(each.other.name, "ENG") for each in relations if each.label == _ALIKE and each.other.name]
        labels: dict[tuple[str, str], ConceptLabel] = {}
        for place, names in ((rank, first + others), (rank + 1, lent)):
            for text, code in names:
                language = LANGUAGES.get(code, code.lower())
                label = ConceptLabel(text, language, "exact" if labels else "preferred", place)
                labels.setdefault((language, text.casefold()), label)
        return tuple(labels.values())


def look_up(phrases: Sequence[str], umls: Umls | None = None) -> Iterator[Concept]:
    """The same for code that does not wait: the concepts for `Ontology.of`."""
    asked = umls or Umls()
    return iter(run_to_end(asked.concepts(phrases)))


async def _family(uts: Uts, place: UmlsNode) -> _Family:
    async with TaskGroup() as group:
        parents, children = group.create_task(uts.parents(place)), group.create_task(uts.children(place))
    async with TaskGroup() as group:
        beside = [(parent, group.create_task(uts.children(parent))) for parent in parents.result()]
    siblings = [(sibling, parent) for parent, task in beside for sibling in task.result()]
    return _Family(parents.result(), children.result(), siblings)


def _neighbourhood(
    concept: Concept, places: Iterable[str], above: Iterable[UmlsNode], families: Iterable[_Family]
) -> list[Concept]:
    """The concept under its parents, its siblings beside it, its children below. Its own places in the sources are itself."""
    own = {concept.id, *places}
    families = list(families)
    parents = [
        node for node in (*above, *(node for family in families for node in family.parents)) if node.id not in own
    ]
    concept = concept._replace(broader=tuple(dict.fromkeys(node.id for node in parents)))
    beside = [(node, parent.id) for family in families for node, parent in family.siblings if node.id not in own]
    below = [(node, concept.id) for family in families for node in family.children if node.id not in own]
    return [concept, *map(_named, parents), *(_named(node, broader) for node, broader in (*beside, *below))]


def _named(node: UmlsNode, *broader: str) -> Concept:
    return Concept(node.id, (ConceptLabel(node.name, kind="preferred"),) if node.name else (), broader=broader)


def _merged(concepts: Iterable[Concept]) -> list[Concept]:
    """Each id once, under all that was broader; the first that has names gives them."""
    merged: dict[str, Concept] = {}
    for concept in concepts:
        known = merged.setdefault(concept.id, concept)
        broader = tuple(dict.fromkeys((*known.broader, *concept.broader)))
        merged[concept.id] = max(known, concept, key=lambda each: len(each.labels))._replace(broader=broader)
    return list(merged.values())


def _first(problem: BaseException) -> BaseException:
    """The first of several errors that happened at once."""
    return _first(problem.exceptions[0]) if isinstance(problem, BaseExceptionGroup) else problem


def _checked(key: str) -> str:
    key = key.strip()
    if not key:
        raise BadInput(
            f"UMLS wants an API key: set {UMLS_KEY} in the environment, or run keyring set {SERVICE} {UMLS_KEY}; you find"
            " yours in your profile at https://uts.nlm.nih.gov/uts/profile"
        )
    if len(key) < _SHORTEST_KEY or not key.isascii() or not key.isprintable():
        raise BadInput(f"{UMLS_KEY} does not hold an API key: those are 36 letters, digits and hyphens")
    return key
