"""Files of format 1 had all of a url in one table, in the order of age, under a hash that scattered each host's urls over the file.

Opening such a file lays it out anew, in one transaction: a kill leaves it as it was, and the next opening begins again.
Ten million urls take some minutes, once.
"""

from thresher.disk.found_rows import has_table
from thresher.disk.ledger import Ledger
from thresher.disk.schemas import schema
from thresher.frontier.keys import key_of

_STEPS = (
    # In order of their keys, so that the new table is written from one end to the other.
    """INSERT OR IGNORE INTO known (key, seq, host, state, priority)
       SELECT key_of(url), seq, host, state, priority FROM url ORDER BY 1""",
    """INSERT INTO origin (seq, tries, depth, parent, anchor, chain, url)
       SELECT seq, tries, depth, parent, anchor, chain, url FROM url ORDER BY seq""",
    # Of two urls with one key the second is dropped, and must not be waited for.
    """UPDATE host SET waiting = 0, settled = 0""",
    """UPDATE host SET waiting = found.waiting, settled = found.settled
       FROM (SELECT host, sum(state = 0) AS waiting, sum(state = 2) AS settled FROM known GROUP BY host) AS found
       WHERE found.host = host.number""",
    "DROP TABLE url",
)


def make_tables(ledger: Ledger) -> None:
    """Make the frontier's tables; if the file has those of format 1, move all that they hold."""
    ledger.script(schema("frontier"))
    if has_table(ledger.read, "url"):
        ledger.function("key_of", key_of)
        for step in _STEPS:
            ledger.write(step)
    ledger.write(schema("frontier_view"))
    ledger.commit()
