"""What one does with the folder of a crawl: look at it, search it, ask why, judge by hand, keep it fresh, take it away.

In comes a crawl folder, opened by `archive.Archive`: its settings, its catalogue, and its pages, parsed again from the WARC files. The
crawl may run meanwhile. Out come plain values, which the commands of `cli` draw or print as JSON.

`show`        the figures of a crawl, its best pages and its harvest curve; with `sightings` (which names of the topic were found),
              `link_tree` (which links led to relevant pages) and `target_recall` (how many of the pages one knows were found)
`report/`     all of it as one page of HTML; `crawl_comparison` sets two crawls side by side, `breadth_first_estimate` says how
              breadth-first would have begun
`search/`     full text over the kept pages
`why/`        why a url was fetched, or was not
`label/`      a person judges pages; the judge is held against the labels
`rejudge/`    all kept pages judged anew, and what that would change
`revisit/`    which pages are due for another look, and a round of looks
`export/`     the pages as tables, Markdown or WARC, with a data card
`move/`       a crawl from its folder into PostgreSQL, or back
`watch/`      what a window shows of a crawl that runs or has stopped, a stretch at a time
`plain_text`  texts, days and evidence as a terminal shows them

Promised: only `label/`, `rejudge/` and `revisit/` write to the folder, and they lock it; `search/` keeps its index in a file of its own,
which can be deleted at any time; `move/` makes a copy. No SQL about visits or urls is written here: `store` and the readers of `frontier`
are asked.
"""
