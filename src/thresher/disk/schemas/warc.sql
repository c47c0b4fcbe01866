-- The WARC files and how much of each belongs to what is committed.
CREATE TABLE IF NOT EXISTS warc (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL
);
