"""What is asked of a frontier by who only reads it, in the words of each way to keep it.

A crawl's SQLite file of format 2 keeps urls under keys, in the tables of `frontier.sql`. In one of format 1 all of a url is a row of the
table `url`. In PostgreSQL it is too, but under its host and its key, and a url that is lent has a lease. Each question takes its values by
name, and not all ways need all of them: a url is named by `host`, `key`, `hash` and `url`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from thresher.disk.found_rows import Read, has_table
from thresher.frontier.anchors import unescaped


@dataclass(frozen=True)
class FrontierQuestions:
    """The questions to one way to keep a frontier."""

    lent: str
    """How many urls are lent."""
    place: str
    """A waiting url: age, whether it is lent, host; then what is known of it; then its host's name and calendar."""
    counted: str
    """How many urls of its host go before a url, and how many of all have a higher priority."""
    known: str
    states: str
    """Urls with their states and priorities: `hosts` and `keys` are JSON, `both` the keys with the hashes of format 1."""
    of_host: str
    near: str
    """Seeds and what they link to."""
    lost_turns: str = ""
    hosts: str = "SELECT number, name, next_at, delay, pause, strains, fetched, waiting FROM host WHERE waiting > 0"
    heads: str = ""
    """The hosts with the best waiting urls; empty if nobody has sorted them."""
    best_of_host: str = ""
    yielding: str = ""
    waiting_url: str = ""
    settled_of_host: str = ""
    anchor: Callable[[str], str] = str
    """Makes an anchor of what is kept of it."""


_PLACE = """
    SELECT url.seq, url.state = 1, url.host, url.priority, url.depth, coalesce(page.url, url.parent), url.anchor, url.chain, url.tries,
           host.name, host.next_at, host.strains, host.fetched, host.waiting
    FROM url JOIN host ON host.number = url.host LEFT JOIN {} AS page ON page.seq = url.parent
    WHERE url.hash IN (:key, :hash) AND url.url = :url AND url.state < 2
"""
_COUNTED = """
    SELECT count(*) FILTER (WHERE host = :number AND (priority > :priority OR seq < :seq)), count(*) FILTER (WHERE priority > :priority)
    FROM {} WHERE state = 0 AND priority >= :priority
"""
_NEAR = "SELECT url, depth FROM {} WHERE seq <= :early AND depth <= 1 ORDER BY seq LIMIT :most"

