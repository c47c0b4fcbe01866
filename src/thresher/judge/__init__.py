"""Stage 6/8 · judge. A Page in, a Judgement out.

A judgement is a relevance from 0 to 1, whether that is enough (the judge's threshold), and evidence: which words, where, and how much they
added.

    terms.py         by the topic's own words and phrases: BM25 with fixed statistics, or the cosine
    calibration.py   from a score to a probability; calibration.toml has the curves, and what they were fitted on
    meaning.py       by embeddings of topic and page, together with the topic's words
    concepts.py      by the topic's concepts: its names, and what an ontology knows around them
    classifier.py    by a classifier that has learnt example pages
    sense.py         which sense of the topic's word the page means
    combine.py       several judges, made one
    transcribed.py   another judge, which is shown pages in other languages by what they say
    by_hand.py       as a person did who labelled some pages: moves the threshold of another judge, and later adds a classifier

A judge sees one page and nothing else: the same page gets the same judgement, whatever came before. It neither waits nor reads files.
Evidence adds up to what it explains, as far as the measure allows. The thresholds are measured ones; each file says on which pages.
Another judge is a class with `judge(page)` and an entry point in the group `thresher.judge`.
"""
