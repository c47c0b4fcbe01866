"""Classes of pages: learnt from example pages, and the rules by which one class links to another.

In come example pages in a folder for each class, and later pages of the crawl; out comes how probably a page belongs to each class, and
how probably its links lead to a target class.

    naive_bayes.py   `Classifier`: multinomial naïve Bayes, learnt page by page; saved and loaded
    taxonomy.py      example pages read from a folder; `Taxonomy`: a classifier, the target classes, and rules
    class_tree.py    classes as paths of a tree: a parent's probability is the sum of its children's
    learnt_folder.py the folder that `thresher taxonomy learn` makes and `--taxonomy` takes
    link_rules.py    interclass rules (Altıngövde and Ulusoy 2004): learnt from pairs of classes, and scores by paths of rules
    rule_tree.py     the same over a whole taxonomy: a class borrows from the classes above it what it lacks

The judge `classifier` and the strategies `soft-focus`, `hard-focus`, `interclass-rules` and `context-ontology` use it. Judge and strategy
ask about the same page one after the other: the second answer is remembered. Memory has a limit: of too many words the rarer half is
forgotten. A saved classifier is plain arrays, and a saved table of rules is TOML that people can read and write; nothing in either can run.
"""
