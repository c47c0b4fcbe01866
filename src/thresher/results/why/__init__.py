"""Why a url was fetched, or was not.

In comes a crawl's archive and a url; out comes a `Why`: the fate of the url, a verdict in sentences, and the way to it from a seed.

1. `explanation.py` asks whether the url was visited, waits, or is unknown, and follows the parents back to the seed. Start here.
2. `reasons.py` builds the crawl's strategy again from the folder and asks it what the priority of a link is made of.
3. `unknown_urls.py` looks at what else can be said of an unknown url: kept pages that link to it, and known urls that look like it.

Promised: nothing is written and nothing is fetched. The strategy knows what it has learnt by now, so a priority that is explained today
may differ from the one that the link had; the priority shown is the one that it had.
"""
