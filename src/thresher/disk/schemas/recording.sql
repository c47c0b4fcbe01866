-- The index of a recorded web. Written once and never changed; thrown away when a WARC file or this format changes.
CREATE TABLE file (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL);
CREATE TABLE note (name TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE page (
    id INTEGER PRIMARY KEY,      -- 1, 2, 3 … without a gap
    hash INTEGER NOT NULL,       -- urls.url_hash: half the size of an index over the urls themselves
    url TEXT NOT NULL,
    status INTEGER NOT NULL,
    digest INTEGER,              -- 64 bits that stand for the payload's digest
    file INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
    -- of a revisit, where the content stands
    content_file INTEGER, content_offset INTEGER, content_length INTEGER,
    before INTEGER NOT NULL      -- length of its conversion and its request, which end where it begins; 0 if it has no conversion
);
CREATE INDEX page_by_hash ON page (hash);

-- Only while the index is made.
CREATE TEMP TABLE again (digest INTEGER, status INTEGER, file INTEGER, offset INTEGER, length INTEGER);
CREATE TEMP TABLE revisit_record (
    url TEXT, refers TEXT, status INTEGER, digest INTEGER, file INTEGER, offset INTEGER, length INTEGER, before INTEGER
);
