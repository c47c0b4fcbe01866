-- How the frontier in PostgreSQL takes in links and ends claims: the rules of frontier/base.py as functions of the server.

-- The priority of a url under `sum`. PostgreSQL refuses sums that are no numbers any more, where Python gives infinity.
CREATE FUNCTION summed(a float8, b float8, most float8) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN a > 0 AND b > most - a THEN most WHEN a < 0 AND b < -most - a THEN -most ELSE a + b END
$$;

-- The same for several links of one page to one url, in their order.
CREATE FUNCTION summed_all(a float8, addends float8[], most float8) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    FOR i IN 1..cardinality(addends) LOOP
        a := summed(a, addends[i], most);
    END LOOP;
    RETURN a;
END $$;

-- The ids of hosts by their names, which are unique; of the first so many those that nobody met are made, of the others they are NULL.
-- The rows are locked. Hosts are made before any row is locked, by the order of their names, and locked by the order of their ids: so nobody
-- waits in a circle.
CREATE FUNCTION locked_hosts(names text[], made integer) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
    ids integer[] := array_fill(NULL::integer, ARRAY[cardinality(names)]); found record;
BEGIN
    IF EXISTS (SELECT FROM unnest(names[:made]) AS wanted (name) WHERE NOT EXISTS (SELECT FROM host WHERE host.name = wanted.name)) THEN
        INSERT INTO host (name) SELECT wanted.name FROM unnest(names[:made]) AS wanted (name)
        WHERE NOT EXISTS (SELECT FROM host WHERE host.name = wanted.name) ORDER BY wanted.name COLLATE "C"
        ON CONFLICT DO NOTHING;
    END IF;
    FOR found IN
        SELECT host.id, wanted.at FROM unnest(names) WITH ORDINALITY AS wanted (name, at) JOIN host ON host.name = wanted.name
        ORDER BY host.id FOR NO KEY UPDATE OF host
    LOOP
        ids[found.at] := found.id;
    END LOOP;
    RETURN ids;
END $$;

