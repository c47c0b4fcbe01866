-- A crawl in PostgreSQL is a schema of its own, so that several crawls share a database. Run inside that schema, once, in one transaction.

-- Which format the tables and functions of the schema have: see disk/postgres_ledger.py.
CREATE TABLE ledger (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one),
    format integer NOT NULL,
    crawl  uuid    NOT NULL DEFAULT gen_random_uuid() -- tells it from all other crawls, whatever they are called
);
