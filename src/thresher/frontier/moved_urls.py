"""The frontier of a crawl as a whole, read from one database and written into the other.

A host is a row of its number, from 0 in the order in which hosts were met; its name; when it may be asked, delay, back-off, strains in a
row; how many urls were fetched, settled and wait; how alike its pages are. A url is a row of its age, key, the number of its host, whether
it is settled, priority, tries, depth, the age of the page that it was found on if that is known by its age, the url of that page, the words
of the link, the urls that redirected to it, and the url itself. What is lent waits: who borrowed it is gone.

Of a url to which a better link was found later, the better one is moved; PostgreSQL keeps no other.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thresher.disk.found_rows import Read
from thresher.disk.table_loader import Loader, Moved, plain_row
from thresher.frontier.anchors import escaped, unescaped
from thresher.frontier.keys import key_of
from thresher.model import Url
from thresher.urls import host_of

_MOST_TRIES = 32767
_HOSTS = """
    SELECT host.number, name, next_at, delay, pause, strains, fetched, settled, waiting + coalesce(lent.urls, 0),
           coalesce(alike.level, 0), coalesce(alike.pages, 0), coalesce(alike.yields_till, 0)
    FROM host LEFT JOIN alike ON alike.host = host.number
    LEFT JOIN (SELECT host, count(*) AS urls FROM known WHERE state = 1 GROUP BY host) AS lent ON lent.host = host.number
    ORDER BY host.number
"""
_URLS = f"""
    SELECT origin.seq, known.key, known.host, known.state = 2, known.priority, min(origin.tries, {_MOST_TRIES}),
           iif(new.seq IS NULL, origin.depth, new.depth), page.seq,
           coalesce(page.url, iif(new.seq IS NULL, origin.parent, new.parent)), iif(new.seq IS NULL, origin.anchor, new.anchor),
           iif(new.seq IS NULL, origin.chain, new.chain), origin.url
    FROM origin JOIN known ON known.key = key_of(origin.url) AND known.seq = origin.seq
    LEFT JOIN new_origin AS new ON new.host = known.host AND new.seq = known.seq
    LEFT JOIN origin AS page ON page.seq = iif(new.seq IS NULL, origin.parent, new.parent)
    ORDER BY origin.seq
"""  # noqa: S608 - a number of our own
_SHARED_HOSTS = """
    SELECT row_number() OVER (ORDER BY id) - 1, name, next_at, delay, pause, strains, fetched, settled, waiting + coalesce(lent.urls, 0),
           alike, alike_pages, yields_till
    FROM host LEFT JOIN (
        SELECT url.host, count(*) AS urls FROM lease JOIN url ON url.host = lease.host AND url.key = lease.key GROUP BY url.host
    ) AS lent ON lent.host = host.id
    ORDER BY id
"""
_SHARED_URLS = """
    SELECT url.seq, url.key, place.number, url.state = 2, url.priority, url.tries, url.depth, page.seq, coalesce(page.url, url.parent),
           url.anchor, url.chain, url.url
    FROM url JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS number FROM host) AS place ON place.id = url.host
    LEFT JOIN url AS page ON page.host = url.page_host AND page.key = url.page_key
    ORDER BY url.seq
"""
_ANCHOR = 9
# A folder knows a url by its key alone, PostgreSQL by its host and its key.
_SAME_KEYS = """
    SELECT url.seq, place.number, url.state = 2
    FROM url JOIN (SELECT key, min(seq) AS first FROM url GROUP BY key HAVING count(*) > 1) AS twice
        ON twice.key = url.key AND url.seq > twice.first
    JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS number FROM host) AS place ON place.id = url.host
"""
_HOST_COLUMNS = ("number", "name", "next_at", "delay", "pause", "strains", "fetched", "settled", "waiting")
_SHARED_HOST_COLUMNS = ("id", *_HOST_COLUMNS[1:], "alike", "alike_pages", "yields_till")
_SHARED_URL_COLUMNS = (
    "key", "seq", "priority", "page_key", "page_host", "host", "depth", "tries", "state", "parent", "anchor", "chain", "url",
)  # fmt: skip
_HEADS = """
    UPDATE host SET (head, head_seq) = (
        SELECT url.priority, url.seq FROM url WHERE url.host = host.id AND url.state = 0 ORDER BY url.priority DESC, url.seq LIMIT 1)
