-- Looks at pages that were kept before, one row each: beside the catalogue in the crawl's SQLite file, which it never changes.
CREATE TABLE IF NOT EXISTS revisit (
    number       INTEGER PRIMARY KEY,
    visit        INTEGER NOT NULL,     -- visit.number: the page as it was kept first
    at           REAL NOT NULL,        -- when it was looked at, in seconds since 1970
    found        TEXT NOT NULL,        -- not-modified, same, changed, gone, moved, refused, failed
    outcome      TEXT NOT NULL,        -- page, http-304, http-404, timeout …, as in visit
    status       INTEGER,
    detail       TEXT,                 -- of what was refused or failed
    target       TEXT,                 -- where it has moved to
    relevant     INTEGER,              -- these nine of a changed page, as in visit
    relevance    REAL,
    evidence     TEXT,
    title        TEXT,
    language     TEXT,
    canonical    TEXT,
    noindex      INTEGER,
    bytes        INTEGER,
    facts        TEXT,
    new_links    INTEGER NOT NULL,     -- urls that joined the frontier
    etag         TEXT,                 -- these five are the page from then on: its validators,
    modified     TEXT,
    content_hash BLOB,                 -- SHA-1 of the bytes,
    look         BLOB,                 -- SHA-1 of title, text and links: what a person sees,
    body_at      REAL,                 -- and when the bytes were fetched that a WARC file has
    file         INTEGER,              -- where the record stands, as in visit
    offset       INTEGER,
    length       INTEGER,
    request      INTEGER,
    fresh        INTEGER AS (coalesce(relevant, 0))
);

-- The looks at one page, in order.
CREATE INDEX IF NOT EXISTS revisit_visit ON revisit (visit, number);
