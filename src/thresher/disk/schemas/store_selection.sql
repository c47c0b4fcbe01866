-- The pages of one selection, in temporary tables: they are never written to the crawl's file.

CREATE TEMP TABLE chosen (
    number  INTEGER PRIMARY KEY,
    cluster INTEGER NOT NULL           -- the visit that all pages of the cluster repeat; chosen itself or not
);

-- A page repeats bytes (`duplicate_of`) that may themselves be nearly those of another (`near`).
-- One that has changed since it was kept is like no other; what is like its first version is not like it.
-- What a person said of a page counts for more than what the judge said, and holds for its copies: `label` does not ask about those.
INSERT INTO temp.chosen
    SELECT page.number, coalesce(-page.version, first.near, page.duplicate_of, page.near, page.number)
    FROM current AS page
    LEFT JOIN visit AS first ON first.number = page.duplicate_of
    LEFT JOIN current AS root ON root.number = coalesce(first.near, page.duplicate_of, page.near) AND root.version IS NULL
    WHERE page.outcome = 'page' AND (NOT :relevant OR coalesce(page.hand, root.hand, page.relevant))
        AND coalesce(page.relevance, 0) >= :least AND page.at >= :since
    ORDER BY page.number;

CREATE INDEX chosen_cluster ON chosen (cluster);

CREATE TEMP TABLE cluster (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,            -- the chosen page that stands for it
    size  INTEGER NOT NULL
);

INSERT INTO temp.cluster SELECT cluster, min(number), count(*) FROM temp.chosen GROUP BY cluster;
