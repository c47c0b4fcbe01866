"""Is all well with this installation and this machine?

In comes nothing, or a url to try; out come findings, a line each: what is there, what is missing and how to get it, what is broken.

1. `examination.py` looks at everything, one after the other: first at what is installed, itself. Start here.
2. `machine.py` looks at the disk and at the limit of open files.
3. `trial_fetch.py` fetches a page through the same parts as a crawl does: from a server of its own on loopback, or a url of the user's.
4. `findings.py` has the words: a `Finding` is good, missing (something optional) or broken.

Promised: nothing leaves the machine unless a url is named, nothing is installed, and nothing is written but a probe of the cache folder.
What is only looked for is not imported.
"""
