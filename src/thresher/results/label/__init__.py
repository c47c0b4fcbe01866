"""A person judges pages, and the judge is held against the labels.

In comes a crawl folder; out come questions, one page each, and figures: precision, recall and F1 of the judge before and after it heard
the labels, and the harvest with them in place.

1. `questions.py` chooses the pages nearest to the threshold, and what is shown of them.
2. `desk.py` asks about them, and keeps each answer at once.
3. `scores.py` compares the configured judge, and the judge that has learnt from the labels, with what the person said.

`keeper.py` keeps the labels: in the file, whose folder is locked meanwhile, or by orders to the crawl that runs.
`by_url.py` labels a page by its url without asking, for programs.

Promised: nobody is asked twice about the same version of a page. A label is of the page as it was then: when a later look finds the page
changed, it may be asked about again. How a crawl uses the labels is the business of `judge.by_hand`.
"""
