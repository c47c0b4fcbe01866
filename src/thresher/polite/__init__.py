"""Stage 3/8 · polite. A Claim in, go or Refused out.

The life of a permission: `scope.py` says whether a url belongs to the crawl at all, before it even waits. When its turn
comes, `robots.py` looks whether the site's robots.txt is known. If not, it is asked for, and the page comes after the
host's pause: `Later`. A site without one (4xx) allows all; a site that cannot answer (5xx, 429, no connection)
allows nothing for now and is asked again, after longer and longer; what was learned holds a day. A url that is
disallowed is `Refused` and costs no request. The last word has `addresses.py`: each address that a connection is about
to be opened to, also for robots.txt and for every hop of a redirect, must be public, unless the user or a seed said
otherwise. *When* a host may be visited is not decided here: the frontier keeps the hosts' calendar.
"""
