"""A table is read and written only by the room that owns its schema."""

import ast
from collections import defaultdict
from functools import cache

import pytest
from tests.structure import house

OWNERS = {
    "frontier": "frontier",
    "frontier_view": "frontier",
    "postgres": "disk",
    "postgres_frontier": "frontier",
    "postgres_lending": "frontier",
    "postgres_search": "results.search",
    "postgres_store": "store",
    "postgres_taking_in": "frontier",
    "postgres_working": "store",
    "recording": "warc",
    "search": "results.search",
    "store": "store",
    "orders": "orders",
    "orders_inbox": "orders",
    "store_labels": "store",
    "store_rejudgements": "store",
    "store_revisits": "store",
    "store_selection": "store",
    "warc": "warc",
}
"""Which room owns the tables of each schema file. Different database files may have tables of the same name."""


def room_of(name):
    """The owner whose room a module is in; else its package."""
    inside = name.removeprefix("thresher.")
    return next((room for room in OWNERS.values() if f"{inside}.".startswith(f"{room}.")), inside.rpartition(".")[0])


@cache
def owners():
    """Table → the rooms that make one of that name: in a schema file, or in a statement of their own."""
    found = defaultdict(set)
    for path in sorted((house.PACKAGE / "disk" / "schemas").glob("*.sql")):
        for table in house.tables_made(path.read_text("utf-8")):
            found[table].add(OWNERS[path.stem])
    for module in house.modules().values():
        for _, text in house.strings(module):
            for table in house.tables_made(text):
                found[table].add(room_of(module.name))
    return found


def foreign_tables(module):
    """Where a module speaks of a table that belongs to another room."""
    room = room_of(module.name)
    return [
        f"{module.name}:{line} asks {table} of {' or '.join(sorted(owners()[table]))}"
        for line, text in house.strings(module)
        for table in sorted(house.tables_asked(text))
        if table in owners() and room not in owners()[table]
    ]


def made_up(name, source):
    return house.Module(name, house.PACKAGE / "made_up.py", ast.parse(source), len(source.splitlines()))


def test_every_schema_file_has_an_owner():
    assert {path.stem for path in (house.PACKAGE / "disk" / "schemas").glob("*.sql")} == OWNERS.keys()


def test_each_table_is_asked_by_its_own_room_only():
    assert [each for module in house.modules().values() for each in foreign_tables(module)] == []


def test_the_rooms_that_own_tables_do_ask_them():
    asked = {
        room_of(module.name)
        for module in house.modules().values()
        for _, text in house.strings(module)
        if house.tables_asked(text)
    }
    assert asked >= set(OWNERS.values())


@pytest.mark.parametrize(
    "source",
    [
        'read("SELECT url FROM visit WHERE number = ?")',
        'read(f"SELECT count(*) FROM {schema}.visit")',
        'SQL = """\n    SELECT * FROM page, visit WHERE page.number = visit.number\n"""',
        'PIECE = "LEFT JOIN visit USING (number)"',
        'write("UPDATE visit SET title = NULL")',
        'write("CREATE INDEX visit_title ON visit (title)")',
    ],
)
def test_a_table_of_another_room_is_found_in_any_piece_of_sql(source):
    assert foreign_tables(made_up("thresher.results.search.made_up", source)) == [
        "thresher.results.search.made_up:1 asks visit of store"
    ]
    assert foreign_tables(made_up("thresher.store.made_up", source.replace("page, ", ""))) == []


@pytest.mark.parametrize(
    "source",
    [
        '"""Reads the rows FROM visit, and may SELECT some."""',
        'say("It came from visit to visit: UPDATE nothing")',
        'read("SELECT words FROM page JOIN hit ON hit.visit = page.number")',
    ],
)
def test_other_words_and_columns_are_no_tables(source):
    assert foreign_tables(made_up("thresher.results.search.made_up", source)) == []
