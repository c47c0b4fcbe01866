"""Take the pages of a crawl away, as a table, a folder of texts or a WARC file, with a data card.

In come a crawl folder and a `Choice`; out come files and an `ExportSummary`. A page is chosen, read, recorded and written:

1. `exporter.py` is the whole way. It chooses the pages, in the order of their visits and one of each cluster of duplicates.
2. `reader_processes.py` has them read by processes that may hang or die on a page; `page_text.py` is what each of them does.
3. `records.py` makes one record of all that is known of a page: the columns, in every form the same.
4. `formats.py` writes the records: JSON lines, CSV, Parquet, Markdown or WARC.
5. `summary.py` counts what was written, and `card.py` tells it to whoever gets the data.
6. `destination.py` writes beside the place and moves the export there when it is whole.

Promised: a kill leaves only a folder that ends in `.part`, which the next export to the place removes. No more than some dozen pages, and
one row group of Parquet, are in memory at a time. Nothing but an earlier export is ever replaced.
"""
