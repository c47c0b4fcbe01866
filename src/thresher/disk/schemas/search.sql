-- The search index of a crawl folder. It can be thrown away at any time: it is made again of what was kept.

-- Only what the index alone knows; title, url and relevance are read from the catalogue, so that they are always today's.
CREATE TABLE IF NOT EXISTS page (
    number   INTEGER PRIMARY KEY,        -- of the visit
    url_hash INTEGER NOT NULL UNIQUE,    -- a page that was fetched again takes the place of the older one
    copies   INTEGER NOT NULL DEFAULT 0, -- other urls with the same page, exactly or nearly
    words    INTEGER NOT NULL UNIQUE     -- its rowid there: its number, or below zero that of the look that saw it changed
);

-- Words and where they stand, not the texts: those lie in the WARC files, and a snippet needs ten of them.
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    title, headings, text, content = '',
    tokenize = TOKENIZE
);

-- A word in the title says more than one in the text: the field weights of the judges.
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(3.0, 2.0, 1.0)');

-- The latest visit that was taken in, and what tells it from that of another crawl.
CREATE TABLE IF NOT EXISTS latest (number INTEGER NOT NULL, url_hash INTEGER NOT NULL, at REAL NOT NULL);

-- The latest look that was taken in.
CREATE TABLE IF NOT EXISTS latest_look (number INTEGER NOT NULL);
INSERT INTO latest_look VALUES (0);

-- The round that judged the pages anew when they were taken in; 0 for the crawl itself.
CREATE TABLE IF NOT EXISTS judging_round (number INTEGER NOT NULL);
