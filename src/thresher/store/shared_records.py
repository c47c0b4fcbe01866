"""Which rows of a crawl in PostgreSQL name records in WARC files: visits, and looks at them since."""

from thresher.disk.postgres_ledger import PostgresLedger
from thresher.warc.format import Place
from thresher.warc.shared_recovery import FileRows


def shared_record_tables(ledger: PostgresLedger) -> tuple[FileRows, ...]:
    """The tables whose rows name WARC records."""
    return _SharedRecordTable(ledger, "visit"), _SharedRecordTable(ledger, "revisit")


class _SharedRecordTable:
    """The rows of one table, by where their WARC records stand."""

    def __init__(self, ledger: PostgresLedger, table: str) -> None:
        self._ledger, self._table = ledger, table

    def lose(self, file: int, offset: int) -> int:
        """Mark the rows whose record ends behind this offset of a file as lost, at once; returns how many there were."""
        gone = (
            f'WITH gone AS (UPDATE {self._table} SET file = NULL WHERE file = %s AND "offset" + length > %s RETURNING 1) '  # noqa: S608 - a name of our own
            f"SELECT count(*) FROM gone"
        )
        return int(self._ledger.safely(gone, (file, offset))[0][0])

    def last(self, file: int) -> Place | None:
        """The last record of a file that a row names."""
        last = (
            f'SELECT file, "offset", length, coalesce(request, 0) FROM {self._table} '  # noqa: S608 - a name of our own
            f'WHERE file = %s ORDER BY "offset" DESC LIMIT 1'
        )
        rows = self._ledger.read(last, (file,))
        return Place(*rows[0]) if rows else None
