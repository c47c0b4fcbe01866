-- Which orders a crawl has carried out, and what came of each: in the crawl's SQLite file, in the transaction of what they changed.
CREATE TABLE IF NOT EXISTS carried_out (
    inbox    TEXT NOT NULL,     -- the name of the inbox that it came from
    number   INTEGER NOT NULL,  -- its number there
    at       REAL NOT NULL,     -- in seconds since 1970
    sentence TEXT NOT NULL,     -- what a person is told
    moved    INTEGER NOT NULL,  -- how many waiting urls changed place
    done     INTEGER NOT NULL,  -- 0 if it was refused
    PRIMARY KEY (inbox, number)
) WITHOUT ROWID;

-- The latest answers, of whatever inbox.
CREATE INDEX IF NOT EXISTS carried_out_number ON carried_out (number);
