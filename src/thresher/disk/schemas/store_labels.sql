-- What a person said of pages: one row for each url, in the crawl's SQLite file. The table is made when pages are first labelled.
CREATE TABLE IF NOT EXISTS label (
    url      TEXT PRIMARY KEY,
    relevant INTEGER,           -- 1 or 0; NULL if the page was skipped, so that it is not asked about again
    at       REAL NOT NULL      -- in seconds since 1970: a label is of the page as it was seen then
) WITHOUT ROWID;
