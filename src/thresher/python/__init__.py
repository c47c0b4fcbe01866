"""What a script or a notebook calls: start a crawl, run it or iterate over it, and look at what it found.

In come a topic and whatever else is wanted of a crawl; out come visits while it runs, and pages, tables and pictures afterwards.

1. `crawl.py` is `Crawl`: `Crawl.start` prepares a crawl by the same functions as the command line, then `run()` or `async for` runs it.
2. `crawl_thread.py` runs it, in a thread with an event loop of its own: so it works in a notebook, whose own loop runs already, and
   whatever takes long in the caller's loop keeps no page waiting for its answer.
3. `harvest.py` is `Harvest`, which `thresher.open` gives: pages, search, why, labels, export, the curve. It calls what the commands call.
4. `page_rows.py` has the rows of `Harvest.pages` and its table for pandas.

Promised: starting a crawl writes nothing and locks nothing. Whoever stops iterating, by `break`, by an error or by Ctrl-C, leaves a crawl
that is kept whole and can go on. At most as many visits as there are workers wait for whoever iterates. A harvest is read-only, but for
labels.
"""
