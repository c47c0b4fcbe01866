"""Several workers, one crawl: each is a process with a loop of its own, and they meet in PostgreSQL alone.

`in_step.py`    once a second a worker looks how the crawl stands: what all have fetched, whether it is paused or stopped, what was given
                later, which hosts are left out, which pages were labelled
`classroom.py`  what the strategies of the workers learn from each other

The frontier lends each url to one of them (`frontier/postgres.py`), the store keeps what they fetch (`store/shared_catalogue.py`), and any
of them carries out an order (`orders/table_inbox.py`). A worker may join and leave at any time: it has nothing that the crawl needs.
"""
