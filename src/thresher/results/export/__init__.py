"""Take the pages of a crawl away, as a table, an archive or a folder of texts.

A page goes chosen → read → recorded → written: `choice.py` says which, in the order of their visits and one of each cluster of duplicates;
`crew.py` has them read by processes that may hang or die on one; `columns.py` makes a row of what is known; `tables.py`, `markdown.py` and
`warc.py` write it. No more than some dozen pages, and one row group of Parquet, are in memory at a time. `destination.py` writes beside the
place and moves it there when it is whole: a kill leaves a folder that ends in `.part`, which the next
export to the place removes, and nothing else.
"""
