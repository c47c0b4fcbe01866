"""UMLS as its Knowledge Source Server answered until 2010: the XML of the four queries of Lokman, one answer behind the other.

Kayışoğlu 2005, §3.4.3.1–3.4.3.2, ran findCui, getTerminology, getRelations and getContext for a phrase, merged the answers and read:

    <cn>            a name of the concept (getTerminology), which is a synonym; variants between <tn> are left out
    <cn> and <rel>  a related concept (getRelations): SY lends its name, PAR is broader, others are left out
    <cxs>, <rank>   a concept in the same context (getContext), where the rank is 0; <CXT> is read as <cxs>

The service is gone, and the pictures of its answers (Figures 10–13) are lost in the copy at hand. So nothing is taken for granted of the
elements around these: a name belongs to the relation or rank in the innermost element that has both. What stands in an element `query`,
the head of an answer, is skipped (requirement 5.a) but for `searchTerm`; where no head names the phrase, the name of the file does.
Requirement 5.b takes SY and PAR for tags; the design, which is followed here, for the text of <rel>. PAR is UMLS's *parent*.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from thresher.disk.guarded_xml import GuardedXml
from thresher.errors import BadInput
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.readers.knowledge_file import opened, tidy

MOST_BYTES = 8 << 20
"""Of all answers about a phrase; those of the thesis had a few hundred lines."""
_DEEPEST = 20
_DECLARATION = b"<?xml"
_LEAVES = {"cui", "cn", "rel", "cxs", "cxt", "rank", "searchterm"}


@dataclass(slots=True)
class _Answers:
    """What four answers say about a phrase."""

    phrase: str = ""
    cui: str = ""
    names: list[str] = field(default_factory=list)
    related: list[tuple[str, str]] = field(default_factory=list)
    """Names of other concepts, each with its relation."""
    context: list[tuple[str, str]] = field(default_factory=list)
    """Names in the same context, each with its rank."""


class _Element:
    """An element that is open: its text, and the leaves in it that found no partner yet."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.text: list[str] = []
        self.leaves: dict[str, list[str]] = {}

    def add(self, name: str, text: str) -> None:
        self.leaves.setdefault(name, []).append(text)


def read(path: Path) -> Iterator[Concept]:
    """The concept of the phrase, what is broader, and what stands in the same context."""
    said = _Answers()
    for number, answer in enumerate(_parted(path), 1):
        _Reading(Path(f"{path} (answer {number})"), said).read(answer)
    if not (said.names or said.related or said.context):
        raise BadInput(f"{path}: no <cn> and no <cxs> in it: these are no answers of the Knowledge Source Server")
    said.phrase = said.phrase or path.name.split(".")[0].replace("_", " ")
    return iter(_concepts(said))


def _parted(path: Path) -> list[bytes]:
    """The answers, each of which begins with its XML declaration."""
    with opened(path) as handle:
        whole = handle.read(MOST_BYTES + 1)
    if len(whole) > MOST_BYTES:
        raise BadInput(f"{path}: more than {MOST_BYTES:,} bytes, far too many for the answers about one phrase")
    first, *others = whole.removeprefix(b"\xef\xbb\xbf").split(_DECLARATION)
    return ([first] if first.strip() else []) + [_DECLARATION + each for each in others]


class _Reading:
    """One answer, read from its first to its last tag."""

    def __init__(self, path: Path, said: _Answers) -> None:
        self._guard = GuardedXml(path)
        self._guard.on_elements(self._start, self._end)
        self._guard.parser.CharacterDataHandler = self._characters
        self._said = said
        self._open = [_Element("")]

    def read(self, answer: bytes) -> None:
        self._guard.feed(answer, last=True)
        # Names that have no relation anywhere around them are those of the concept itself.
        self._said.names += self._open[0].leaves.get("cn", ())

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        self._guard.progress()
        if len(self._open) > _DEEPEST:
            self._guard.refuse(f"elements nested more than {_DEEPEST} deep")
        self._open.append(_Element(name.lower()))

    def _characters(self, text: str) -> None:
        if self._open[-1].name in _LEAVES:
            self._open[-1].text.append(text)

    def _end(self, _name: str) -> None:
        closed = self._open.pop()
        around, text = self._open[-1], tidy("".join(closed.text))
        if closed.name in _LEAVES:
            self._leaf(closed.name, text, around)
        elif closed.name != "query":
            self._paired(closed, around)

    def _leaf(self, name: str, text: str, around: _Element) -> None:
        if name == "searchterm":
            self._said.phrase = self._said.phrase or text
        elif name == "cui":
            # The first is findCui's; those of other concepts follow it.
            self._said.cui = self._said.cui or text
        elif text:
            around.add("cxs" if name == "cxt" else name, text)

    def _paired(self, closed: _Element, around: _Element) -> None:
        self._said.related += self._taken(closed, "cn", "rel")
        self._said.context += self._taken(closed, "cxs", "rank")
        for name, texts in closed.leaves.items():
            for text in texts:
                around.add(name, text)

    def _taken(self, closed: _Element, name: str, other: str) -> list[tuple[str, str]]:
        """Names with their partners, if the element has both."""
        names, others = closed.leaves.get(name, []), closed.leaves.get(other, [])
        if not (names and others):
            return []
        self._check_even(names, others, name, other)
        del closed.leaves[name], closed.leaves[other]
        return list(zip(names, others * len(names) if len(others) == 1 else others, strict=True))

    def _check_even(self, names: list[str], others: list[str], name: str, other: str) -> None:
        if len(others) not in {1, len(names)}:
            self._guard.refuse(
                f"{len(names)} <{name}> and {len(others)} <{other}> in one element: which belongs to which?"
            )


def _concepts(said: _Answers) -> list[Concept]:
    named = [said.phrase, *said.names]
    lent = [name for name, relation in said.related if relation.upper() == "SY"]
    labels = {text.casefold(): ConceptLabel(text, rank=1) for text in reversed(lent)}
    labels |= {text.casefold(): ConceptLabel(text) for text in reversed(named)}
    main = said.cui or said.phrase
    above = _others((name for name, relation in said.related if relation.upper() == "PAR"), labels)
    near = _others((name for name, rank in said.context if rank == "0"), {*labels, *above})
    ordered = sorted(labels.values(), key=lambda label: (label.rank, label.text.casefold() != said.phrase.casefold()))
    return [
        Concept(main, tuple(ordered), broader=tuple(above.values())),
        *(Concept(name, (ConceptLabel(name, kind="preferred"),)) for name in above.values()),
        *(Concept(name, (ConceptLabel(name, kind="preferred"),), broader=(main,)) for name in near.values()),
    ]


def _others(names: Iterator[str], but: Container[str]) -> dict[str, str]:
    """Each name once whatever its case, but for those that are known already."""
    return {name.casefold(): name for name in names if name.casefold() not in but}
