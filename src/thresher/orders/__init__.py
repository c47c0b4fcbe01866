"""Orders: what a person asks of a crawl while it runs, or while it rests. An order in, an answer in one sentence out.

1. `order.py` has the orders as values: pause, go on, stop, more budget, leave a host, put a url first, label a page, take that back.
2. `inbox.py` takes them in: any process gives them, and reads the answers.
3. `carried_out.py` keeps, in the crawl's own file, which were carried out and what came of each.
4. `state.py` says whether a crawl runs, is paused, or has stopped.

The crawl reads the inbox and never writes into it; the inbox's writers never touch the crawl's files.

Promised: each order is carried out once, in order, also after a kill: it is noted in the transaction of what it changed. An inbox that
is damaged or hostile never stops a crawl.
"""
