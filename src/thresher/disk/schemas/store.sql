-- The catalogue: one row for each settled visit, beside the frontier's tables in the crawl's SQLite file.

CREATE TABLE IF NOT EXISTS visit (
    number       INTEGER PRIMARY KEY,  -- visit number, from 1; the rowid, so reading in order is reading the table
    asked        INTEGER NOT NULL,     -- 1 if a request went out, so that it is charged
    kind         TEXT NOT NULL,        -- response, refused, failed, later
    outcome      TEXT NOT NULL,        -- page, redirect, http-404, timeout, robots …
    status       INTEGER,              -- of the HTTP answer
    relevant     INTEGER,              -- NULL where nothing was judged
    relevance    REAL,                 -- 0 to 1
    duplicate_of INTEGER,              -- the number of the first visit with the same status and bytes
    near         INTEGER,              -- the number of the first visit with nearly the same text
    bytes        INTEGER NOT NULL,     -- received
    at           REAL NOT NULL,        -- when the visit was made, in seconds since 1970
    sent         REAL,                 -- when its request went out
    elapsed      REAL,
    priority     REAL NOT NULL,        -- of the link, when it was fetched
    depth        INTEGER NOT NULL,
    tries        INTEGER NOT NULL,     -- before this one
    claim        INTEGER NOT NULL,     -- the frontier's own name for the url
    url_hash     INTEGER NOT NULL,     -- xxh3 of the url
    content_hash BLOB,                 -- SHA-1 of the bytes as received
    simhash      INTEGER,              -- of the main text, signed; NULL if it is short or off topic, or the same bytes were here before
    file         INTEGER,              -- warc.id; NULL if there is no record, or it was lost in a power cut
    offset       INTEGER,              -- where the response or revisit record begins
    length       INTEGER,              -- of that record, compressed
    request      INTEGER,              -- length of what belongs to it and ends where it begins: conversion and request records
    host         TEXT NOT NULL,
    url          TEXT NOT NULL,
    final_url    TEXT,                 -- where it redirects to
    parent       TEXT,
    anchor       TEXT NOT NULL,
    chain        TEXT,                 -- JSON: the urls that redirected here
    address      TEXT,                 -- the IP address that answered
    why          TEXT,                 -- of what was refused or failed
    detail       TEXT,
    title        TEXT,
    language     TEXT,
    evidence     TEXT,                 -- JSON: [what, where, amount] each
    canonical    TEXT,                 -- what the page calls its own address
    noindex      INTEGER,              -- 1 if the page asks search engines not to list it: whoever publishes should know
    facts        TEXT,                 -- JSON: what else is known of the page, such as author and licence; NULL if nothing
    fresh        INTEGER AS (coalesce(relevant, 0) AND duplicate_of IS NULL AND near IS NULL) -- what counts as harvest
);

-- A page is asked for by its url (`show`, `why`). A hash of 8 bytes, because an index over whole urls would be as large as the table.
CREATE INDEX IF NOT EXISTS visit_url ON visit (url_hash);

-- Was this very answer kept before? Only records with a body of their own can be referred to.
CREATE INDEX IF NOT EXISTS visit_content ON visit (content_hash, status) WHERE duplicate_of IS NULL AND file IS NOT NULL;

-- The best pages, without sorting all; only relevant ones, which are few.
CREATE INDEX IF NOT EXISTS visit_best ON visit (relevance) WHERE fresh;

-- Fingerprints within 3 bits of each other agree in at least one of four bands of 16 bits. The primary key is the whole look-up;
-- the fingerprint stands beside it so that no visit is read in vain. Near-duplicates themselves get no rows.
CREATE TABLE IF NOT EXISTS band (
    key     INTEGER NOT NULL,          -- band << 16 | its bits
    number  INTEGER NOT NULL,
    simhash INTEGER NOT NULL,
    PRIMARY KEY (key, number)
) WITHOUT ROWID;

-- What the last pages of a host looked like whose urls have numbers: see store/lookalikes.py.
CREATE TABLE IF NOT EXISTS look (
    host  TEXT PRIMARY KEY,
    looks BLOB NOT NULL                -- for each page a hash of the url without its numbers, and the simhash of the text
) WITHOUT ROWID;

-- A visit together with what it repeats: where the body of a duplicate stands, and the urls of both kinds of twins.
CREATE VIEW IF NOT EXISTS entry AS
    SELECT visit.*, first.file AS first_file, first.offset AS first_offset, first.length AS first_length,
           first.url AS first_url, twin.url AS near_url
    FROM visit
    LEFT JOIN visit AS first ON first.number = visit.duplicate_of
    LEFT JOIN visit AS twin ON twin.number = visit.near;

-- Small things that the crawl remembers, in the same transaction as the visits they belong to.
CREATE TABLE IF NOT EXISTS state (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;
