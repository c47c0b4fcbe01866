-- What the workers of a crawl in PostgreSQL know of each other.

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

-- A strategy joins: it begins with what the one that has heard most knows, and is told which lessons it knows by that. Names of states are
-- `learner/NUMBER/…`. Strategies whose workers have been away for an hour are forgotten, unless nobody knows more.
CREATE FUNCTION enrol(OUT mine bigint, OUT heard bigint, OUT of bigint, OUT until bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    best learner;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('thresher learners'), hashtext(current_schema()));
    SELECT * INTO best FROM learner ORDER BY heard DESC, number DESC LIMIT 1;
    INSERT INTO learner (heard, of, until, beat) VALUES (
        coalesce(best.heard, 0), best.number, coalesce((SELECT max(visit) FROM lesson WHERE learner = best.number), 0), time_of(NULL)
    ) RETURNING number, heard, of, until INTO mine, heard, of, until;
    INSERT INTO state SELECT 'learner/' || mine || '/' || substr(name, length('learner/' || best.number || '/') + 1), value
        FROM state WHERE name ^@ ('learner/' || best.number || '/');
    DELETE FROM state USING learner
        WHERE learner.beat < time_of(NULL) - 3600 AND learner.number <> mine AND state.name ^@ ('learner/' || learner.number || '/');
    DELETE FROM learner WHERE beat < time_of(NULL) - 3600 AND number <> mine;
END $$;

-- Take an order: its number, milliseconds since 1970 or one more than the last; NULL if too many wait.
CREATE FUNCTION give_order(order_said bytea, most integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    done bigint; new_number bigint;
BEGIN
    LOCK TABLE given IN EXCLUSIVE MODE;
    SELECT coalesce(max(number), 0) INTO done FROM carried_out WHERE inbox = 'table';
    DELETE FROM given WHERE number < done;
    IF (SELECT count(*) FROM given) >= most THEN RETURN NULL; END IF;
    SELECT greatest((time_of(NULL) * 1000)::bigint, coalesce(max(number), 0) + 1, done + 1) INTO new_number FROM given;
    INSERT INTO given (number, said) VALUES (new_number, order_said);
    RETURN new_number;
END $$;

-- What differs after anything was kept.
CREATE FUNCTION what_was_kept(
    OUT visits bigint, OUT orders bigint, OUT answers bigint, OUT labelled float8, OUT labels bigint, OUT looks bigint, OUT judged float8
) LANGUAGE sql STABLE AS $$
    SELECT visits, (SELECT max(number) FROM given), (SELECT max(number) FROM carried_out), (SELECT max(at) FROM label),
        (SELECT count(*) FROM label), (SELECT max(number) FROM revisit), (SELECT max(done) FROM rejudging)
    FROM totals
$$;

-- When the first of the workers began that are there; NULL if none is.
CREATE FUNCTION first_began() RETURNS float8 LANGUAGE sql STABLE AS 'SELECT min(began) FROM at_work';

-- The workers that are there, each by machine and process.
CREATE FUNCTION who_works() RETURNS SETOF text LANGUAGE sql STABLE AS 'SELECT name FROM at_work ORDER BY number';

-- Count the workers anew: with them grows the number of hosts that are worked on side by side.
CREATE FUNCTION count_workers() RETURNS void LANGUAGE sql AS $$
    UPDATE lending SET workers = found.number
    FROM (SELECT greatest(1, count(*))::integer AS number FROM at_work) AS found WHERE workers <> found.number
$$;