"""
_NEXT_HOST = "SELECT setval(pg_get_serial_sequence('host', 'id'), max(id)) FROM host HAVING max(id) IS NOT NULL"
_NEXT_URL = "SELECT setval('url_seq', max(seq)) FROM url HAVING max(seq) IS NOT NULL"
_TURNS = "SELECT setval('turn', coalesce(sum(settled), 0)::bigint) FROM host"


class HostRow(NamedTuple):
    """A host."""

    number: int
    name: str
    next_at: float
    delay: float
    pause: float
    strains: int
    fetched: int
    settled: int
    waiting: int
    alike: int
    alike_pages: int
    yields_till: int


class UrlOfAge(NamedTuple):
    """A url."""

    seq: int
    key: int
    host: int
    settled: int
    priority: float
    tries: int
    depth: int
    parent_seq: int | None
    parent: str | None
    anchor: str | None
    chain: str | None
    url: str


def hosts(read: Read) -> Iterator[Moved]:
    """The hosts of a folder; its ledger must know the function `key_of`, for the urls."""
    return map(plain_row, read(_HOSTS))


def urls(read: Read) -> Iterator[Moved]:
    """The urls of a folder."""
    return (_with_anchor(row, row[_ANCHOR]) for row in read(_URLS))


class SharedFrontier:
    """Reads the frontier of a crawl in PostgreSQL."""

    def __init__(self, read: Read) -> None:
        self._read = read
        twins = read(_SAME_KEYS).fetchall()
        self._left_out = {seq for seq, _, _ in twins}
        self._settled = Counter(number for _, number, settled in twins if settled)
        self._waiting = Counter(number for _, number, settled in twins if not settled)

    @property
    def left_out(self) -> int:
        """How many urls have the key of an older url of another host: a folder takes each for the older one, as if it were known."""
        return len(self._left_out)

    def hosts(self) -> Iterator[Moved]:
        """The hosts."""
        for row in map(HostRow._make, map(plain_row, self._read(_SHARED_HOSTS))):
            settled, waiting = row.settled - self._settled[row.number], row.waiting - self._waiting[row.number]
            yield tuple(row._replace(settled=settled, waiting=waiting))

    def urls(self) -> Iterator[Moved]:
        """The urls."""
        for row in self._read(_SHARED_URLS):
            if row[0] not in self._left_out:
                yield _with_anchor(row, unescaped(row[_ANCHOR] or "") or None)


def _with_anchor(row: Sequence[object], anchor: str | None) -> Moved:
    """The row, with the words of its link as they are: a NUL in them is kept."""
    moved = plain_row(row)
    return (*moved[:_ANCHOR], anchor, *moved[_ANCHOR + 1 :])


def fill_hosts(loader: Loader, rows: Sequence[Moved]) -> None:
    """Write hosts into a folder."""
    entries = list(map(HostRow._make, rows))
    loader.load("host", _HOST_COLUMNS, [entry[: len(_HOST_COLUMNS)] for entry in entries])
    alike = [(each.number, each.alike, each.alike_pages, each.yields_till) for each in entries if each.alike_pages]
    loader.load("alike", ("host", "level", "pages", "yields_till"), alike)


def fill_urls(loader: Loader, rows: Sequence[Moved]) -> None:
    """Write urls into a folder. Which of them are the best of their hosts is found out when it is opened."""
    found = list(map(UrlOfAge._make, rows))
    known = [(url.key, url.seq, url.host, 2 * url.settled, url.priority) for url in found]
    loader.load("known", ("key", "seq", "host", "state", "priority"), known)
    origins = [
        (url.seq, url.tries, url.depth, url.parent if url.parent_seq is None else url.parent_seq, url.anchor, url.chain, url.url)
        for url in found
    ]  # fmt: skip
    loader.load("origin", ("seq", "tries", "depth", "parent", "anchor", "chain", "url"), origins)


class SharedFrontierFiller:
    """Writes a frontier into PostgreSQL. It remembers the numbers of all hosts."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._numbers: dict[str, int] = {}

    def hosts(self, rows: Sequence[Moved]) -> None:
        """Write hosts; before urls."""
        entries = list(map(HostRow._make, rows))
        self._numbers.update((entry.name, entry.number) for entry in entries)
        self._loader.load("host", _SHARED_HOST_COLUMNS, [(entry.number + 1, *entry[1:]) for entry in entries])

    def urls(self, rows: Sequence[Moved]) -> None:
        """Write urls."""
        self._loader.load("url", _SHARED_URL_COLUMNS, [self._columns(UrlOfAge._make(row)) for row in rows])

    def _columns(self, url: UrlOfAge) -> Moved:
        page: tuple[int | None, int | None] = (None, None)
        parent = url.parent
        if parent is not None and url.parent_seq is not None:
            page, parent = (key_of(Url(parent)), self._numbers[host_of(Url(parent))] + 1), None
        told = parent, escaped(url.anchor or "") or None, url.chain, url.url
        return (url.key, url.seq, url.priority, *page, url.host + 1, url.depth, url.tries, 2 * url.settled, *told)

    def finish(self) -> None:
        """Say which url of each host is the best, and where numbers go on."""
        for statement in (_HEADS, _NEXT_HOST, _NEXT_URL, _TURNS, "ANALYZE host, url"):
            self._loader.run(statement)