_FORMAT_1 = FrontierQuestions(
    lent="SELECT count(*) FROM url WHERE state = 1",
    place=_PLACE.format("url"),
    counted=_COUNTED.format("url"),
    known="SELECT 1 FROM url WHERE hash IN (:key, :hash) AND url = :url",
    states="SELECT url, state, priority FROM url WHERE hash IN (SELECT value FROM json_each(:both))",
    of_host="SELECT url FROM url WHERE host = (SELECT number FROM host WHERE name = :host) LIMIT :most",
    near=_NEAR.format("url"),
)
_KEYS = replace(
    _FORMAT_1,
    # The view `url` would join ten million rows.
    place=_PLACE.format("origin"),
    counted=_COUNTED.format("known"),
    near=_NEAR.format("origin"),
    heads="""
        SELECT host.number, host.name, host.next_at, host.delay, host.pause, host.strains, host.fetched, host.waiting,
               (SELECT worth FROM best_waiting WHERE host = host.number ORDER BY worth, seq LIMIT 1) AS worth
        FROM host WHERE waiting > 0 AND worth IS NOT NULL ORDER BY worth LIMIT :most
    """,
    best_of_host="SELECT worth, seq FROM best_waiting WHERE host = :number ORDER BY worth, seq LIMIT :most",
    waiting_url="""
        SELECT origin.url, origin.tries, coalesce(new.depth, origin.depth),
               coalesce(page.url, iif(new.seq IS NULL, origin.parent, new.parent)), iif(new.seq IS NULL, origin.anchor, new.anchor),
               iif(new.seq IS NULL, origin.chain, new.chain)
        FROM origin LEFT JOIN new_origin AS new ON new.host = :number AND new.seq = origin.seq
        LEFT JOIN origin AS page ON page.seq = iif(new.seq IS NULL, origin.parent, new.parent)
        WHERE origin.seq = :seq
    """,
    settled_of_host="""
        SELECT origin.url FROM known JOIN origin ON origin.seq = known.seq
        WHERE known.key BETWEEN :first AND :last AND known.host = (SELECT number FROM host WHERE name = :host) AND known.state = 2
        ORDER BY known.seq LIMIT :most OFFSET :skip
    """,
)
_KEYS_AND_TURNS = replace(
    _KEYS,
    lost_turns="""
        SELECT host.name, alike.pages FROM alike JOIN host ON host.number = alike.host WHERE alike.yields_till > 0
        ORDER BY alike.pages DESC, host.number LIMIT :most
    """,
    yielding="SELECT host, yields_till FROM alike WHERE yields_till > (SELECT coalesce(sum(settled), 0) FROM host)",
)
_OF_URL = "FROM host JOIN url ON url.host = host.id WHERE host.name = :host AND url.key = :key AND url.url = :url"
_NOT_LENT = "NOT EXISTS (SELECT 1 FROM lease WHERE lease.host = url.host AND lease.key = url.key)"
_BEFORE = """
    SELECT count(*) FILTER (WHERE url.host = :number AND (url.priority > :priority OR url.seq < :seq)) AS before,
           count(*) FILTER (WHERE url.priority > :priority) AS higher
"""
_POSTGRES = FrontierQuestions(
    lent="SELECT count(*) FROM lease",
    place="""
        SELECT url.seq, lease.token IS NOT NULL, url.host, url.priority, url.depth, coalesce(page.url, url.parent), url.anchor, url.chain,
               url.tries, host.name, host.next_at, host.strains, host.fetched, host.waiting
        FROM host JOIN url ON url.host = host.id
        LEFT JOIN lease ON lease.host = url.host AND lease.key = url.key
        LEFT JOIN url AS page ON page.host = url.page_host AND page.key = url.page_key
        WHERE host.name = :host AND url.key = :key AND url.url = :url AND url.state < 2
    """,
    # The index has all that is counted, but not which are lent. Those are few, and are taken off.
    counted=f"""
        SELECT every.before - lent.before, every.higher - lent.higher
        FROM ({_BEFORE} FROM url WHERE state = 0 AND priority >= :priority) AS every,
             ({_BEFORE} FROM lease JOIN url ON url.host = lease.host AND url.key = lease.key
              WHERE url.state = 0 AND url.priority >= :priority) AS lent
    """,  # noqa: S608 - all of it is our own
    known=f"SELECT 1 {_OF_URL}",
    states="""
        SELECT url.url, url.state, url.priority
        FROM json_each(:hosts) WITH ORDINALITY AS named (host, place)
        JOIN json_each(:keys) WITH ORDINALITY AS wanted (key, place) ON wanted.place = named.place
        JOIN host ON host.name = named.host JOIN url ON url.host = host.id AND url.key = CAST(wanted.key AS bigint)
    """,
    of_host="SELECT url FROM url WHERE host = (SELECT id FROM host WHERE name = :host) LIMIT :most",
    near=_NEAR.format("url"),
    lost_turns="SELECT name, alike_pages FROM host WHERE yields_till > 0 ORDER BY alike_pages DESC, id LIMIT :most",
    hosts="SELECT id, name, next_at, delay, pause, strains, fetched, waiting FROM host WHERE waiting > 0",
    heads="""
        SELECT id, name, next_at, delay, pause, strains, fetched, waiting, -head FROM host
        WHERE waiting > 0 AND head IS NOT NULL ORDER BY head DESC, head_seq LIMIT :most
    """,
    best_of_host=f"""
        SELECT -url.priority, url.seq FROM url WHERE url.host = :number AND url.state = 0 AND {_NOT_LENT}
        ORDER BY url.priority DESC, url.seq LIMIT :most
    """,  # noqa: S608 - as above
    yielding="SELECT id, yields_till FROM host WHERE yields_till > (SELECT last_value FROM turn)",
    waiting_url="""
        SELECT url.url, url.tries, url.depth, coalesce(page.url, url.parent), url.anchor, url.chain
        FROM url LEFT JOIN url AS page ON page.host = url.page_host AND page.key = url.page_key
        WHERE url.host = :number AND url.state = 0 AND url.priority = -:worth AND url.seq = :seq
    """,
    settled_of_host="""
        SELECT url FROM url WHERE host = (SELECT id FROM host WHERE name = :host) AND state = 2 ORDER BY seq LIMIT :most OFFSET :skip
    """,
    anchor=unescaped,
)
PRIORITIES = "SELECT priority FROM url TABLESAMPLE SYSTEM (:share) REPEATABLE (1) WHERE state = 0"
"""Of PostgreSQL: an even sample, of so many in a hundred of the parts of the table."""


def questions_to(read: Read) -> FrontierQuestions:
    """How the frontier is to be asked."""
    if in_postgres(read):
        return _POSTGRES
    if has_table(read, "alike"):
        return _KEYS_AND_TURNS
    return _KEYS if has_table(read, "known") else _FORMAT_1


def in_postgres(read: Read) -> bool:
    """Whether it is in PostgreSQL. No SQLite file has leases."""
    return has_table(read, "lease")
