"""Stage 8/8 · store. A Visit in, a Kept out: whether the page repeats one kept before, nearly repeats it, or looks like others of its host.

`catalogue.py` keeps visits in the crawl folder, `shared_catalogue.py` those of many workers in PostgreSQL. `rows.py` turns a visit into a
row, and back. `duplicates.py` decides which pages are the same or nearly so. `simhash.py` computes the fingerprint that it compares.
`lookalikes.py` tells pages of an endless site, by which the frontier lets other hosts go first. The life of a kept page:

1. Its bytes are hashed. Kept before under the same status: a duplicate; its WARC record is a revisit without body.
2. Else, if it is on topic, its main text gets a simhash. Within three bits of an earlier one: a
   near-duplicate: kept in full, not counted as harvest.
3. The request and the response as received become two gzip members and wait in memory.
4. A row, which also says where the record will stand, joins the ledger's transaction, beside the frontier's rows.
5. Just before the ledger commits, the waiting bytes go to the WARC file, and its new length joins the transaction.

A kill before 5 takes the whole visit, and the frontier lends its url again. A kill between the bytes and the commit
leaves a tail that no row speaks of: it is cut off when the folder is opened. A power cut may shorten the file: the
rows of what is missing stay, marked as lost, and are counted.

All other rooms read what was kept through functions of this one, which owns the tables:

`visits.py`     visits by url, by number or in order          `labels.py`     what a person said of pages
`totals.py`     figures over all visits                       `looks.py`      later looks at pages
`current.py`    pages as they are today, after labels and looks; `page_list.py` sorts and filters them
`rejudgements.py`   judgements made anew, and which are in force; `pending_round.py` makes them
`glances.py`    visits as rows of numbers, a stretch at a time, for whoever watches a crawl
`overview.py`   samples, hosts by harvest, and what may be done with the pages, in a pass over all visits each
`selection.py`  pages chosen from these, in clusters of duplicates
`states.py`     small things that a crawl remembers by name   `moved_rows.py` all of it, from one database into the other

`memory_store.py` is a store without a folder, for the lab and for tests.
"""
