"""The catalogue of a crawl as a whole, read from one database and written into the other.

Most tables have the same columns in both. What a strategy has learnt is called `strategy/…` in a folder; in PostgreSQL each worker has its
own, and the one that has heard most is moved. Into PostgreSQL it comes as number 0, with which whoever joins begins.
"""

from collections.abc import Iterator, Mapping, Sequence

from thresher.disk.found_rows import Read, has_table
from thresher.disk.ledger import Ledger
from thresher.disk.schemas import schema
from thresher.disk.table_loader import Loader, Moved, SameTable, plain_row
from thresher.disk.tables import Tables, make_tables
from thresher.store.rows import add_facts

_VISIT = SameTable(
    "visit",
    (
        "number", "asked", "kind", "outcome", "status", "relevant", "relevance", "duplicate_of", "near", "bytes", "at", "sent", "elapsed",
        "priority", "depth", "tries", "claim", "url_hash", "content_hash", "simhash", "file", '"offset"', "length", "request", "host",
        "url", "final_url", "parent", "anchor", "chain", "address", "why", "detail", "title", "language", "evidence", "canonical",
        "noindex", "facts",
    ),
    "number",
)  # fmt: skip
_REVISIT = SameTable(
    "revisit",
    (
        "number", "visit", "at", "found", "outcome", "status", "detail", "target", "relevant", "relevance", "evidence", "title", "language",
        "canonical", "noindex", "bytes", "facts", "new_links", "etag", "modified", "content_hash", "look", "body_at", "file", '"offset"',
        "length", "request",
    ),
    "number",
)  # fmt: skip
_REJUDGEMENT = (
    "round",
    "visit",
    "look",
    "relevance",
    "relevant",
    "evidence",
    "simhash",
    "near",
    "base",
    "said",
    "learnt",
)
TABLES = (
    _VISIT,
    SameTable("band", ("key", "number", "simhash"), "key, number"),
    SameTable("look", ("host", "looks"), "host"),
    SameTable("label", ("url", "relevant", "at"), "url"),
    _REVISIT,
    SameTable("rejudging", ("number", "begun", "done", "judge", "learn", "labels", "words"), "number"),
    SameTable("rejudgement", _REJUDGEMENT, "round, visit, look"),
)
"""All of it but what the crawl remembers by name."""
_MADE_LATE = {"label": "store_labels", "revisit": "store_revisits", "rejudging": "store_rejudgements"}
"""Tables that a folder has only when they were needed, and their schemas."""
_STATES = "SELECT name, value FROM state ORDER BY name"
# What is asked under the number of a learner: the names under which its strategy is remembered.
_SHARED_STATES = """
    SELECT substr(name, CASE WHEN name ^@ CAST(?1 AS text) THEN length(CAST(?1 AS text)) + 1 ELSE 1 END) AS moved, value FROM state
    WHERE name ^@ CAST(?1 AS text) OR NOT name ^@ 'learner/' ORDER BY moved
"""
_BEST = "SELECT number, heard, of, until FROM learner ORDER BY heard DESC, number DESC LIMIT 1"
# Those of one learner for all workers have the number 0, whoever taught them.
_UNHEARD = """
    SELECT said FROM lesson
    WHERE visit > ?2 AND (CAST(?1 AS bigint) = 0 OR learner <> ?1 AND (learner IS DISTINCT FROM CAST(?3 AS bigint) OR visit > ?4))
    ORDER BY visit
"""
_FIGURES = "SELECT coalesce(max(number), 0), coalesce(sum(asked), 0), coalesce(sum(fresh), 0), coalesce(sum(bytes), 0) FROM visit"
_TOTALS = "SELECT visits, fetched, relevant, bytes FROM totals"
_COUNT_ON = "UPDATE totals SET visits = %s, fetched = %s, relevant = %s, bytes = %s"
_MINE = "learner/0/"
_STRATEGY = "strategy/"
_JOIN = "INSERT INTO learner (number, heard, beat) OVERRIDING SYSTEM VALUE VALUES (0, %s, time_of(NULL))"
_BEFORE = "ALTER TABLE visit DISABLE TRIGGER number_visit"
_AFTER = (
    "ALTER TABLE visit ENABLE TRIGGER number_visit",
    "SELECT setval(pg_get_serial_sequence('rejudging', 'number'), max(number)) FROM rejudging HAVING max(number) IS NOT NULL",
    "SELECT setval(pg_get_serial_sequence('revisit', 'number'), max(number)) FROM revisit HAVING max(number) IS NOT NULL",
    "ANALYZE visit, band",
)


