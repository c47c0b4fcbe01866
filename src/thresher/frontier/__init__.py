"""Stage 2/8 · frontier. A Candidate in, a Claim out.

The life of a url:

- *unknown*: nothing links to it yet, or it was the lowest when more urls waited than the cap allows.
- *waiting*: it was added or found, and further links may change its priority. A crash keeps it if the turn which found
  it had been committed; if not, the page that links to it is not settled either, and will be visited again.
- *claimed*: it was the best among the hosts that could be visited, and is lent to a worker; no link changes it. When
  the lease expires, or after a crash, it waits again with its old priority and age. After a crash its host rests first.
- *settled*: it is done with, and what its page gave came in with the same transaction: a crash keeps both or neither.
"""

from thresher.frontier.memory import MemoryFrontier
from thresher.frontier.sqlite import SqliteFrontier

__all__ = ["MemoryFrontier", "SqliteFrontier"]
