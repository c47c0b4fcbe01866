"""Stage 3/8 · polite. A Url in, a Fetched out.

`PoliteFetcher` (`robots.py`) wraps the fetcher of stage 4: it hands on what robots.txt allows, and answers `Refused` or `Later` otherwise.
What is asked of a url, in this order:

    scope           does it belong to the crawl at all? Asked before it waits in the frontier
    robots          does the site's robots.txt allow it? If that is not known, robots.txt is asked for first, and the page
                    comes after the host's pause: `Later`
    robots_groups   which of the file's groups is for us; the rest is not even held
    host_locks      if robots.txt redirects to another host, is somebody asking that host now, in this process or in another?
    addresses       is the address public that a connection is about to be opened to? Asked for every connection, also for
                    robots.txt and for each hop of a redirect; the user or a seed may allow others

A site without robots.txt (4xx) allows all. A site that cannot answer (5xx, 429, no connection) allows nothing for now
and is asked again, after longer and longer. What was learned holds for a day. A url that is disallowed is `Refused` and
costs no request. A crawl-delay in robots.txt is read here and travels with `Later`. *When* a host may be visited is not
decided here: the frontier's calendar keeps to the crawl-delay and to our own pause.
"""
