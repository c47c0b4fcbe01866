"""Learn a taxonomy for a live crawl: classes with urls in, a folder with a classifier and interclass rules out.

Paper: Altıngövde and Ulusoy 2004, "Rule-based focused crawler", Figure 2. Their classes and urls are those of a web directory; the example
pages are train-0, and the pages that these link to are train-1.

    classed_urls       classes with urls: a table (CSV), a folder of lists, a bookmarks file; the content says which
    odp_dump           the same from an RDF dump of the Open Directory (ODP, DMOZ), read as a stream
    example_urls       small leaves merged upward, and of each class so many urls drawn by a hash
    training_folder    what was asked for and drawn, kept so that whoever goes on has the same
    example_crawl      fetches train-0 and a sample of its links: an ordinary crawl, one link deep
    learning           reads the pages again: train-0 teaches the classifier, train-1 is classified and gives the rules

Fetching is the crawl's own loop into its own kind of folder (`pages/`), so it is as polite, is kept as safely and goes on after a kill as
any crawl does. What is drawn depends on hashes of urls alone: whoever continues draws the same. Learning reads the folder and asks no
server; after a kill it begins again and comes to the same. Memory grows with the classes, and not with the length of a dump.

`classify/learnt_folder.py` says which files come out; `thresher.cli.taxonomy` draws.
"""
