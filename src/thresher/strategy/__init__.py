"""Stage 7/8 · strategy. A Visit in, a priority a link out.

A strategy is asked once for each page, about all links of the page. It may learn from the visit first, and may move urls that wait. Only
the order of priorities matters; `DROP` says that a link is not worth a visit. There are twenty-three, each in a file of its own but for
`lokman-without-ontology`, the baseline, which is in `lokman.py`. Each docstring names the paper, gives the formula, and says what was
unclear and how it was read.

    by order alone           breadth_first, depth_first, random, oracle_greedy (the upper bound of the lab)
    by the page              best_first, best_n_first, focused, soft_focus, hard_focus
    by the words of links    fish_search, shark_search, tf, lin, lokman (and lokman-without-ontology), context_ontology
    by classes and rules     interclass_rules
    by the link graph        pagerank, hits
    download, then rank      priority_focused, priority_semantic
    learning as it goes      apprentice, best_best_first

What several share:

    parameters.py            profiles (`paper`, `robust`), and ranges that values must lie within
    inheritance.py           what a page passes on to the pages it links to
    crawled_graph.py         which visited page links to what
    word_numbers.py          words of pages and links as numbers; word_odds.py weighs them, concept_values.py values them as Lokman does
    waiting_links.py         the links to the best waiting urls; link_features.py and place_statistics.py describe them
    link_weights.py          weights of features; link_learner.py is all of this as one; visit_log.py is what it was told
    decision_tree.py         a tree over numbers and two classes, after C4.5
    measured.toml            the mean AUC of each in the lab, for `thresher strategies`
    download_then_rank.py    a queue of pages that are here already; sibling_pages.py compares pages under one parent

A strategy saves what it learnt in parts, only what changed with a visit, so that a crawl that is resumed makes the same choices.
It neither waits nor asks the network. A page of a few dozen links takes less than 2 ms; `benchmarks/strategy_speed.py` measures it.
"""
