"""UMLS from a licensed release on disk: the folder META with its RRF files, or one that MetamorphoSys made of it.

The columns, as the UMLS Reference Manual (chapter 3, Metathesaurus - Rich Release Format) names them, stand below. What is read:

- MRCONSO, the names: atoms with SUPPRESS = N, of the languages (LAT) and sources (SAB) asked for. The atom with TS = P, STT = PF and
  ISPREF = Y gives the preferred name, or the nearest to it that the sources asked for have; all others are exact names.
- MRREL, the relations. REL is "the relationship which the second concept has to the first": in `C1|…|PAR|C2|…` C2 is the parent *of* C1.
  PAR and RB, and CHD and RN turned round, are broader; RO and RQ are related; SY lends the name of the other concept.
- MRHIER, the hierarchies, only where there is no MRREL: an atom's PAUI is its parent.
- MRSTY, the semantic types, and MRDEF, the definitions, where they are there.

Memory does not grow with the names: only relations are held, eight bytes each, and sorted. Files are sorted by CUI, as NLM ships them.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from thresher.errors import BadInput
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.places import UMLS_KEY, UMLS_RELEASE, umls_release
from thresher.ontology.readers.rrf_tables import Pairs, RrfTable, SortedLookup, in_order, printable, rows, text

_MRCONSO = RrfTable("MRCONSO", "CUI LAT TS LUI STT SUI ISPREF AUI SAUI SCUI SDUI SAB TTY CODE STR SRL SUPPRESS CVF")
_MRREL = RrfTable("MRREL", "CUI1 AUI1 STYPE1 REL CUI2 AUI2 STYPE2 RELA RUI SRUI SAB SL RG DIR SUPPRESS CVF")
_MRHIER = RrfTable("MRHIER", "CUI AUI CXN PAUI SAB RELA PTR HCD CVF")
_MRSTY = RrfTable("MRSTY", "CUI TUI STN STY ATUI CVF")
_MRDEF = RrfTable("MRDEF", "CUI AUI ATUI SATUI SAB DEF SUPPRESS CVF")

HOW_TO_GET_IT = f"set {UMLS_RELEASE} (a release on disk) or {UMLS_KEY} (the service)"

SOURCES = ("MSH", "SNOMEDCT_US")
"""The sources of Lokman (Kayışoğlu 2005), which the ontology `umls` has."""

_PAIRS = (
    "ARA ar BAQ eu CHI zh CZE cs DAN da DUT nl ENG en EST et FIN fi FRE fr GER de GRE el HEB he HUN hu ITA it JPN ja KOR ko LAV lv "
    "NOR no POL pl POR pt RUS ru SCR hr SPA es SWE sv TUR tr UKR uk"
)
LANGUAGES: Mapping[str, str] = dict(re.findall(r"(\w+) (\w+)", _PAIRS))
"""The codes of languages in UMLS, with those of ISO 639-1."""

_CODES = {iso: code for code, iso in LANGUAGES.items()}
_TAG = re.compile(r"\s\([^()]++\)$")
_SEPARATOR = "; "


class _Choice(NamedTuple):
    """Which atoms are wanted."""

    languages: tuple[bytes, ...]
    sources: frozenset[bytes]

    def source(self, source: bytes) -> bool:
        return not self.sources or source in self.sources


class _Atom(NamedTuple):
    """A name as MRCONSO has it; atoms sort with the preferred name first."""

    order: tuple[int, bool, bool, bool]
    language: str
    text: str
    source: bytes


def read(path: Path, *, languages: Iterable[str] = ("ENG",), sources: Iterable[str] = ()) -> Iterator[Concept]:
    """The concepts of a release, by CUI.

    Args:
        path: the folder with MRCONSO.RRF (or MRCONSO.RRF.gz), or that file.
        languages: `ENG` or `en` …, the one for the preferred name first; all if empty.
        sources: `MSH`, `SNOMEDCT_US` …; all if empty.
    """
    folder, names = umls_release(path)
    choice = _Choice(tuple(code_of(one).encode() for one in languages), frozenset(one.encode() for one in sources))
    *relations, synonyms = _relations(folder, names, choice)
    lent = _preferred(names, choice, synonyms.seconds()) if len(synonyms) else {}
    broader, related, alike = (SortedLookup(pairs) for pairs in (*relations, synonyms))
    kinds, glosses = _kinds(folder), _glosses(folder)
    for cui, atoms in _concepts(names, choice):
        number = int(cui[1:])
        yield Concept(
            id=cui.decode(),
            labels=_labels(atoms, [lent[other] for other in alike.of(number) if other in lent]),
            gloss=_gloss(glosses.of(cui), atoms),
            broader=_ids(broader.of(number)),
            related=_ids(related.of(number)),
            kind=_SEPARATOR.join(kinds.of(cui)),
        )


def read_msh_and_snomed(path: Path) -> Iterator[Concept]:
    """The release as the ontology `umls` has it: in English, by Lokman's sources, as the service is asked."""
    return read(path, sources=SOURCES)


