-- The search index of a crawl in PostgreSQL. It can be emptied at any time: it is made again of what was kept.

-- The words of a page, in the forms that its language gives them: title A, headings B, text D.
CREATE TABLE page_words (
    id       bigint   PRIMARY KEY,               -- the number of the visit, or below zero that of the look that saw it changed
    said     tsvector NOT NULL
);
CREATE INDEX page_words_said ON page_words USING gin (said);

-- A page that was fetched again, or has changed, takes the place of the older one.
CREATE TABLE indexed_page (
    number   bigint   PRIMARY KEY,               -- of the visit
    url_hash bigint   NOT NULL UNIQUE,
    copies   integer  NOT NULL DEFAULT 0,        -- other urls with the same page, exactly or nearly
    words    bigint   NOT NULL UNIQUE            -- its page_words.id
);

-- The languages of PostgreSQL in which pages were taken in. A word that is looked for is looked for in its forms of all of them.
CREATE TABLE indexed_language (
    name     regconfig PRIMARY KEY
);

-- How far the visits and the looks are taken in, and which round judged the pages then.
CREATE TABLE indexed_until (
    one      boolean  PRIMARY KEY DEFAULT true CHECK (one),
    visit    bigint   NOT NULL DEFAULT 0,
    look     bigint   NOT NULL DEFAULT 0,
    round    bigint   NOT NULL DEFAULT 0
);
INSERT INTO indexed_until DEFAULT VALUES;

-- How well a page fits: a word in the title says more than one in the text.
CREATE FUNCTION fit(said tsvector, wanted tsquery) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
    SELECT ts_rank_cd('{0.33, 0.33, 0.67, 1.0}', said, wanted, 1)::float8
$$;