-- Keep the new, merge the waiting, ignore the others. Hosts are brought up to date, except `own`: what it got is told to the caller.
-- `place_in` of each link is the place of its host in `hosts`. A parent of '' is the page that is being settled.
CREATE FUNCTION take_in(
    o lending_options, hosts integer[], own integer, page_key bigint, seen float8, place_in integer[], keys bigint[],
    priorities float8[], depths integer[], parents text[], anchors text[], chains text[], urls text[], addends text[],
    OUT fresh integer, OUT floors float8[], OUT own_fresh integer, OUT own_best float8, OUT own_seq bigint, OUT fell integer[]
) LANGUAGE plpgsql AS $$
BEGIN
    WITH link AS (
        SELECT hosts[t.place] AS host, t.key, t.priority, t.depth, t.parent, t.anchor, t.chain, t.url, t.addends, t.at
        FROM unnest(place_in, keys, priorities, depths, parents, anchors, chains, urls, addends)
            WITH ORDINALITY AS t (place, key, priority, depth, parent, anchor, chain, url, addends, at)
    ), met AS MATERIALIZED (
        SELECT link.*, known.seq, known.state, known.priority AS before,
            CASE o.merge WHEN 'max' THEN greatest(known.priority, link.priority) WHEN 'first' THEN known.priority
                WHEN 'last' THEN CASE WHEN known.priority >= o.put_first THEN known.priority ELSE link.priority END
                WHEN 'sum' THEN CASE WHEN link.addends IS NULL THEN summed(known.priority, link.priority, o.highest)
                    ELSE summed_all(known.priority, link.addends::float8[], o.highest) END END AS merged,
            o.merge = 'last' OR (o.merge = 'max' AND link.priority > known.priority) AS follows
        FROM link LEFT JOIN url AS known ON known.host = link.host AND known.key = link.key
    ), new AS (
        INSERT INTO url (host, key, seq, priority, depth, page_host, page_key, parent, anchor, chain, url)
        SELECT part.host, part.key, nextval('url_seq'), part.priority, part.depth, CASE WHEN part.parent = '' THEN own END,
            CASE WHEN part.parent = '' THEN take_in.page_key END, nullif(part.parent, ''), part.anchor, part.chain, part.url
        FROM (SELECT * FROM met WHERE seq IS NULL ORDER BY at) AS part
        RETURNING host, priority, seq
    ), changed AS (
        UPDATE url SET priority = met.merged,
            depth = CASE WHEN met.follows THEN met.depth ELSE url.depth END,
            page_host = CASE WHEN NOT met.follows THEN url.page_host WHEN met.parent = '' THEN own END,
            page_key = CASE WHEN NOT met.follows THEN url.page_key WHEN met.parent = '' THEN take_in.page_key END,
            parent = CASE WHEN met.follows THEN nullif(met.parent, '') ELSE url.parent END,
            anchor = CASE WHEN met.follows THEN met.anchor ELSE url.anchor END,
            chain = CASE WHEN met.follows THEN met.chain ELSE url.chain END
        FROM met
        WHERE met.state = 0 AND (met.follows OR met.merged <> met.before) AND url.host = met.host AND url.key = met.key
            AND NOT EXISTS (SELECT FROM lease WHERE lease.host = met.host AND lease.key = met.key)
        RETURNING url.host, url.priority, url.seq, url.priority < met.before AS fell
    ), told AS (
        SELECT part.host, sum(part.fresh)::integer AS fresh, max(part.priority) AS best,
            (array_agg(part.seq ORDER BY part.priority DESC, part.seq))[1] AS seq, bool_or(part.fell) AS fell
        FROM (SELECT host, priority, seq, 1 AS fresh, false AS fell FROM new
              UNION ALL SELECT host, priority, seq, 0, changed.fell FROM changed) AS part
        GROUP BY part.host
    ), others AS (
        UPDATE host SET waiting = waiting + told.fresh,
            head = CASE WHEN head IS NULL OR (-told.best, told.seq) < (-head, head_seq) THEN told.best ELSE head END,
            head_seq = CASE WHEN head IS NULL OR (-told.best, told.seq) < (-head, head_seq) THEN told.seq ELSE head_seq END,
            place = place_of(told.best, next_at, in_flight, strains, fetched, seen, o)
        FROM told
        WHERE host.id = told.host AND host.id IS DISTINCT FROM own
            AND (told.fresh > 0 OR head IS NULL OR (-told.best, told.seq) < (-head, head_seq))
    )
    SELECT (SELECT count(*) FROM new), mine.fresh, mine.best, mine.seq, (SELECT array_agg(told.host) FROM told WHERE told.fell),
        (SELECT array_agg(CASE WHEN met.state = 2 THEN 'infinity' ELSE greatest(met.before, met.priority) END ORDER BY met.at) FROM met)
    INTO fresh, own_fresh, own_best, own_seq, fell, floors
    FROM (SELECT) AS one LEFT JOIN told AS mine ON mine.host = own;
    own_fresh := coalesce(own_fresh, 0);
END $$;

