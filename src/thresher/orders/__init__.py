"""Orders: what a person asks of a crawl while it runs, or while it rests. An order in, an answer in one sentence out.

1. `order.py` has the orders as values: pause, go on, stop, more budget, leave a host, put a url first, label a page, take that back.
   `words.py` reads them as a person types them.
2. `inbox.py` takes them in, `orders.sqlite` in the crawl's folder: any process gives them, and reads the answers.
3. `obey.py` is the port `Orders` of the loop: it looks there through `inbox_reader.py`, for the price of a `stat`.
4. `effects.py` does what is ordered, and says in a sentence what came of it; `lasting.py` is what holds after a restart.
5. `carried_out.py` keeps, in the crawl's own file, which were carried out and what came of each.
6. `stopped.py` carries orders out where no crawl runs; `state.py` says whether one runs, is paused, or has stopped.
7. `moved_orders.py` takes answers and waiting orders along when a crawl moves.

The crawl reads the inbox and never writes into it; the inbox's writers never touch the crawl's files.

Promised: each order is carried out once, in order, also after a kill: it is noted in the transaction of what it changed. An inbox that
is damaged or hostile never stops a crawl.
"""
