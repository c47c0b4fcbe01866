-- What one export takes, in tables of its own that vanish with it: they live in a temporary file, never in the crawl's.

-- What a person said of a page counts for more than what the judge said. Filled before the rest is read.
CREATE TEMP TABLE IF NOT EXISTS hand (
    url      TEXT PRIMARY KEY,
    relevant INTEGER NOT NULL
);

CREATE TEMP TABLE chosen (
    number  INTEGER PRIMARY KEY,
    cluster INTEGER NOT NULL           -- the visit that all pages of the cluster repeat; chosen itself or not
);

-- A page repeats bytes (`duplicate_of`) that may themselves be nearly those of another (`near`).
INSERT INTO temp.chosen
    SELECT visit.number, coalesce(first.near, visit.duplicate_of, visit.near, visit.number)
    FROM visit
    LEFT JOIN visit AS first ON first.number = visit.duplicate_of
    LEFT JOIN temp.hand ON hand.url = visit.url
    WHERE visit.outcome = 'page' AND (NOT :relevant OR coalesce(hand.relevant, visit.relevant))
        AND coalesce(visit.relevance, 0) >= :least AND visit.at >= :since
    ORDER BY visit.number;

CREATE INDEX temp.chosen_cluster ON chosen (cluster);

CREATE TEMP TABLE cluster (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,            -- the chosen page that stands for it
    size  INTEGER NOT NULL
);

INSERT INTO temp.cluster SELECT cluster, min(number), count(*) FROM temp.chosen GROUP BY cluster;
