-- The inbox of a crawl, `orders.sqlite`: what was ordered of it. Many processes write here; the crawl itself only reads.

-- Which inbox this is: one that takes the place of another has another name, so that its numbers are not taken for those of the first.
CREATE TABLE IF NOT EXISTS inbox (name TEXT NOT NULL);
INSERT INTO inbox SELECT lower(hex(randomblob(8))) WHERE NOT EXISTS (SELECT 1 FROM inbox);

CREATE TABLE IF NOT EXISTS given (
    number INTEGER PRIMARY KEY,  -- milliseconds since 1970 when it was given, or one more than the last
    said   BLOB NOT NULL         -- JSON: the order
);
