"""What PostgreSQL says of a wrong password, a lost connection, missing rights or a full disk, as one of our errors, in one sentence.

Passwords never stand in a message: of what the user wrote only user, host, port and database are shown, and what the library says of
an address that it cannot read is not repeated, since it quotes it.
"""

import logging

from thresher.disk.folder import unfinished
from thresher.errors import BadInput, DiskFull, LedgerError, LedgerLost, LedgerVersion, Missing, ThresherError
from thresher.install_hint import install_hint

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.types import numeric
except ImportError as lacking:
    raise Missing(f"a crawl in PostgreSQL needs psycopg ({lacking}): {install_hint('postgres')}") from lacking

# It warns of what goes wrong while a broken connection is closed. The connection is made again, and nobody needs to know.
logging.getLogger("psycopg").setLevel(logging.ERROR)
__all__ = ["PostgresPlace", "numeric", "psycopg"]
OLDEST = 15
_LONGEST_NAME = 63
_WHY = {
    "28P01": "the password of user {user} is wrong",
    "28000": "user {user} may not log in",
    "3D000": "there is no database of that name",
    "25006": "it can only be read (a replica?), and a crawl must write",
    "53300": "it has no connection left for us: raise max_connections, or start fewer workers",
}
_FULL = "53100"
_NO_RIGHTS = "42501"
_LOST = frozenset({"57P01", "57P02", "57P03", "25P03", "40P01"})
"""The server stops, crashed, or is starting; it ended our transaction because we were silent; or two transactions waited for each other.
In each case nothing of the transaction is kept, and it may be tried again."""


class PostgresPlace:
    """Where a crawl is kept, and how it is called in messages."""

    def __init__(self, url: str, schema: str) -> None:
        try:
            parts = conninfo_to_dict(url)
        except psycopg.Error:
            # Its complaint would quote the password.
            raise BadInput(
                "the address of PostgreSQL cannot be read: write postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
            ) from None
        if not _is_name(schema):
            raise BadInput(
                f"{schema!r} is no name for a crawl in PostgreSQL: use a to z, 0 to 9 and _, 63 of them at most"
            )
        self.url, self.schema = url, schema
        self.user = str(parts.get("user", "of this process"))
        host, port, base = parts.get("host", "this machine"), parts.get("port", 5432), parts.get("dbname", self.user)
        self.name = f"PostgreSQL at {host}:{port}, database {base}, crawl {schema}"

    def check(self, connection: "psycopg.Connection[tuple[object, ...]]") -> None:
        """Whether it is a server that can keep a crawl."""
        version = connection.info.server_version // 10_000
        if version < OLDEST:
            raise LedgerVersion(f"{self.name}: the server is of version {version}, but must be {OLDEST} or newer")
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise LedgerError(
                f"{self.name}: the database is in {encoding}, but must be in UTF8: createdb -E UTF8 -T template0 NAME"
            )

    def check_format(self, found: int, ours: int) -> None:
        """A newer format may mean other things by the same names."""
        if found > ours:
            raise LedgerVersion(f"{self.name} has format {found}, this Thresher reads up to {ours}: upgrade thresher")

    def check_complete(self, moving: str | None, ours: str = "") -> None:
        """Half of a crawl is none, but to whoever copies it."""
        if moving and moving != ours:
            raise LedgerError(f"{self.name} {unfinished(moving)}")

    def explained(self, error: Exception, *, lost: bool = False) -> ThresherError:
        """What went wrong, as an error of ours."""
        state, words = getattr(error, "sqlstate", None) or "", _words(error)
        if state == _FULL:
            return DiskFull(f"{self.name}: no room left on the server's disk")
        if lost or state in _LOST or state.startswith("08"):
            return LedgerLost(f"{self.name} does not answer: {words}")
        if state == _NO_RIGHTS:
            return LedgerError(f"{self.name}: user {self.user} lacks a right: {words}")
        return LedgerError(f"{self.name} cannot be used: {_WHY.get(state, words).format(user=self.user)}")


def _is_name(schema: str) -> bool:
    """Whether a name means the same with quotes and without, and is not the server's own."""
    plain = schema.isascii() and schema.isidentifier() and schema == schema.lower()
    return plain and len(schema) <= _LONGEST_NAME and not schema.startswith("pg_")


def _words(error: Exception) -> str:
    """What the server said, on one line, without where it was connected to."""
    diagnosis = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    first = next((line for line in (diagnosis or str(error)).splitlines() if line.strip()), type(error).__name__)
    return " ".join(first.rpartition("failed: ")[2].rpartition("FATAL: ")[2].split())
