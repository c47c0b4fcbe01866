"""What Thresher keeps on disk, and the promise that a kill harms none of it.

A crawl is a folder, and one process at a time writes into it:

    crawl.toml      the settings, written whole or not at all
    crawl.sqlite    urls, visits, labels, looks: everything but the pages, in one SQLite file
    warc/           the pages as they came, by the room `warc`
    orders.sqlite   what a person orders of the crawl, by the room `orders`; others write it, the crawl reads it
    crawl.lock      held by the process that crawls

    folder          those names, and the lock
    ledger          the SQLite file: one connection, commits in groups, so that a kill takes whole turns of the crawl's loop
    guarded_sqlite  what SQLite says of damage, a full disk or a newer format, as one of our errors; a database that is only read
    postgres_ledger the same for a crawl in PostgreSQL: a schema of its own, a transaction a turn, connections that are made again
    postgres_arrays arrays as PostgreSQL reads them, packed in one go
    guarded_postgres  what PostgreSQL says of a wrong password, missing rights or another version, as one of our errors
    postgres_reader the same, opened to be read; postgres_spares has connections that are used again, for the window
    crawl_home      where a crawl lives: a folder, or an address in PostgreSQL (ledger_address, postgres_home)
    tables          how rooms write their tables, whichever database has them; postgres_tables does it for PostgreSQL
    found_rows      what a question gives, in SQLite and in PostgreSQL alike
    shared_sql      how a question that is written for SQLite is put to PostgreSQL
    table_loader    tables read and filled as a whole, when a crawl moves; postgres_loader does it by COPY
    schemas/        the tables, a file for each room that owns some; no other room reads or writes them
    atomic_file     the one way to write any other file: to a temporary one beside it, synced, then renamed
    caches          the user's cache folder, and files that are kept beside the recording they were made of
    guarded_xml     XML from strangers, parsed as it streams, without bombs
    guarded_toml    TOML from strangers, without keys and depths that Python's own reader takes ill

What comes in from the disk is not trusted: a file that is torn or of another format is made again if it is a cache, and otherwise an
error that names it. What goes out is either there as a whole, or as it was before.
"""