-- Forget so many waiting urls as there are too many: the lowest and of equals the newest, or the newest. Returns their keys.
-- Urls of hosts that somebody is busy with are left for the next time.
CREATE FUNCTION forget_surplus(o lending_options, mine integer, seen float8) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    surplus bigint; hosts integer[]; keys bigint[]; free integer[]; lost integer[]; forgotten bigint[];
BEGIN
    IF o.cap IS NULL THEN RETURN NULL; END IF;
    SELECT sum(waiting) - o.cap INTO surplus FROM slot;
    IF surplus <= 0 THEN RETURN NULL; END IF;
    IF o.evict = 'lowest' THEN
        SELECT array_agg(part.host), array_agg(part.key) INTO hosts, keys FROM (
            SELECT url.host, url.key FROM url
            WHERE url.state = 0 AND NOT EXISTS (SELECT FROM lease WHERE lease.host = url.host AND lease.key = url.key)
            ORDER BY url.priority, url.seq DESC LIMIT surplus) AS part;
    ELSE
        SELECT array_agg(part.host), array_agg(part.key) INTO hosts, keys FROM (
            SELECT url.host, url.key FROM url
            WHERE url.state = 0 AND NOT EXISTS (SELECT FROM lease WHERE lease.host = url.host AND lease.key = url.key)
            ORDER BY url.priority >= 1e300::float8, url.seq DESC LIMIT surplus) AS part;
    END IF;
    SELECT array_agg(part.id) INTO free
    FROM (SELECT id FROM host WHERE id = ANY (hosts) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) AS part;
    WITH gone AS (
        DELETE FROM url USING unnest(hosts, keys) AS low (host, key)
        WHERE url.host = low.host AND url.key = low.key AND url.host = ANY (free) AND url.state = 0
            AND NOT EXISTS (SELECT FROM lease WHERE lease.host = url.host AND lease.key = url.key)
        RETURNING url.host, url.key
    ), counted AS (SELECT host, count(*)::integer AS times FROM gone GROUP BY host)
    SELECT (SELECT array_agg(gone.key) FROM gone), array_agg(counted.host), array_agg(counted.times) INTO forgotten, hosts, lost FROM counted;
    IF forgotten IS NOT NULL THEN
        PERFORM refresh(o, hosts, lost, array_fill(0, ARRAY[cardinality(hosts)]), seen);
        UPDATE slot SET waiting = waiting - cardinality(forgotten), epoch = epoch + 1 WHERE number = mine;
    END IF;
    RETURN forgotten;
END $$;

