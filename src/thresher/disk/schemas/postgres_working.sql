-- What the workers of a crawl in PostgreSQL know of each other.

-- Which worker of ours holds a slot: from when on, and how a person would call it.
ALTER TABLE slot ADD COLUMN began float8 NOT NULL DEFAULT 0, ADD COLUMN name text NOT NULL DEFAULT '';

-- The slots whose workers are there: each holds an advisory lock of its slot as long as its connection lasts.
CREATE VIEW at_work AS
    SELECT slot.number, slot.began, slot.name FROM slot JOIN pg_locks ON locktype = 'advisory' AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid::bigint = hashtext('thresher slots ' || current_schema())::bigint & 4294967295
        AND objid::bigint = slot.number;

-- What a worker's strategy learnt from a visit, for those of the others. Numbered as the visits are.
CREATE TABLE lesson (
    visit   bigint PRIMARY KEY,
    learner bigint NOT NULL,                     -- who learnt it
    said    bytea  NOT NULL
);

-- The strategies of the workers, each with its state under names of its own in `state`.
CREATE TABLE learner (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    heard  bigint NOT NULL,                      -- it knows all lessons up to this visit,
    of     bigint,                               -- and those of the learner that it was copied from up to that one
    until  bigint NOT NULL DEFAULT 0,
    beat   float8 NOT NULL                       -- when it last heard lessons, by the server's clock
);
