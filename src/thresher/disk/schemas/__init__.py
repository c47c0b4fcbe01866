"""The schema of every database, as SQL with a comment on each table, column and index.

A file is named after the room that owns its tables; no other room names them in its SQL (`tests/structure/test_sql.py`):

- in `crawl.sqlite`, the one file of a crawl: `frontier.sql` (urls that wait and hosts), `warc.sql` (the WARC files), `store.sql`
  (visits and what the crawl remembers), `store_labels.sql`, `store_revisits.sql`, `store_rejudgements.sql` (made when first needed),
  `orders.sql` (which orders were carried out) too;
- `orders_inbox.sql`: the inbox of orders beside it;
- `store_selection.sql`: tables of one export, in a temporary file;
- `search.sql`: the full-text index beside a crawl, made again whenever it is lost;
- `recording.sql`: the index of a recorded web for the lab;
- in PostgreSQL, a crawl is a schema: `postgres.sql` (its format), `postgres_frontier.sql` (urls and hosts), `postgres_lending.sql` and
  `postgres_taking_in.sql` (the rules of lending, as functions of the server).

Those for PostgreSQL are run once. All others are written so that they can be run again on a file that has them: opening a folder is
running its schemas.
"""

from collections.abc import Iterator
from importlib.resources import files


def schema(owner: str) -> str:
    """The SQL that makes the tables of a room."""
    return files(__package__).joinpath(f"{owner}.sql").read_text("utf-8")


def statements(owner: str) -> Iterator[str]:
    """The same, one statement after the other."""
    return (statement for statement in schema(owner).split(";\n") if statement.strip())
