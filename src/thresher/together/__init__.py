"""Several workers, one crawl: each is a process with a loop of its own, and they meet in PostgreSQL alone.

`in_step.py`    once a second a worker looks how the crawl stands: what all have fetched, whether it is paused or stopped, what was given
                later, which hosts are left out, which pages were labelled; and does as all do
`classroom.py`  what the strategies of the workers learn from each other

What they share lies in other rooms. The frontier lends each url to one of them (`frontier/postgres.py`), and hosts to requests that no url
stands for (`frontier/guest_turns.py`). The store keeps what they fetch (`store/shared_catalogue.py`) and what they tell each other
(`store/lesson_book.py`); their WARC files lie under one place (`warc/shared_writer.py`). Any of them carries out an order
(`orders/table_inbox.py`).

A worker may join and leave at any time, also by kill -9: it has nothing that the crawl needs.
"""