def files(path: Path) -> list[Path]:
    """What `read` reads of a release, which has much more."""
    folder, _ = umls_release(path)
    tables = (_MRCONSO, _MRREL, _MRHIER, _MRSTY, _MRDEF)
    return [file for table in tables if (file := table.file(folder))]


def code_of(language: str) -> str:
    """UMLS' code of a language that may be given as ISO 639-1.

    >>> code_of("en"), code_of("ENG")
    ('ENG', 'ENG')
    """
    return _CODES.get(language.lower(), language.upper())


def plain_name(name: str, term_type: str) -> str:
    """A name as people write it: SNOMED's full names (FN) end in their kind.

    >>> plain_name("Nocturnal enuresis (finding)", "FN")
    'Nocturnal enuresis'
    """
    return _TAG.sub("", name) if term_type == "FN" else name


def _concepts(path: Path, choice: _Choice) -> Iterator[tuple[bytes, list[_Atom]]]:
    """Each concept that has names left, with these."""
    columns = _MRCONSO.at("CUI", "LAT", "TS", "STT", "ISPREF", "SAB", "TTY", "STR", "SUPPRESS")
    cui_, lat, ts, stt, ispref, sab, tty, str_, suppress = columns
    ranks = {language: rank for rank, language in enumerate(choice.languages)}
    met: set[bytes] = set()

    def atoms() -> Iterator[tuple[bytes, _Atom]]:
        for number, row in in_order(path, _MRCONSO):
            met.add(row[sab])
            if row[suppress] != b"N" or (ranks and row[lat] not in ranks) or not choice.source(row[sab]):
                continue
            cui = _checked(path, number, row[cui_])
            order = (ranks.get(row[lat], 0), row[ts] != b"P", row[stt] != b"PF", row[ispref] != b"Y")
            name = plain_name(text(path, number, row[str_]), row[tty].decode("ascii", "replace"))
            yield cui, _Atom(order, _iso(row[lat]), name, row[sab])

    cui = b""
    for cui, group in groupby(atoms(), key=itemgetter(0)):
        yield cui, sorted((atom for _, atom in group), key=itemgetter(0))
    if not cui:
        raise BadInput(f"{path}: no name is left by {_asked(choice)}; its sources are {_listed(met)}")


def _relations(folder: Path, names: Path, choice: _Choice) -> tuple[Pairs, Pairs, Pairs]:
    """Broader, related, and alike (SY), each from a CUI's number to another's."""
    if path := _MRREL.file(folder):
        return _from_relations(path, choice)
    path = _MRHIER.file(folder)
    return (_from_hierarchy(path, names, choice) if path else Pairs()), Pairs(), Pairs()


def _from_relations(path: Path, choice: _Choice) -> tuple[Pairs, Pairs, Pairs]:
    broader, related, alike = Pairs(), Pairs(), Pairs()
    forth: dict[bytes, Pairs] = {b"PAR": broader, b"RB": broader, b"RO": related, b"RQ": related, b"SY": alike}
    back = {b"CHD": broader, b"RN": broader}
    first, rel, second, sab, suppress = _MRREL.at("CUI1", "REL", "CUI2", "SAB", "SUPPRESS")
    for number, row in rows(path, _MRREL):
        one, other = row[first], row[second]
        if one == other or row[suppress] != b"N" or not choice.source(row[sab]):
            continue
        pairs = forth.get(row[rel])
        if pairs is None:
            one, other = other, one
            if (pairs := back.get(row[rel])) is None:
                continue
        pairs.add(int(_checked(path, number, one)[1:]), int(_checked(path, number, other)[1:]))
    return broader, related, alike


