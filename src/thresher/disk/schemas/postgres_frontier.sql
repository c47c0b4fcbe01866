-- The frontier's part of a crawl in PostgreSQL. docs/design/007-postgresql.md says why it is laid out so.
-- Whoever writes urls or leases of a host holds the lock of its row in `host`. Locks of several hosts are taken in the order of their ids.

-- The calendar. Each host knows its best waiting url, so that a claim reads no other table to choose.
CREATE TABLE host (
    id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         text COLLATE "C" NOT NULL UNIQUE,
    next_at      float8  NOT NULL DEFAULT 0,     -- no request before this time
    delay        float8  NOT NULL DEFAULT 0,     -- the crawl-delay that it asked for
    pause        float8  NOT NULL DEFAULT 0,     -- the gap that its strain makes us leave
    strains      integer NOT NULL DEFAULT 0,     -- in a row
    fetched      integer NOT NULL DEFAULT 0,     -- what the quota counts
    settled      integer NOT NULL DEFAULT 0,
    waiting      integer NOT NULL DEFAULT 0,     -- without those that are lent
    in_flight    integer NOT NULL DEFAULT 0,
    head         float8,                         -- the priority of the best waiting url; NULL if none waits
    head_seq     bigint,
    place        "char"  NOT NULL DEFAULT '-',   -- r ready, z resting, f as many in flight as may be, - empty or closed
    asked        boolean NOT NULL DEFAULT false, -- since the crawl was opened: such a host may be waited for (`spread`)
    lent_token   bigint,                         -- the last url lent; NULL after any url returns
    lent_next_at float8,                         -- `next_at` before it was lent
    alike        integer NOT NULL DEFAULT 0,     -- how alike its pages are: see frontier/turns.py
    alike_pages  integer NOT NULL DEFAULT 0,
    yields_till  bigint  NOT NULL DEFAULT 0      -- the turn until which it lets other hosts go first; 0 if it never did
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX host_ready ON host (head DESC, head_seq) WHERE place = 'r';
CREATE INDEX host_resting ON host (next_at) WHERE place = 'z';
CREATE INDEX host_awaited ON host (head DESC, head_seq) WHERE asked AND place IN ('z', 'f');

-- Every known url. Wide columns first, so that no byte is lost to alignment. A url that is lent has a lease and stays as it is.
CREATE TABLE url (
    key       bigint   NOT NULL,                 -- frontier/keys.py
    seq       bigint   NOT NULL,                 -- age
    priority  float8   NOT NULL,
    page_key  bigint,                            -- the page that was settled when the link was found,
    page_host integer,                           -- if that is the parent
    host      integer  NOT NULL,
    depth     integer  NOT NULL,
    tries     smallint NOT NULL DEFAULT 0,
    state     smallint NOT NULL DEFAULT 0,       -- 0 waiting or lent, 2 settled
    parent    text,                              -- any other parent, as a url
    anchor    text,                              -- with \ and NUL escaped, since text in PostgreSQL has no NUL
    chain     text,                              -- the urls that redirected here, one a line
    url       text     NOT NULL,
    PRIMARY KEY (host, key)
);
CREATE INDEX url_best ON url (host, priority DESC, seq) WHERE state = 0;
CREATE SEQUENCE url_seq;

-- Which urls are lent. The token is random, so that a claim from before a crash of the server fits no later one.
CREATE TABLE lease (
    token   bigint  PRIMARY KEY,
    key     bigint  NOT NULL,
    host    integer NOT NULL,
    slot    integer NOT NULL,
    guest   boolean NOT NULL DEFAULT false,      -- a request to the host that no url stands for: see frontier/guest_turns.py
    expires float8  NOT NULL,
    UNIQUE (host, key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX lease_expires ON lease (expires);

-- Urls that settled, of all hosts. A sequence, since a row that every turn counts up would make workers wait for each other.
CREATE SEQUENCE turn MINVALUE 0;
SELECT setval('turn', 0);

-- What workers count, each in a row of its own for the same reason. A row is taken over when its worker is gone.
CREATE TABLE slot (
    number  integer PRIMARY KEY,
    began   float8  NOT NULL DEFAULT 0,          -- when its worker joined,
    name    text    NOT NULL DEFAULT '',         -- and how a person would call it: machine and process
    epoch   bigint  NOT NULL DEFAULT 0,          -- how often urls were forgotten or got a lower priority: see frontier/postgres.py
    waiting bigint  NOT NULL DEFAULT 0           -- the sum over all slots is how many wait; kept only with a cap
) WITH (fillfactor = 50);

CREATE SEQUENCE slot_number AS integer;

-- One row for the crawl: the options that all workers share, and up to which id hosts must rest at the next claim.
CREATE TABLE lending (
    one       boolean PRIMARY KEY DEFAULT true CHECK (one),
    options   text,
    pages     bigint,                            -- how many may be fetched in all; NULL if that does not matter
    workers   integer NOT NULL DEFAULT 1,        -- how many are there: a url waits for `spread` better hosts for each of them
    rest_owed integer NOT NULL DEFAULT 0,
    rest_least float8 NOT NULL DEFAULT 0         -- seconds that it takes at least
);
INSERT INTO lending DEFAULT VALUES;

-- Empty after a crash of the server, which may have forgotten the latest requests. One row otherwise.
CREATE UNLOGGED TABLE unbroken (one boolean PRIMARY KEY DEFAULT true CHECK (one));
INSERT INTO unbroken DEFAULT VALUES;

-- The keys of the `[frontier]` table, and the constants of frontier/turns.py, frontier/base.py and model.py.
CREATE TYPE lending_options AS (
    merge text, cap bigint, evict text, lease float8, delay float8, per_host integer, spread integer, quota integer, backoff float8,
    backoff_most float8, give_up integer, rest_most float8, alike_turns integer, alike_first integer,
    alike_most integer, highest float8, put_first float8
);
