"""Stage 2/8 · frontier. A Candidate in, a Claim out.

Candidates come in when seeds are added and when a page is settled with its links. Claims go out: the best waiting url among the hosts
that may be visited now. The life of a url:

- *unknown*: nothing links to it yet, or it was the lowest when more urls waited than the cap allows.
- *waiting*: it was added or found, and further links may change its priority. A crash keeps it if the turn which found
  it had been committed; if not, the page that links to it is not settled either, and will be visited again.
- *claimed*: it was the best among the hosts that could be visited, and is lent to a worker; no link changes it. When
  the lease expires, or after a crash, it waits again with its old priority and age. After a crash its host rests first.
- *settled*: it is done with, and what its page gave came in with the same transaction: a crash keeps both or neither.

Promised: no url is lent twice while it is claimed, none is visited again after it settled, and no host is asked more often than its
delay allows, across restarts too. Memory grows with the hosts, not with the urls.

    options        the keys of the `[frontier]` table
    host_entry     what is known of a host
    calendar       when each host may be visited (delay, crawl-delay, back-off, quota), and which host has the best url
    turns          hosts whose pages look alike let others go first
    base           the rules of lending that the next two share: claims and leases, merging, eviction
    memory         urls in memory: for the lab and for tests
    sqlite         urls in the crawl's SQLite file, which is larger than memory and safe to kill
    seen_cache     links that change nothing, which need no look-up in the file
    keys           the numbers under which the file knows urls, those of one host side by side
    best_waiting   the best urls of each host, in order, in the file
    upgrade        files of the first format, laid out anew
    reading        the frontier of a crawl, read by another process: what waits, where, and what is near the seeds
    outlook        the same: which hosts rest and why, and what will be lent next
    postgres       urls and hosts in PostgreSQL, for several workers at once; the rules are functions of the server
    moved_urls     all hosts and urls, from one database into the other
    postgres_columns  what a worker and the server say to each other of links and claims
    anchors        the words of links, as PostgreSQL keeps them
    frontier_questions  what is asked by who only reads: of SQLite, and of PostgreSQL
"""

from thresher.frontier.memory import MemoryFrontier
from thresher.frontier.sqlite import SqliteFrontier

__all__ = ["MemoryFrontier", "SqliteFrontier"]
