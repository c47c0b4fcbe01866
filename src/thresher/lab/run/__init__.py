"""Run strategies on tasks, and measure what they fetched. In the order of the data:

- `task.py`: a task file → `Task`s: a web (`WebSource`), a topic, seeds, and the labels that count.
- `task_web.py`: `TaskWeb`, that web opened: pages for everybody, labels and targets for those who measure. Pages are parsed once.
- `task_knowledge.py`: what strategies and judges may know of a task: words, a meaning, concepts.
- `task_taxonomy.py`: the taxonomy of a task: classes from example pages (train-0), rules from what these link to (train-1) and from walks.
- `trial.py`: `Trial` → `run` → a row and its fetches. One strategy crawls one task from one set of seeds, one page at a time. The
  `Workbench` holds the web that is open and what is known of the current task, for all trials of an experiment.
- `several_workers.py`: the same by several workers that share the crawl, in `turned_time.py`, and tell each other what they learn.
- `crawl_measures.py`: fetches and labels → harvest, AUC, recall, overlap.
- `experiment.py`: every strategy on every task, in one process or several; what cannot run is told before the first run.
- `results_file.py`: the folder of results: a row per run in `results.json`, and what each run fetched.
- `statistics.py`: paired tests over tasks: is one strategy better than another, or was it luck?

Promises: everything found is divided by the budget, every fetch is charged, and a page counts once. Results do not depend on the order of
runs or the number of processes. A killed experiment loses only the runs that were under way.
"""
