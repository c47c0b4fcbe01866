-- A crawl in PostgreSQL is a schema of its own, so that several crawls share a database. Run inside that schema, once, in one transaction.

-- Which format the tables and functions of the schema have: see disk/postgres_ledger.py.
CREATE TABLE ledger (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one),
    format integer NOT NULL,
    settings text,                                     -- of the crawl, as a crawl file; NULL before it has begun
    crawl  uuid    NOT NULL DEFAULT gen_random_uuid(), -- tells it from all other crawls, whatever they are called
    moving text                                        -- where it is being copied from, until it is complete: see results/move
);

-- What SQLite calls by these names, so that a crawl is asked the same questions in both: see disk/shared_sql.py.
CREATE VIEW sqlite_master AS
    SELECT 'table' AS type, relname::text AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'ledger'::regclass);
CREATE FUNCTION iif(asked boolean, yes anycompatible, no anycompatible) RETURNS anycompatible
    LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN asked THEN yes ELSE no END';
CREATE FUNCTION instr(text_of text, piece text) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT strpos(text_of, piece)';

-- JSON from the web may have a NUL, which jsonb refuses.
CREATE FUNCTION without_nul(document text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE AS $$ SELECT replace(document, '\u0000', '\ufffd')::jsonb $$;
CREATE FUNCTION json_extract(document text, path text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$ SELECT without_nul(document) #>> string_to_array(substr(path, 3), '.') $$;
CREATE FUNCTION json_each(document text) RETURNS TABLE (value text)
    LANGUAGE sql IMMUTABLE AS $$ SELECT jsonb_array_elements_text(without_nul(document)) $$;

-- Numbers with commas between. An array grows in place, a text would be copied for each of them.
CREATE FUNCTION with_commas(numbers bigint[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT array_to_string(numbers, ',') $$;
CREATE AGGREGATE group_concat(bigint) (SFUNC = array_append, STYPE = bigint[], FINALFUNC = with_commas);
