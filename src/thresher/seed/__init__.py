"""Stage 1/8 · seed. A Topic or the user's own list in, Urls out: canonical, in order, each once.

Seeds are urls that the user names (`--seed`, the crawl file), urls that a file or a web address lists (`--seeds`), or urls that search
engines find for the topic:

    named_urls        urls as the user wrote them, read strictly; urls as strangers name them, read leniently and without private addresses
    listed_files      a file that lists urls: what kind it is, its bytes, the urls of bookmarks and of WARC files
    polite_download   fetches the few files that seeds are read from, with the crawl's own manners
    sources           `--seeds FILE-OR-URL`: all of the above, whatever the content is
    search_settings   the `[search]` table, and the engines that it opens
    search_seeds      what to ask engines for a topic, and which of their urls come first
    example_pages     `--like URL-OR-FILE`: no seeds, but pages such as are looked for, read the same way

A url of the user's that cannot be crawled is the user's mistake: the crawl does not start, and the error names the place and what is wrong.

The loop (`crawl.py`) then makes each seed a Candidate of depth 0 without a parent and adds it to the frontier. From there on it is a url
like any other: robots.txt, scope and the host's calendar hold for it too. One thing is special: a seed of the user's that names a
private address lifts the guard against such addresses, for that host alone, since nobody writes one by accident.

A crawl that goes on after a stop offers only the seeds that are new: what became of the others meanwhile stays as it is.
"""
