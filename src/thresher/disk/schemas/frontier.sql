-- The frontier's part of the crawl's one SQLite file. States: 0 waiting, 1 claimed, 2 settled. Unknown urls have no row.

CREATE TABLE IF NOT EXISTS url (
    seq      INTEGER PRIMARY KEY,  -- age: new rows are appended, so that they fill whole pages one after the other
    hash     INTEGER NOT NULL,     -- 64 bits of the url; two of ten million urls share one with a chance of 1 in 300,000
    host     INTEGER NOT NULL,
    state    INTEGER NOT NULL DEFAULT 0,
    priority REAL    NOT NULL,
    tries    INTEGER NOT NULL DEFAULT 0,
    depth    INTEGER NOT NULL,
    parent,                        -- the seq of the page that was settled when the link was found, or a url, or NULL
    anchor   TEXT,
    chain    TEXT,                 -- the urls that redirected here, one a line
    url      TEXT    NOT NULL
);

-- Is this url known? Asked for each link of each page. The hash and not the url, because an index on the texts would be four times as large.
CREATE UNIQUE INDEX IF NOT EXISTS url_by_hash ON url (hash);

-- What is the best waiting url of this host? Asked at each claim. Equal priorities come in the order of seq, which ends every index row.
-- Only what waits is in it, so it stays small and each settled url leaves it.
CREATE INDEX IF NOT EXISTS url_by_host ON url (host, priority DESC) WHERE state = 0;

-- What was lent when the crawl was killed? Asked once, at the start. A handful of rows at any time.
CREATE INDEX IF NOT EXISTS url_claimed ON url (seq) WHERE state = 1;

-- The calendar. All of it is in memory while the crawl runs; changed rows are written with each commit.
CREATE TABLE IF NOT EXISTS host (
    number  INTEGER PRIMARY KEY,
    name    TEXT    NOT NULL,
    next_at REAL    NOT NULL,
    delay   REAL    NOT NULL,
    pause   REAL    NOT NULL,
    strains INTEGER NOT NULL,
    fetched INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    waiting INTEGER NOT NULL
);