-- Give waiting urls other priorities, except those that were put first; minus infinity forgets one. Returns how many had another.
CREATE FUNCTION set_priorities(
    o lending_options, mine integer, hosts integer[], seen float8, place_in integer[], keys bigint[], priorities float8[]
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    touched integer[]; lost integer[]; changed bigint;
BEGIN
    WITH wanted AS (
        SELECT hosts[part.place] AS host, part.key, part.priority FROM unnest(place_in, keys, priorities) AS part (place, key, priority)
        WHERE NOT EXISTS (SELECT FROM lease WHERE lease.host = hosts[part.place] AND lease.key = part.key)
    ), gone AS (
        DELETE FROM url USING wanted
        WHERE url.host = wanted.host AND url.key = wanted.key AND url.state = 0 AND wanted.priority = '-infinity'
            AND url.priority < o.put_first
        RETURNING url.host
    ), moved AS (
        UPDATE url SET priority = wanted.priority FROM wanted
        WHERE url.host = wanted.host AND url.key = wanted.key AND url.state = 0 AND wanted.priority > '-infinity'
            AND url.priority <> wanted.priority AND url.priority < o.put_first
        RETURNING url.host
    ), counted AS (
        SELECT part.host, sum(part.lost)::integer AS lost
        FROM (SELECT host, 1 AS lost FROM gone UNION ALL SELECT host, 0 FROM moved) AS part GROUP BY part.host
    )
    SELECT array_agg(counted.host), array_agg(counted.lost), (SELECT count(*) FROM gone) + (SELECT count(*) FROM moved)
    INTO touched, lost, changed FROM counted;
    IF touched IS NOT NULL THEN
        PERFORM refresh(o, touched, lost, array_fill(0, ARRAY[cardinality(touched)]), seen);
        PERFORM count_waiting(o, mine, -(SELECT sum(part.times) FROM unnest(lost) AS part (times)));
        UPDATE slot SET epoch = epoch + 1 WHERE number = mine;
    END IF;
    RETURN changed;
END $$;

-- What a page gave, or seeds, without the end of a claim.
CREATE FUNCTION add_links(
    o lending_options, mine integer, seen float8, names text[], place_in integer[], keys bigint[], priorities float8[],
    depths integer[], parents text[], anchors text[], chains text[], urls text[], addends text[],
    OUT fresh integer, OUT epoch bigint, OUT floors float8[], OUT forgotten bigint[]
) LANGUAGE plpgsql AS $$
DECLARE
    hosts integer[]; got record; now float8 := time_of(seen);
BEGIN
    SELECT coalesce(sum(slot.epoch), 0)::bigint INTO epoch FROM slot WHERE slot.number <> mine;
    hosts := locked_hosts(names, cardinality(names));
    SELECT * INTO got FROM take_in(
        o, hosts, NULL, NULL, now, place_in, keys, priorities, depths, parents, anchors, chains, urls, addends);
    IF got.fell IS NOT NULL THEN
        PERFORM refresh(o, got.fell, array_fill(0, ARRAY[cardinality(got.fell)]), array_fill(0, ARRAY[cardinality(got.fell)]), now);
    END IF;
    PERFORM count_waiting(o, mine, got.fresh);
    fresh := got.fresh; floors := got.floors; forgotten := forget_surplus(o, mine, now);
END $$;

CREATE FUNCTION reprioritise(
    o lending_options, mine integer, seen float8, names text[], place_in integer[], keys bigint[], priorities float8[]
) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    RETURN set_priorities(o, mine, locked_hosts(names, 0), time_of(seen), place_in, keys, priorities);
END $$;

-- Put one url before all others, and add it if nobody knows it. The link is as in `add_links`.
CREATE FUNCTION put_first(
    o lending_options, mine integer, seen float8, names text[], place_in integer[], keys bigint[], priorities float8[],
    depths integer[], parents text[], anchors text[], chains text[], urls text[], addends text[], OUT standing text, OUT forgotten bigint[]
) LANGUAGE plpgsql AS $$
DECLARE
    hosts integer[] := locked_hosts(names, 1); now float8 := time_of(seen); known_state smallint; lent boolean; closed boolean; got record;
BEGIN
    SELECT coalesce(strains >= o.give_up OR fetched >= o.quota, false) INTO closed FROM host WHERE id = hosts[1];
    SELECT url.state, EXISTS (SELECT FROM lease WHERE lease.host = url.host AND lease.key = url.key) INTO known_state, lent
    FROM url WHERE url.host = hosts[1] AND url.key = keys[1];
    standing := CASE WHEN known_state IS NULL THEN 'unknown' WHEN known_state = 2 THEN 'settled' WHEN lent THEN 'claimed'
        WHEN closed THEN 'closed' ELSE 'waiting' END;
    IF standing = 'unknown' THEN
        SELECT * INTO got FROM take_in(
            o, hosts, NULL, NULL, now, place_in, keys, priorities, depths, parents, anchors, chains, urls, addends);
        PERFORM count_waiting(o, mine, got.fresh);
    ELSIF standing IN ('waiting', 'closed') THEN
        PERFORM set_priorities(o, mine, hosts, now, place_in, keys, priorities);
    END IF;
    forgotten := forget_surplus(o, mine, now);
END $$;

-- Forget all urls that wait on a host. Returns how many.
CREATE FUNCTION leave(o lending_options, mine integer, seen float8, name text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    hosts integer[] := locked_hosts(ARRAY[name], 0); lost integer;
BEGIN
    DELETE FROM url WHERE url.host = hosts[1] AND url.state = 0
        AND NOT EXISTS (SELECT FROM lease WHERE lease.host = url.host AND lease.key = url.key);
    GET DIAGNOSTICS lost = ROW_COUNT;
    IF lost > 0 THEN
        PERFORM refresh(o, hosts, ARRAY[lost], ARRAY[0], time_of(seen));
        PERFORM count_waiting(o, mine, -lost);
        UPDATE slot SET epoch = epoch + 1 WHERE number = mine;
    END IF;
    RETURN lost;
END $$;

-- End a claim, take in what its page gave, then give waiting urls other priorities. The first of `names` is the host of the claim.
-- A claim that is no longer held is an error, TH001, so that nothing of the transaction is kept.
CREATE FUNCTION settle(
    o lending_options, mine integer, given float8, seen float8, claim_token bigint, claim_key bigint,
    final boolean, tried boolean, strain boolean, asked_rest float8, asked_delay float8, looks_alike boolean,
    names text[], made integer, place_in integer[], keys bigint[], priorities float8[], depths integer[], parents text[], anchors text[],
    chains text[], urls text[], addends text[], moved_place_in integer[], moved_keys bigint[], moved_priorities float8[],
    OUT now float8, OUT epoch bigint, OUT begins boolean, OUT floors float8[], OUT forgotten bigint[]
) LANGUAGE plpgsql AS $$
DECLARE
    hosts integer[]; me host; back url; got record; turns bigint; rest float8; lost bigint; place_time float8; over integer;
    gained integer := (NOT final)::integer;
BEGIN
    SELECT coalesce(sum(slot.epoch), 0)::bigint INTO epoch FROM slot WHERE slot.number <> mine;
    DELETE FROM lease WHERE lease.token = claim_token AND lease.key = claim_key;
    IF NOT FOUND THEN RAISE EXCEPTION 'the claim is no longer held' USING ERRCODE = 'TH001'; END IF;
    hosts := locked_hosts(names, made);
    now := time_of(given);
    place_time := coalesce(seen, now);
    SELECT * INTO me FROM host WHERE id = hosts[1];
    me.in_flight := me.in_flight - 1;
    IF final THEN
        UPDATE url SET state = 2, anchor = NULL, chain = NULL WHERE url.host = me.id AND url.key = claim_key;
        turns := nextval('turn');
        me.settled := me.settled + 1;
    ELSE
        UPDATE url SET tries = least(tries + tried::integer, 32767) WHERE url.host = me.id AND url.key = claim_key RETURNING * INTO back;
        SELECT last_value INTO turns FROM turn;
        me.waiting := me.waiting + 1;
        IF me.head IS NULL OR (-back.priority, back.seq) < (-me.head, me.head_seq) THEN
            me.head := back.priority; me.head_seq := back.seq;
        END IF;
    END IF;
    -- Lending reserved a gap for a request. None was made, so the gap is given back.
    IF me.lent_token = claim_token AND NOT tried AND NOT strain AND asked_rest = 0 THEN me.next_at := me.lent_next_at; END IF;
    me.lent_token := NULL;
    me.fetched := me.fetched + (final AND tried)::integer;
    IF asked_delay IS NOT NULL THEN me.delay := least(greatest(asked_delay, 0), o.rest_most); END IF;
    IF strain THEN
        me.strains := me.strains + 1;
        me.pause := least(greatest(2 * me.pause, o.backoff), o.backoff_most);
    ELSIF tried THEN
        me.strains := 0;
        me.pause := CASE WHEN me.pause / 2 >= o.backoff THEN me.pause / 2 ELSE 0 END;
    END IF;
    rest := least(greatest(asked_rest, 0), o.rest_most);
    -- If no request was made, wait only the seconds we were told.
    IF asked_rest IS NULL OR tried OR strain THEN rest := greatest(o.delay, me.delay, me.pause, rest); END IF;
    -- A rest never shortens one that is running.
    me.next_at := greatest(me.next_at, now + rest);
    -- Pages that look alike: frontier/turns.py.
    IF looks_alike IS NOT NULL THEN
        me.alike := CASE WHEN looks_alike THEN least(me.alike + 1, o.alike_most) ELSE me.alike / 2 END;
        me.alike_pages := me.alike_pages + looks_alike::integer;
    END IF;
    begins := false;
    IF tried THEN
        over := me.alike - o.alike_first;
        lost := CASE WHEN over < 0 THEN 0 WHEN over > 30 THEN o.alike_turns ELSE least(1::bigint << over, o.alike_turns) END;
        begins := me.yields_till = 0 AND lost > 0;
        IF me.yields_till > 0 OR lost > 0 THEN me.yields_till := turns + lost; END IF;
    END IF;
    IF cardinality(keys) > 0 THEN
        SELECT * INTO got FROM take_in(
            o, hosts, me.id, claim_key, place_time, place_in, keys, priorities, depths, parents, anchors, chains, urls, addends);
        floors := got.floors;
        gained := gained + got.fresh;
        me.waiting := me.waiting + got.own_fresh;
        IF got.own_best IS NOT NULL AND (me.head IS NULL OR (-got.own_best, got.own_seq) < (-me.head, me.head_seq)) THEN
            me.head := got.own_best; me.head_seq := got.own_seq;
        END IF;
    END IF;
    UPDATE host SET next_at = me.next_at, delay = me.delay, pause = me.pause, strains = me.strains, fetched = me.fetched,
        settled = me.settled, waiting = me.waiting, in_flight = me.in_flight, head = me.head, head_seq = me.head_seq, lent_token = NULL,
        alike = me.alike, alike_pages = me.alike_pages, yields_till = me.yields_till,
        place = place_of(me.head, me.next_at, me.in_flight, me.strains, me.fetched, place_time, o)
    WHERE id = me.id;
    IF cardinality(keys) > 0 THEN
        IF got.fell IS NOT NULL THEN
            PERFORM refresh(
                o, got.fell, array_fill(0, ARRAY[cardinality(got.fell)]), array_fill(0, ARRAY[cardinality(got.fell)]), place_time);
        END IF;
    END IF;
    IF cardinality(moved_keys) > 0 THEN
        PERFORM set_priorities(o, mine, hosts, place_time, moved_place_in, moved_keys, moved_priorities);
    END IF;
    IF o.cap IS NOT NULL THEN
        PERFORM count_waiting(o, mine, gained);
        forgotten := forget_surplus(o, mine, place_time);
    END IF;
END $$;

-- A request to a host that no url stands for, such as a robots.txt that redirects there. It takes a lease of the host, as a url does that is lent;
-- if others ask the host now, or its rest is not over, it says how many seconds that may last.
CREATE FUNCTION begin_guest(name text, pause float8, OUT wait float8, OUT token bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    o lending_options := (SELECT options::lending_options FROM lending); now float8 := time_of(NULL); asked host;
    id_of integer := (locked_hosts(ARRAY[begin_guest.name], 1))[1];
BEGIN
    SELECT * INTO asked FROM host WHERE id = id_of;
    wait := greatest(asked.next_at - now, CASE WHEN asked.in_flight >= o.per_host THEN 0.2 ELSE 0 END);
    IF wait > 0 THEN RETURN; END IF;
    begin_guest.token := (random() * 9007199254740992)::bigint;
    INSERT INTO lease (token, key, host, slot, guest, expires) VALUES (begin_guest.token, -begin_guest.token, id_of, 0, true, now + o.lease);
    UPDATE host SET in_flight = in_flight + 1, lent_token = NULL, next_at = now + greatest(o.delay, delay, begin_guest.pause),
        place = place_of(head, now + greatest(o.delay, delay, begin_guest.pause), in_flight + 1, strains, fetched, now, o)
    WHERE id = id_of;
END $$;

CREATE FUNCTION end_guest(of_token bigint, pause float8) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    o lending_options := (SELECT options::lending_options FROM lending); now float8 := time_of(NULL); id_of integer;
BEGIN
    PERFORM FROM host WHERE id = (SELECT host FROM lease WHERE token = of_token) FOR NO KEY UPDATE;
    DELETE FROM lease WHERE token = of_token RETURNING host INTO id_of;
    IF id_of IS NULL THEN RETURN; END IF;
    UPDATE host SET next_at = greatest(next_at, now + greatest(o.delay, delay, end_guest.pause)) WHERE id = id_of;
    PERFORM refresh(o, ARRAY[id_of], ARRAY[0], ARRAY[1], now);
END $$;
