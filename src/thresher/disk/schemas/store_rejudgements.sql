-- Judgements made anew of kept pages, beside those of the crawl, which stay. Both tables are made when pages are first judged anew.

-- One row for each round of judging anew. The latest round with `done` is in force.
CREATE TABLE IF NOT EXISTS rejudging (
    number INTEGER PRIMARY KEY,
    begun  REAL NOT NULL,              -- in seconds since 1970
    done   REAL,                       -- when it came into force; NULL while it is under way or waits for a yes
    judge  TEXT NOT NULL,              -- JSON: the judge's table, as a crawl file has it
    learn  INTEGER NOT NULL,           -- 1 if a classifier learnt from the crawl has put the pages in order
    labels BLOB NOT NULL,              -- SHA-1 of the labels that were heard: after others, an unfinished round begins again
    words  BLOB                        -- on how many pages each word was seen, while a round that learns is under way
);

-- What a round said of a page, or of the version of it that a later look saw.
CREATE TABLE IF NOT EXISTS rejudgement (
    round     INTEGER NOT NULL,        -- rejudging.number
    visit     INTEGER NOT NULL,        -- visit.number
    look      INTEGER NOT NULL,        -- revisit.number of the version; 0 for the page as it was kept first
    relevance REAL NOT NULL,
    relevant  INTEGER NOT NULL,
    evidence  TEXT,                    -- as in visit
    simhash   INTEGER,                 -- of the main text, as in visit
    near      INTEGER,                 -- the first visit with nearly the same text that this round calls relevant
    base      REAL,                    -- these three if the round learns: what the judge said,
    said      INTEGER,
    learnt    REAL,                    -- and the probability by the classifier
    PRIMARY KEY (round, visit, look)
) WITHOUT ROWID;
