"""The rows of a crawl folder, put into PostgreSQL as they are: so that both can be asked the same questions."""

import sqlite3
from contextlib import closing

TABLES = [
    "visit",
    "band",
    "look",
    "state",
    "warc",
    "label",
    "rejudging",
    "rejudgement",
    "revisit",
    "carried_out",
]  # all that a reader asks for
OUR_OWN = {"fresh"}
"""Columns that the database makes itself."""
URL = """
    INSERT INTO url (key, seq, priority, page_key, page_host, host, depth, tries, state, parent, anchor, chain, url)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""
URLS = """
    SELECT url.hash, url.seq, url.priority, page.key, page.host, url.host, url.depth, url.tries, iif(url.state = 2, 2, 0),
           iif(page.key IS NULL, url.parent, NULL), url.anchor, url.chain, url.url
    FROM url LEFT JOIN known AS page ON page.seq = url.parent ORDER BY url.seq"""
HOST = """
    INSERT INTO host (id, name, next_at, delay, pause, strains, fetched, settled, waiting) OVERRIDING SYSTEM VALUE
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"""
HEADS = """
    UPDATE host SET head = best.priority, head_seq = best.seq FROM (
        SELECT DISTINCT ON (host) host, priority, seq FROM url
        WHERE state = 0 AND NOT EXISTS (SELECT FROM lease WHERE lease.host = url.host AND lease.key = url.key)
        ORDER BY host, priority DESC, seq
    ) AS best WHERE best.host = host.id"""


def copy_crawl(database, connection):
    """Copy the SQLite file of a crawl into the schema of a connection."""
    with closing(sqlite3.connect(database)) as source:
        connection.execute("ALTER TABLE visit DISABLE TRIGGER number_visit")
        for table in TABLES:
            _copy(source, connection, table)
        connection.execute("ALTER TABLE visit ENABLE TRIGGER number_visit")
        _copy_frontier(source, connection)


def _copy(source, connection, table):
    if not source.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone():
        return
    kinds = dict(
        connection.execute(
            "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s AND table_schema = current_schema()",
            (table,),
        ).fetchall()
    )
    rows = source.execute(f"SELECT * FROM {table}")
    names = [name for name, *_ in rows.description if name not in OUR_OWN]
    kept = [place for place, (name, *_) in enumerate(rows.description) if name not in OUR_OWN]
    columns = ", ".join(f'"{name}"' for name in names)
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {table} ({columns}) VALUES ({', '.join(['%s'] * len(names))})",
            [[_value(row[place], kinds[name]) for name, place in zip(names, kept, strict=True)] for row in rows],
        )


def _value(value, kind):
    if value is None:
        return None
    if kind == "boolean":
        return bool(value)
    return value.replace("\0", "\ufffd") if kind == "text" else value


def _copy_frontier(source, connection):
    with connection.cursor() as cursor:
        cursor.executemany(HOST, source.execute("SELECT * FROM host").fetchall())
        cursor.executemany(URL, [_escaped(row) for row in source.execute(URLS)])
        lent = source.execute("SELECT seq, key, host FROM known WHERE state = 1").fetchall()
        cursor.executemany("INSERT INTO lease (token, key, host, slot, expires) VALUES (%s, %s, %s, 1, 0)", lent)
        alike = source.execute("SELECT level, pages, yields_till, host FROM alike").fetchall()
        cursor.executemany("UPDATE host SET alike = %s, alike_pages = %s, yields_till = %s WHERE id = %s", alike)
    connection.execute("SELECT setval('turn', (SELECT coalesce(sum(settled), 0) FROM host))")
    connection.execute("UPDATE host SET in_flight = (SELECT count(*) FROM lease WHERE lease.host = host.id)")
    connection.execute(HEADS)


def _escaped(row):
    *rest, anchor, chain, url = row
    return (*rest, anchor and anchor.replace("\\", "\\\\").replace("\0", "\\0"), chain, url)
