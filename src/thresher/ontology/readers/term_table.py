"""Tables of terms written by hand, in TOML or CSV: what belongs to a topic, how, and how much it counts.

In TOML, a label with its weight, or a table where there is more to say:

    "computer science" = 0.8

    [[term]]
    label = "कंप्यूटर विज्ञान"
    relation = "synonym"
    weight = 12
    language = "hi"

In CSV, a first line names the columns, of which only `label` must be there; a semicolon or a tab parts them as well as a comma:

    label,relation,weight,language
    computer science,exact,0.8,en
"""

import csv
import difflib
import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn, get_args

from thresher.disk.guarded_toml import read_toml
from thresher.errors import BadInput
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.readers.knowledge_file import numbered, primary, tidy

Relation = Literal["exact", "synonym", "broader", "context", "narrower", "related"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
COLUMNS = ("label", "relation", "weight", "language")
_LONGEST = 1 << 24
_KEY = re.compile(r"""\s*+([^"'=#]++|"[^"]*+"|'[^']*+')\s*+=""")
_TABLE = re.compile(r"\s*+\[\[\s*+term\s*+\]\]")


class TableTerm(NamedTuple):
    """One line of the table."""

    label: str
    relation: Relation = "exact"
    """How it is related to the topic."""
    weight: float | None = None
    """None if the relation decides."""
    language: str = "en"


def read(path: Path) -> Iterator[Concept]:
    """The table as an ontology: one concept with all exact terms and synonyms, and the others around it, one concept each."""
    table = terms(path)
    names = [term for term in table if term.relation in {"exact", "synonym"}]
    if not any(term.relation == "exact" for term in names):
        raise BadInput(f"{path}: no term is `exact`, so nothing says what the table is about")
    names.sort(key=lambda term: term.relation != "exact")
    centre = _id(names[0])
    around = {relation: tuple(_id(term) for term in table if term.relation == relation) for relation in RELATIONS}
    labels = [ConceptLabel(term.label, term.language, "exact") for term in names]
    labels[0] = labels[0]._replace(kind="preferred")
    yield Concept(centre, tuple(labels), broader=around["broader"], related=around["context"] + around["related"])
    for term in table:
        if term.relation not in {"exact", "synonym"}:
            broader = (centre,) if term.relation == "narrower" else ()
            yield Concept(_id(term), (ConceptLabel(term.label, term.language, "preferred"),), broader=broader)


def _id(term: TableTerm) -> str:
    return term.label if term.language == "en" else f"{term.label}@{term.language}"


def terms(path: Path) -> tuple[TableTerm, ...]:
    """The table as it was written, in its order."""
    readers = {".toml": _from_toml, ".csv": _from_csv, ".tsv": _from_csv}
    ending = next((suffix.lower() for suffix in path.suffixes if suffix.lower() in readers), None)
    if ending is None:
        raise BadInput(f"{path}: a table of terms ends in {', '.join(readers)}")
    table: dict[tuple[str, str], TableTerm] = {}
    for line, row in readers[ending](path):
        term = _term(f"{path}, line {line}", row)
        if (term.label.lower(), term.language) in table:
            raise BadInput(f"{path}, line {line}: {term.label!r} was given before")
        table[term.label.lower(), term.language] = term
    if not table:
        raise BadInput(f"{path}: no terms in it")
    return tuple(table.values())


def _term(where: str, row: Mapping[str, Any]) -> TableTerm:
    for key in row:
        if key not in COLUMNS:
            _unknown(where, f"there is no {key!r}", key, COLUMNS)
    label, relation, language = (_text(where, row.get(key)) for key in ("label", "relation", "language"))
    if not label:
        raise BadInput(f"{where}: a term without a label")
    meant = next((each for each in RELATIONS if each == (relation or "exact")), None)
    if meant is None:
        _unknown(where, f"{relation!r} is no relation", relation, RELATIONS)
    return TableTerm(label, meant, _weight(where, row.get("weight")), primary(language or "en"))


def _text(where: str, given: Any) -> str:
    if given is not None and not isinstance(given, str):
        raise BadInput(f"{where}: {str(given)[:40]!r} is no text: put it in quotes")
    return tidy(given or "")


def _unknown(where: str, what: str, given: str, choices: Sequence[str]) -> NoReturn:
    close = difflib.get_close_matches(given, choices, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    raise BadInput(f"{where}: {what}{hint}; choose from {', '.join(choices)}")


def _weight(where: str, given: Any) -> float | None:
    if given is None or given == "":
        return None
    try:
        weight = math.nan if isinstance(given, bool) else float(given)
    except (TypeError, ValueError, OverflowError):
        weight = math.nan
    if not 0 <= weight < math.inf:
        raise BadInput(f"{where}: the weight {str(given)[:40]!r} is no number from 0 up")
    return weight


def _from_csv(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    lines = (line for _, line in numbered(path))
    header = next(lines, "").lower()
    delimiter = next((sign for sign in ";\t" if sign in header), ",")
    columns = [column.strip() for column in next(csv.reader([header], delimiter=delimiter), [])]
    if "label" not in columns:
        raise BadInput(
            f"{path}, line 1: the first line must name the columns, `label` among them; choose from {', '.join(COLUMNS)}"
        )
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for row in rows:
            if len(row) > len(columns):
                raise BadInput(f"{path}, line {rows.line_num + 1}: {len(row)} values for {len(columns)} columns")
            if any(row):
                yield rows.line_num + 1, _cells(columns, row, delimiter)
    except csv.Error as error:
        raise BadInput(f"{path}, line {rows.line_num + 1}: {error}") from error


def _cells(columns: list[str], row: list[str], delimiter: str) -> dict[str, str]:
    cells = {column: cell.strip() for column, cell in zip(columns, row, strict=False)}
    # If the comma does not separate values, it may be a decimal comma: 0,8.
    if delimiter != "," and "weight" in cells:
        cells["weight"] = cells["weight"].replace(",", ".")
    return cells


def _from_toml(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    lines = _lines(path)
    document = _toml(path, "\n".join(lines))
    language = document.pop("language", "en")
    tables = document.pop("term", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise BadInput(
            f"{path}, line {_keys(lines).get('term', 1)}: write each term as a table of its own, under [[term]]"
        )
    keys, starts = _keys(lines), [number for number, line in enumerate(lines, 1) if _TABLE.match(line)]
    for label, weight in document.items():
        yield keys.get(label, 1), {"label": label, "weight": weight, "language": language}
    for place, table in enumerate(tables):
        yield starts[place] if place < len(starts) else len(lines), {"language": language} | table


def _lines(path: Path) -> list[str]:
    lines, size = [], 0
    for number, line in numbered(path):
        lines.append(line)
        size += len(line)
        if size > _LONGEST:
            raise BadInput(f"{path}, line {number}: over {_LONGEST:,} characters, hardly written by hand")
    return lines


def _toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at ")
        line = re.match(r"line \d+", place)
        raise BadInput(f"{path}, {line[0] if line else 'last line'}: {reason}") from error


def _keys(lines: list[str]) -> dict[str, int]:
    """Where each key stands, since TOML's values do not remember it."""
    found = ((_KEY.match(line), number) for number, line in enumerate(lines, 1))
    return {key[1].strip().strip("\"'"): number for key, number in reversed(list(found)) if key}
