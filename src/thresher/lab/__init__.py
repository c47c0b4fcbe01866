"""The lab: webs that stand still, to compare strategies on.

A live web changes, so a crawl of it cannot be repeated. In the lab every strategy crawls the same web from the same seeds, through the
same loop, parser and judges as a live crawl. The labels of the pages stay out of reach until the crawl is over; then they measure it.

What comes in: task files (a web, its labels, topics, seeds). What goes out: a folder of results, a report, tables beside those of papers.
Four rooms, in the order of the data:

- `webs/`: what is crawled. Recorded from WARC files, or generated from a seed; replayed without a socket, or served over HTTP.
- `run/`: task → trial → experiment → results. What strategies may know of a task, what a crawl is worth, and whether a difference is luck.
- `report/`: results → `report.html`, `report.md`, pictures, a summary in the terminal, and the difference of two experiments.
- `papers/`: the papers' own experiments again, their printed numbers beside ours.

Promises: the same task, strategy and seed give the same fetches on every machine, with any number of jobs. No strategy and no judge sees
a label; `oracle-greedy`, the upper bound, alone is told distances made of them. An experiment that was stopped continues where it was.
What is open or cached belongs to the experiment (`run.trial.Workbench`) and is closed with it.
"""