def _from_hierarchy(path: Path, names: Path, choice: _Choice) -> Pairs:
    """Broader by MRHIER, whose parents are atoms: MRCONSO says whose."""
    cui, aui, sab = _MRCONSO.at("CUI", "AUI", "SAB")
    owners = Pairs()
    for number, row in rows(names, _MRCONSO):
        if choice.source(row[sab]):
            owners.add(_atom(names, number, row[aui]), int(_checked(names, number, row[cui])[1:]))
    cui, parent, sab = _MRHIER.at("CUI", "PAUI", "SAB")
    above = Pairs()
    for number, row in rows(path, _MRHIER):
        if row[parent] and choice.source(row[sab]):
            above.add(int(_checked(path, number, row[cui])[1:]), _atom(path, number, row[parent]))
    return above.through(owners)


def _preferred(path: Path, choice: _Choice, wanted: Collection[int]) -> dict[int, _Atom]:
    """The preferred names of some concepts."""
    return {number: atoms[0] for cui, atoms in _concepts(path, choice) if (number := int(cui[1:])) in wanted}


def _labels(atoms: Iterable[_Atom], lent: Iterable[_Atom]) -> tuple[ConceptLabel, ...]:
    """The names, each once whatever its case. A lent name belongs to another concept, so it has a lower rank."""
    labels: dict[tuple[str, str], ConceptLabel] = {}
    for atom in atoms:
        label = ConceptLabel(atom.text, atom.language, "exact" if labels else "preferred")
        labels.setdefault((atom.language, atom.text.casefold()), label)
    for atom in lent:
        labels.setdefault((atom.language, atom.text.casefold()), ConceptLabel(atom.text, atom.language, rank=1))
    return tuple(labels.values())


def _kinds(folder: Path) -> SortedLookup[bytes, str]:
    """The semantic types by CUI; nothing where the file is not there."""
    path, name = _MRSTY.file(folder), _MRSTY.at("STY")[0]
    return (
        SortedLookup((row[0], text(path, number, row[name])) for number, row in in_order(path, _MRSTY))
        if path
        else SortedLookup(())
    )


def _glosses(folder: Path) -> SortedLookup[bytes, tuple[bytes, str]]:
    """The definitions by CUI, each with its source."""
    path = _MRDEF.file(folder)
    sab, definition, suppress = _MRDEF.at("SAB", "DEF", "SUPPRESS")
    if path is None:
        return SortedLookup(())
    return SortedLookup(
        (row[0], (row[sab], text(path, number, row[definition])))
        for number, row in in_order(path, _MRDEF)
        if row[suppress] == b"N"
    )


def _gloss(glosses: Iterable[tuple[bytes, str]], atoms: Iterable[_Atom]) -> str:
    """The first definition by a source that names the concept in the languages asked for: MRDEF does not say its language."""
    sources = {atom.source for atom in atoms}
    return next((gloss for source, gloss in glosses if source in sources), "")


def _checked(path: Path, number: int, cui: bytes) -> bytes:
    if len(cui) == 8 and cui[:1] == b"C" and cui[1:].isdigit():
        return cui
    raise BadInput(f"{path}, line {number}: {printable(cui)} is no CUI: C and seven digits")


def _atom(path: Path, number: int, aui: bytes) -> int:
    if len(aui) <= 9 and aui[:1] == b"A" and aui[1:].isdigit():
        return int(aui[1:])
    raise BadInput(f"{path}, line {number}: {printable(aui)} is no AUI: A and up to eight digits")


def _ids(numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"C{number:07}" for number in numbers)


def _iso(language: bytes) -> str:
    code = language.decode("ascii", "replace")
    return LANGUAGES.get(code, code.lower())


def _asked(choice: _Choice) -> str:
    return f"languages {_listed(choice.languages)} and sources {_listed(choice.sources)}"


def _listed(cells: Iterable[bytes]) -> str:
    return ", ".join(sorted(cell.decode("utf-8", "replace") for cell in cells)) or "any"
