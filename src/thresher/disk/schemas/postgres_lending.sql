-- How the frontier in PostgreSQL lends urls: the rules of frontier/calendar.py and frontier/base.py as functions of the server.
-- `given` is the time that a test turns; NULL is the server's own clock. `seen` is the time of the last claim, or NULL.

CREATE FUNCTION time_of(given float8) RETURNS float8 LANGUAGE sql VOLATILE
AS $$ SELECT coalesce(given, date_part('epoch', clock_timestamp())) $$;

-- Where a host belongs. Used in the place of `place_of` in frontier/calendar.py.
CREATE FUNCTION place_of(
    head float8, next_at float8, in_flight integer, strains integer, fetched integer, now float8, o lending_options
) RETURNS "char" LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN head IS NULL OR strains >= (o).give_up OR fetched >= (o).quota THEN '-'::"char"
        WHEN in_flight >= (o).per_host OR fetched + in_flight >= (o).quota THEN 'f'::"char"
        WHEN next_at > now THEN 'z'::"char"
        ELSE 'r'::"char" END
$$;

-- Hosts lost some waiting urls, or got some back (fewer than none), or their order changed: look for the best of each anew.
CREATE FUNCTION refresh(o lending_options, hosts integer[], lost integer[], returned integer[], now float8) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE host SET waiting = waiting - changed.lost, in_flight = in_flight - changed.returned,
        lent_token = CASE WHEN changed.returned > 0 THEN NULL ELSE lent_token END,
        head = best.priority, head_seq = best.seq,
        place = place_of(best.priority, next_at, in_flight - changed.returned, strains, fetched, now, o)
    FROM unnest(hosts, lost, returned) AS changed (id, lost, returned) LEFT JOIN LATERAL (
        SELECT url.priority, url.seq FROM url
        WHERE url.host = changed.id AND url.state = 0
            AND NOT EXISTS (SELECT FROM lease WHERE lease.host = url.host AND lease.key = url.key)
        ORDER BY url.priority DESC, url.seq LIMIT 1
    ) AS best ON true
    WHERE host.id = changed.id;
END $$;

