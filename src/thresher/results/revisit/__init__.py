"""Keep a crawl fresh: look at kept pages again, and keep what was found beside what was there.

In comes a crawl folder; out comes a `RoundReport`, and one row for each look in the table that `store.looks` owns.

1. `due.py` estimates how often each page changes, and lists the pages whose interval has passed.
2. `round.py` runs the loop of the crawl over these pages, with conditional requests and the crawl's own manners.
3. `look_store.py` compares what came with what was there: not modified, same, changed, gone, moved, refused or failed.

Promised: the first version of a page stays where it is. The row of a look and the new links it found are one transaction, so a kill
loses at most the looks under way. The strategy scores new links but does not learn from second visits.
"""
