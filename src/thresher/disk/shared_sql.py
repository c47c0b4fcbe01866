"""SQL that SQLite and PostgreSQL both understand, and how PostgreSQL is told it.

Questions to a crawl are written once, with the placeholders of SQLite. PostgreSQL gets the same words, but for these:

    ?            %s
    ?1           %(p1)s
    :name        %(name)s
    %            %%, since the library reads it as a placeholder
    main.        the name of the crawl's schema
    temp.        pg_temp.
    WITHOUT ROWID   nothing

What the two understand in different ways, or only one of them, does not stand in such SQL:

- yes and no are TRUE and FALSE, never 1 and 0; a condition is a condition, never a number: `count(*) FILTER (WHERE …)`, not a sum;
- `"offset"` has quotes, and a select inside FROM has a name;
- a name that SELECT gives is used in GROUP BY and ORDER BY, not in WHERE;
- a CROSS JOIN has its condition in WHERE; in SQLite it says which table is read first;
- what may be NULL is sorted with NULLS FIRST or NULLS LAST;
- a row that may be there is put with ON CONFLICT … DO UPDATE;
- values of JSON are text until they are cast: `CAST(value AS bigint)`.

What SQLite calls `iif`, `instr`, `json_extract`, `json_each`, `group_concat` and `sqlite_master` is made in PostgreSQL
by `postgres.sql`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import count
from typing import Any

Values = Sequence[Any] | Mapping[str, Any]

# Each alternative ends where it cannot go on, and none is tried twice at the same place.
_PIECE = re.compile(
    r"""
      (?P<kept> ' [^']*+ ' | " [^"]*+ " | -- [^\n]*+ | :: | % )
    | (?P<bare> \? (?! [0-9] ) )
    | \? (?P<place> [0-9]++ )
    | : (?P<name> [a-z_] [a-z_0-9]*+ )
    | (?P<rowid> \b WITHOUT \s ROWID \b )
    | (?<! [\w."] ) (?P<schema> main | temp ) \. (?= [\w"] )
    """,
    re.VERBOSE,
)

_PLACEHOLDER = re.compile(r"%(?:%|[sb]|\((\w++)\)s)")


@lru_cache(1024)
def translated(sql: str, schema: str = "") -> str:
    """The same question for PostgreSQL; `schema` is what SQLite calls `main`, or is left out if it is empty."""
    main = f'"{schema}".' if schema else ""

    def replaced(piece: re.Match[str]) -> str:
        match piece.lastgroup:
            case "kept":
                return piece[0].replace("%", "%%")
            case "bare":
                return "%s"
            case "place":
                return f"%(p{piece['place']})s"
            case "name":
                return f"%({piece['name']})s"
            case "schema":
                return main if piece["schema"] == "main" else "pg_temp."
            case _:
                return ""

    return _PIECE.sub(replaced, sql)


def translated_values(sql: str, values: Values) -> Values:
    """The values for a translated question: by name, if SQLite knows them by number."""
    if values and not isinstance(values, Mapping) and _has_numbers(sql):
        return {f"p{place}": value for place, value in enumerate(values, 1)}
    return values


@lru_cache(1024)
def _has_numbers(sql: str) -> bool:
    return any(piece["place"] for piece in _PIECE.finditer(sql))


@lru_cache(1024)
def numbered(sql: str) -> tuple[str, tuple[str, ...]]:
    """The same statement with $1, $2 … in place of the library's placeholders, and their names, if they have some."""
    names: list[str] = []
    places = count(1)

    def replaced(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        if found[1] is None:
            return f"${next(places)}"
        if found[1] not in names:
            names.append(found[1])
        return f"${names.index(found[1]) + 1}"

    return _PLACEHOLDER.sub(replaced, sql), tuple(names)