CREATE FUNCTION count_waiting(o lending_options, mine integer, change bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF o.cap IS NOT NULL AND change <> 0 THEN
        UPDATE slot SET waiting = waiting + change WHERE number = mine;
    END IF;
END $$;

-- Take back the claims whose time is over. Hosts that somebody is busy with are left for the next time.
CREATE FUNCTION expire(o lending_options, mine integer, now float8) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    tokens bigint[]; hosts integer[]; free integer[]; back integer[]; waiting integer[];
BEGIN
    SELECT array_agg(late.token), array_agg(late.host) INTO tokens, hosts
    FROM (SELECT token, host FROM lease WHERE expires <= now ORDER BY expires LIMIT 1000 FOR UPDATE SKIP LOCKED) AS late;
    IF tokens IS NULL THEN RETURN; END IF;
    SELECT array_agg(part.id) INTO free
    FROM (SELECT id FROM host WHERE id = ANY (hosts) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) AS part;
    WITH gone AS (DELETE FROM lease WHERE token = ANY (tokens) AND host = ANY (free) RETURNING host, guest),
         counted AS (SELECT host, count(*)::integer AS times, -count(*) FILTER (WHERE NOT guest)::integer AS lost FROM gone GROUP BY host)
    SELECT array_agg(host), array_agg(times), array_agg(lost) INTO hosts, back, waiting FROM counted;
    IF hosts IS NOT NULL THEN
        PERFORM refresh(o, hosts, waiting, back, now);
        PERFORM count_waiting(o, mine, -(SELECT sum(lost) FROM unnest(waiting) AS lost));
    END IF;
END $$;

-- Hosts are locked in the order of their ids here too: other workers may be in the middle of a turn.
CREATE FUNCTION rest_all(o lending_options, now float8) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    last integer; least_rest float8;
BEGIN
    SELECT rest_owed, rest_least INTO last, least_rest FROM lending WHERE rest_owed > 0 FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    PERFORM FROM host WHERE id <= last ORDER BY id FOR NO KEY UPDATE;
    UPDATE host SET next_at = rested.until, place = place_of(head, rested.until, in_flight, strains, fetched, now, o)
    FROM (
        SELECT id, greatest(least(next_at, now + greatest(o.rest_most, gap)), now + gap) AS until
        FROM (SELECT id, next_at, greatest(o.delay, delay, pause, least_rest) AS gap FROM host WHERE id <= last) AS owed
    ) AS rested
    WHERE host.id = rested.id;
    UPDATE lending SET rest_owed = 0, rest_least = 0;
END $$;

-- The clock was set back: no rest is longer than the longest.
CREATE FUNCTION set_back(o lending_options, now float8) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    late integer[];
BEGIN
    SELECT array_agg(part.id) INTO late FROM (
        SELECT id FROM host WHERE next_at > now + greatest(o.rest_most, o.delay, delay, pause) ORDER BY id FOR NO KEY UPDATE
    ) AS part;
    UPDATE host SET next_at = now + greatest(o.rest_most, o.delay, delay, pause),
        place = place_of(head, now + greatest(o.rest_most, o.delay, delay, pause), in_flight, strains, fetched, now, o)
    WHERE id = ANY (late);
END $$;

-- How many hosts with better urls are free in a moment, counted up to `most`; and when the first of them is.
CREATE FUNCTION awaited(
    o lending_options, yields boolean, best float8, best_seq bigint, turns bigint, now float8, most bigint, OUT better bigint, OUT first float8
) LANGUAGE plpgsql AS $$
BEGIN
    SELECT count(*), min(part.till) INTO better, first FROM (
        SELECT next_at + CASE WHEN in_flight > 0 THEN o.delay ELSE 0 END AS till FROM host
        WHERE asked AND place IN ('z', 'f') AND head >= CASE WHEN yields THEN '-infinity'::float8 ELSE best END
            AND (yields_till > turns AND head < o.put_first, -head, head_seq) < (yields, -best, best_seq)
            AND next_at <= now + 2 * o.delay AND now < next_at + CASE WHEN in_flight > 0 THEN o.delay ELSE 0 END
        ORDER BY head DESC, head_seq LIMIT most
    ) AS part;
END $$;

-- Lend the best waiting url of a host whose row is locked. No row if none waits after all.
CREATE FUNCTION lend(o lending_options, mine integer, lender integer, now float8, OUT lent url, OUT token bigint, OUT parent_url text)
LANGUAGE plpgsql AS $$
DECLARE
    best url[];
BEGIN
    SELECT array_agg(part.known) INTO best FROM (
        SELECT known FROM url AS known
        WHERE known.host = lender AND known.state = 0
            AND NOT EXISTS (SELECT FROM lease WHERE lease.host = known.host AND lease.key = known.key)
        ORDER BY known.priority DESC, known.seq LIMIT 2
    ) AS part;
    IF best IS NULL THEN RETURN; END IF;
    lent := best[1];
    token := (random() * 9007199254740992)::bigint;
    INSERT INTO lease (token, key, host, slot, expires) VALUES (token, lent.key, lender, mine, now + o.lease);
    UPDATE host SET waiting = waiting - 1, in_flight = in_flight + 1, lent_token = lend.token, lent_next_at = next_at,
        next_at = greatest(next_at, now + greatest(o.delay, delay)), asked = o.spread > 0 AND o.delay > 0,
        head = best[2].priority, head_seq = best[2].seq,
        place = place_of(best[2].priority, greatest(next_at, now + greatest(o.delay, delay)), in_flight + 1, strains, fetched, now, o)
    WHERE id = lender;
    parent_url := coalesce(lent.parent, (SELECT page.url FROM url AS page WHERE page.host = lent.page_host AND page.key = lent.page_key));
END $$;

-- How many more pages may be lent: no more than the budget has when all that are lent are fetched. Only near its end do workers wait here for
-- each other, so that they never lend more than there is together.
CREATE FUNCTION allowed_pages(wanted integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    most bigint; far bigint := 1000;
BEGIN
    SELECT pages - totals.fetched INTO most FROM lending, totals;
    IF most - (SELECT count(*) FROM lease) >= far THEN RETURN wanted; END IF;
    PERFORM pg_advisory_xact_lock(hashtext('thresher budget'), hashtext(current_schema()));
    SELECT pages - totals.fetched - (SELECT count(*) FROM lease) INTO most FROM lending, totals;
    RETURN greatest(0, least(wanted, most));
END $$;

-- Lend up to so many urls. The first row says only the time and the epoch of the other workers; then a row for each claim.
CREATE FUNCTION claim(o lending_options, mine integer, wanted integer, given float8)
RETURNS TABLE (
    now float8, epoch bigint, token bigint, seq bigint, expires float8, url text, priority float8, depth integer, parent text, anchor text,
    chain text, tries smallint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    moment float8 := time_of(given); turns bigint; rest boolean; late boolean; awake boolean; limited boolean;
    host_id integer; best float8; best_seq bigint; yields boolean; loan record; count integer := 0; most integer := wanted;
    spread bigint;
BEGIN
    SELECT lending.rest_owed > 0, EXISTS (SELECT FROM lease WHERE lease.expires <= moment),
        EXISTS (SELECT FROM host WHERE host.place = 'z' AND host.next_at <= moment),
        (SELECT coalesce(sum(slot.epoch), 0)::bigint FROM slot WHERE slot.number <> mine), o.spread * lending.workers,
        lending.pages IS NOT NULL, turn.last_value
    INTO rest, late, awake, epoch, spread, limited, turns FROM lending, turn;
    now := moment;
    RETURN NEXT;
    IF rest THEN PERFORM rest_all(o, moment); END IF;
    IF late THEN PERFORM expire(o, mine, moment); END IF;
    IF awake THEN
        -- If very many wake at once, some are left for the next claim.
        UPDATE host SET place = 'r' WHERE host.id IN (
            SELECT host.id FROM host WHERE host.place = 'z' AND host.next_at <= moment ORDER BY host.next_at LIMIT 5000
            FOR NO KEY UPDATE SKIP LOCKED);
    END IF;
    IF limited THEN most := least(wanted, allowed_pages(wanted)); END IF;
    WHILE count < most LOOP
        SELECT host.id, host.head, host.head_seq, false INTO host_id, best, best_seq, yields FROM host
        WHERE host.place = 'r' AND (host.yields_till <= turns OR host.head >= o.put_first) AND host.next_at <= moment
        ORDER BY host.head DESC, host.head_seq LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
        IF NOT FOUND THEN
            SELECT host.id, host.head, host.head_seq, true INTO host_id, best, best_seq, yields FROM host
            WHERE host.place = 'r' AND host.next_at <= moment
            ORDER BY host.head DESC, host.head_seq LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
        END IF;
        EXIT WHEN NOT FOUND;
        IF o.spread > 0 AND o.delay > 0 THEN
            EXIT WHEN (SELECT better FROM awaited(o, yields, best, best_seq, turns, moment, spread)) >= spread;
        END IF;
        SELECT * INTO loan FROM lend(o, mine, host_id, moment);
        IF loan.token IS NULL THEN
            PERFORM refresh(o, ARRAY[host_id], ARRAY[0], ARRAY[0], moment);
            CONTINUE;
        END IF;
        count := count + 1;
        token := loan.token; seq := (loan.lent).seq; expires := moment + o.lease; url := (loan.lent).url; priority := (loan.lent).priority;
        depth := (loan.lent).depth; parent := loan.parent_url; anchor := (loan.lent).anchor; chain := (loan.lent).chain;
        tries := (loan.lent).tries;
        RETURN NEXT;
    END LOOP;
    IF o.cap IS NOT NULL THEN PERFORM count_waiting(o, mine, -count); END IF;
END $$;

-- When the next claim could succeed if nothing is settled before; NULL if never.
CREATE FUNCTION due(o lending_options, seen float8) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    now float8 := time_of(seen); turns bigint; expiry float8; first record; held record; next float8; spread bigint;
BEGIN
    SELECT last_value INTO turns FROM turn;
    SELECT min(expires) INTO expiry FROM lease;
    IF (SELECT pages <= totals.fetched + (SELECT count(*) FROM lease) FROM lending, totals) THEN
        RETURN least(expiry, now + 0.5);  -- the budget is spent when what is lent is fetched
    END IF;
    SELECT head, head_seq, next_at, yields_till > turns AND head < o.put_first AS yields INTO first FROM host
    WHERE place = 'r' ORDER BY yields_till > turns AND head < o.put_first, head DESC, head_seq LIMIT 1;
    IF first.head IS NULL THEN
        SELECT min(next_at) INTO next FROM host WHERE place = 'z';
        RETURN least(next, expiry);
    END IF;
    SELECT * INTO held FROM awaited(o, first.yields, first.head, first.head_seq, turns, now, NULL);
    SELECT o.spread * workers INTO spread FROM lending;
    RETURN least(CASE WHEN spread > 0 AND o.delay > 0 AND held.better >= spread THEN held.first ELSE first.next_at END, expiry);
END $$;

CREATE FUNCTION census(
    o lending_options, seen float8, OUT waiting bigint, OUT claimed bigint, OUT settled bigint, OUT hosts bigint, OUT resting bigint,
    OUT closed bigint, OUT best float8
) LANGUAGE sql VOLATILE AS $$
    WITH part AS (
        SELECT waiting, settled, head, next_at > time_of(seen) OR in_flight >= o.per_host AS rests,
            coalesce(strains >= o.give_up OR fetched >= o.quota, false) AS closed
        FROM host
    )
    SELECT coalesce(sum(waiting) FILTER (WHERE head IS NOT NULL), 0), (SELECT count(*) FROM lease), coalesce(sum(settled), 0),
        count(head), count(head) FILTER (WHERE rests AND NOT closed), coalesce(sum(waiting) FILTER (WHERE head IS NOT NULL AND closed), 0),
        max(head)
    FROM part
$$;

-- Every host that is known now rests before its next request, for at least so many seconds.
CREATE FUNCTION owe_rest(seconds float8) RETURNS void LANGUAGE sql AS $$
    UPDATE lending SET rest_owed = (SELECT coalesce(max(id), 0) FROM host), rest_least = greatest(rest_least, seconds)
$$;

-- Nobody else works: whoever held claims is gone. Hosts that were given up get another chance, and every host rests first.
CREATE FUNCTION take_back_all(o lending_options, mine integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    hosts integer[]; back integer[]; waiting integer[];
BEGIN
    WITH gone AS (DELETE FROM lease RETURNING host, guest),
         counted AS (SELECT host, count(*)::integer AS times, -count(*) FILTER (WHERE NOT guest)::integer AS lost FROM gone GROUP BY host)
    SELECT array_agg(host), array_agg(times), array_agg(lost) INTO hosts, back, waiting FROM counted;
    PERFORM refresh(o, hosts, waiting, back, 0);
    -- Other options may have held when the places were written, and time begins anew.
    UPDATE host SET asked = false, strains = least(strains, o.give_up - 1), lent_token = NULL,
        place = place_of(head, next_at, in_flight, least(strains, o.give_up - 1), fetched, 0, o)
    WHERE asked OR strains >= o.give_up OR lent_token IS NOT NULL
        OR place <> place_of(head, next_at, in_flight, least(strains, o.give_up - 1), fetched, 0, o);
    UPDATE slot SET epoch = epoch + 1, waiting = CASE WHEN number = mine AND o.cap IS NOT NULL THEN (SELECT coalesce(sum(host.waiting), 0) FROM host) ELSE 0 END;
    PERFORM setval('turn', (SELECT coalesce(sum(settled), 0) FROM host));
    PERFORM owe_rest(0);
END $$;

-- The order in which a full frontier forgets. Only a crawl with a cap pays for it.
CREATE FUNCTION make_cap(o lending_options) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF o.cap IS NULL OR o.evict <> 'lowest' THEN DROP INDEX IF EXISTS url_lowest; END IF;
    IF o.cap IS NULL OR o.evict <> 'newest' THEN DROP INDEX IF EXISTS url_newest; END IF;
    IF o.cap IS NOT NULL AND o.evict = 'lowest' THEN
        CREATE INDEX IF NOT EXISTS url_lowest ON url (priority, seq DESC) WHERE state = 0;
    ELSIF o.cap IS NOT NULL THEN
        CREATE INDEX IF NOT EXISTS url_newest ON url ((priority >= 1e300::float8), seq DESC) WHERE state = 0; -- what was put first comes last
    END IF;
END $$;

-- A worker joins. It gets a slot, which is its own as long as its connection lasts. Whoever comes first after all others are gone takes back
-- their claims and sets the options; the others are told which options hold. The locks are released with the connection.
CREATE FUNCTION join_crawl(wanted text, again boolean, crash_rest float8, called text, OUT mine integer, OUT options text, OUT began float8)
LANGUAGE plpgsql AS $$
DECLARE
    workers integer := hashtext('thresher workers'); crawl integer := hashtext(current_schema()); alone boolean := false;
    slots integer := hashtext('thresher slots ' || current_schema()); taken integer;
BEGIN
    IF NOT again THEN alone := pg_try_advisory_lock(workers, crawl); END IF;
    FOR taken IN SELECT number FROM slot ORDER BY number LOOP
        IF pg_try_advisory_lock(slots, taken) THEN
            mine := taken;
            EXIT;
        END IF;
    END LOOP;
    IF mine IS NULL THEN
        mine := nextval('slot_number');
        PERFORM pg_advisory_lock(slots, mine);
        INSERT INTO slot (number) VALUES (mine);
    END IF;
    IF alone THEN
        PERFORM take_back_all(wanted::lending_options, mine);
        PERFORM make_cap(wanted::lending_options);
        UPDATE lending SET options = wanted;
    END IF;
    PERFORM pg_advisory_lock_shared(workers, crawl);
    IF alone THEN PERFORM pg_advisory_unlock(workers, crawl); END IF;
    INSERT INTO unbroken DEFAULT VALUES ON CONFLICT DO NOTHING;
    IF FOUND THEN PERFORM owe_rest(crash_rest); END IF;
    began := time_of(NULL);
    UPDATE slot SET began = join_crawl.began, name = called WHERE number = mine;
    SELECT lending.options INTO options FROM lending;
END $$;
