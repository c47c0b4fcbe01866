"""What a window shows of a crawl, as plain values: no browser is needed to read or to test them.

In comes an archive of a crawl folder, while the crawl runs or not; out come frozen values with texts that are safe to show.

`running_figures`  visits counted once, a stretch at a time; the others ask it
`crawl_overview`   a crawl at a glance, to be seen beside others: topic, state, figures and curve
`now`              how far the crawl is: curve, pace, budget and what ends first, hosts that rest and why, the latest pages
`found_tree`       how pages were found: hosts that led to hosts, pages that led to pages, a step at a time
`waiting`          what waits, by host and by score; what is fetched next, and why, with the `signs` of the apprentice in words
`page_grid`        all visits as a long list: sorted, filtered, searched, a few rows at a time
`page_detail`      one page whole: its text with the evidence marked, the way to it, its links, its versions, its copies
`trouble`          what went wrong: by kind and host, retries, traps, promising pages that were lost
`topic_now`        names of the topic with their weights and sightings; what the strategy has learnt

A report counts its curve and its trouble with `running_figures` and `trouble` too.

Promised: nothing is written but the search index, no question but one for a new order of the list reads all visits again, and every
list and every text has an end, whatever the size of the crawl. No text is markup: places in a text are offsets into it.
"""
