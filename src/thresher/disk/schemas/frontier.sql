-- The frontier's part of the crawl's one SQLite file. Unknown urls have no row. docs/design/004-urls-of-a-host-together.md says why it is laid out so.

-- Which urls are known, and how they stand. Asked and written for the links of each page, so the rows are small, and those of one host stand together.
CREATE TABLE IF NOT EXISTS known (
    key      INTEGER PRIMARY KEY,  -- 16 bits of the host, 48 of the url: see frontier/keys.py
    seq      INTEGER NOT NULL,     -- age
    host     INTEGER NOT NULL,
    state    INTEGER NOT NULL,     -- 0 waiting, 1 claimed, 2 settled
    priority REAL    NOT NULL
);

-- What was lent when the crawl was killed? Asked once, at the start. A handful of rows at any time.
CREATE INDEX IF NOT EXISTS known_claimed ON known (host) WHERE state = 1;

-- The url itself and where it was found first: written once, read when it is lent.
CREATE TABLE IF NOT EXISTS origin (
    seq    INTEGER PRIMARY KEY,    -- new rows are appended, so that they fill whole pages one after the other
    tries  INTEGER NOT NULL DEFAULT 0,
    depth  INTEGER NOT NULL,
    parent,                        -- the seq of the page that was settled when the link was found, or a url, or NULL
    anchor TEXT,
    chain  TEXT,                   -- the urls that redirected here, one a line
    url    TEXT    NOT NULL
);

-- Where a waiting url was found, if a later link counts more than the first. Beside the others of its host, since a page brings many at once.
CREATE TABLE IF NOT EXISTS new_origin (
    host   INTEGER NOT NULL,
    seq    INTEGER NOT NULL,
    depth  INTEGER NOT NULL,
    parent,
    anchor TEXT,
    chain  TEXT,
    PRIMARY KEY (host, seq)
) WITHOUT ROWID;

-- The best waiting urls of each host, in order: some dozens of each, however many wait. See frontier/best_waiting.py.
CREATE TABLE IF NOT EXISTS best_waiting (
    host  INTEGER NOT NULL,
    worth REAL    NOT NULL,        -- the priority, negated: the smallest is visited first
    seq   INTEGER NOT NULL,
    PRIMARY KEY (host, worth, seq)
) WITHOUT ROWID;

-- Hosts some of whose pages looked alike: see frontier/turns.py. In memory too, and written with each commit.
CREATE TABLE IF NOT EXISTS alike (
    host        INTEGER PRIMARY KEY,
    level       INTEGER NOT NULL,  -- one more for each page that looks like others, half for each that does not
    pages       INTEGER NOT NULL,  -- that looked like others
    yields_till INTEGER NOT NULL   -- so many urls of all hosts must have settled before its next turn; 0 if it never lost one
);

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