def make_catalogue(ledger: Ledger) -> None:
    """Make the tables of an empty catalogue in a folder."""
    ledger.script(schema("store"))


def make_late_tables(tables: Tables, read: Read) -> None:
    """Make in a folder those of the tables that the other crawl has rows in."""
    for name, owner in _MADE_LATE.items():
        if has_table(read, name) and read(f"SELECT 1 FROM {name} LIMIT 1").fetchone():  # noqa: S608 - a name of our own
            make_tables(tables, owner)


def bring_up_to_date(tables: Tables) -> None:
    """Give the tables of an older folder all their columns."""
    if has_table(tables.read, "revisit"):
        add_facts(tables, "revisit")


def states(read: Read) -> Iterator[Moved]:
    """What a crawl in a folder remembers, by name."""
    return map(plain_row, read(_STATES))


def shared_states(read: Read) -> Iterator[Moved]:
    """The same of a crawl in PostgreSQL; of the strategies, that of the learner that has heard most."""
    best = read(_BEST).fetchone()
    return map(plain_row, read(_SHARED_STATES, (f"learner/{best[0]}/" if best else _MINE,)))


def unheard_lessons(read: Read) -> list[bytes]:
    """What workers have learnt that the learner which has heard most does not know."""
    best = read(_BEST).fetchone()
    if best is None:
        return []
    return [bytes(said) for (said,) in read(_UNHEARD, tuple(best)).fetchall()]


def fill_states(loader: Loader, rows: Sequence[Moved]) -> None:
    """Write what a crawl remembers into a folder."""
    loader.load("state", ("name", "value"), rows)


def fill_shared_states(loader: Loader, rows: Sequence[Moved]) -> None:
    """The same into PostgreSQL."""
    named = [(_MINE + name if name.startswith(_STRATEGY) else name, value) for name, value in rows]
    loader.load("state", ("name", "value"), named)


def put_strategy(tables: Tables, parts: Mapping[str, bytes]) -> None:
    """Write what a strategy has saved into a folder; an empty part is forgotten."""
    names = [(_STRATEGY + name,) for name in parts]
    tables.write_many("DELETE FROM state WHERE name = ?", names)
    kept = [(_STRATEGY + name, value) for name, value in parts.items() if value]
    tables.write_many("INSERT INTO state (name, value) VALUES (?, ?)", kept)


def figures(read: Read) -> Moved:
    """The last number of a visit, how many fetches and relevant pages there are, and how many bytes: counted."""
    return plain_row(read(_FIGURES).fetchone())


def shared_figures(read: Read) -> Moved:
    """The same, as the workers have counted."""
    return plain_row(read(_TOTALS).fetchone())


def fill_totals(loader: Loader, rows: Sequence[Moved]) -> None:
    """Write them into PostgreSQL."""
    for row in rows:
        loader.run(_COUNT_ON, row)


def before_filling(loader: Loader) -> None:
    """Visits that come into PostgreSQL have their numbers already, and what they repeat was found out."""
    loader.run(_BEFORE)


def after_filling(loader: Loader, visits: int) -> None:
    """Let new visits have the numbers behind, and a strategy know what was moved."""
    for statement in _AFTER:
        loader.run(statement)
    loader.run(_JOIN, (visits,))
