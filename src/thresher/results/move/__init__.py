"""A crawl moves: from its folder into PostgreSQL, where several workers go on with it, or back into a folder.

In comes a crawl that nobody works on, and the name of a place where nothing is yet. Out comes the same crawl there: settings, visits with
their numbers, labels, looks, judgements, orders, what the strategy has learnt, every url that waits or is settled, every host with its
calendar. The old one stays as it was.

`transfer.py`       parts of a crawl, each copied a few thousand rows at a time, and then read again on both sides and compared row by row
`into_database.py`  a folder into PostgreSQL
`into_folder.py`    back; what workers learnt last, and told nobody yet, is learnt there

The rooms that own the tables know how to read and fill them: `store/moved_rows.py`, `frontier/moved_urls.py`, `warc/moved_files.py`,
`orders/moved_orders.py`.

Promised: until all rows were compared the new place is marked as unfinished, and nobody takes it for a crawl; run again, the move begins
anew. Memory grows with the hosts, not with the urls or the pages.
"""
