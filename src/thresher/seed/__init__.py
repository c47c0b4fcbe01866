"""Stage 1/8 · seed. A Topic in, Candidates out.

The life of a seed: somebody names a url, on the command line (`--seed`), in the crawl file, or in a file with one url a
line (`--seeds`). It is read strictly: a url that cannot be crawled is the user's mistake, so the crawl does not start,
and the error names the place and what is wrong. It is brought into canonical form; of two equal ones the first stays.

The crawl then hands each seed to the frontier as a Candidate of depth 0 without a parent, and from there on it is a url
like any other: robots.txt, scope and the host's calendar hold for it too. One thing is special: a seed that names a
private address lifts the guard against such addresses, for that host alone, since nobody writes one by accident.

A crawl that goes on after a stop offers only the seeds that are new: what became of the others meanwhile stays as it is.
"""
