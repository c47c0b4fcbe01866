"""What a window shows of a crawl, as plain values: no browser is needed to read or to test them.

In comes an archive of a crawl folder, while the crawl runs or not; out come frozen values with texts that are safe to show.

`page_grid`        all visits as a long list: sorted, filtered, searched, a few rows at a time
`page_detail`      one page whole: its text with the evidence marked, the way to it, its links, its versions, its copies

Promised: nothing is written but the search index, every list has an end whatever the size of the crawl, and every text has one too.
No text is markup: places in a text are offsets into it.
"""
