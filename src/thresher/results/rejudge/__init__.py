"""Judge all kept pages of a crawl anew: with another judge or threshold, with labels given since, or by what the crawl itself teaches.

In comes a crawl folder and a `JudgeWish`; out comes a `JudgingPlan`, what would change, and if it is wanted a new round of judgements
in force.

1. `round.py` locks the folder and judges every page as it lies in the WARC files, in batches that survive a kill. Start here.
   If it is asked to learn, a classifier taught by the best pages and the labels puts the pages in order.
2. `plan.py` compares the round with the judgements in force.

Promised: nothing changes for whoever reads the crawl until `put_in_force`. The crawl's own judgements stay, and so does every earlier
round: `store.rejudgements` keeps them. The crawl goes on with its own judge. What a person said of a page counts for more than any round.
"""
