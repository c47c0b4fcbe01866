"""The papers' own experiments, run again: recorded or generated webs come in, a `Reproduction` goes out.

Each paper is a module with `reproduce(setting) -> Reproduction`: its design, its printed numbers beside ours, tests, a verdict, and why the
numbers differ. Crawls are kept in the folder of the setting, so that a reproduction can be stopped and continued.

- `reproduction.py`: `Setting`, `Reproduction`, its tables as Markdown, and `Crawls`: trials run once, judged as often as needed.
- `page.py`: one page of all of them, whose sections are replaced as experiments run again.
- `paper_tables.py`: tests, claims and plots, as strong as the number of topics allows.
- `kayisoglu_2005.py`, with `medical_crawls.py`: Lokman; value strategies against no ontology, and target recall.
- `table_five_results.py`, with `table_five.py`: the same as printed, on the ten topics of the thesis's Table 5.
- `altingovde_ulusoy_2004.py`, with `interclass_cases.py`, `interclass_runs.py`, `interclass_tables.py`, `leaf_subjects.py` (classes) and
  `word_search.py` (seeds): interclass rules against soft and hard focus, tunnelling, and what the authors left for later.
- `kumar_vig_2010.py`, with `mixed_webs.py` and `multilingual_runs.py`: a crawler that looks up words of other languages.
- `pesaranghader_2014.py`, with `two_senses.py`, `sense_runs.py` and `text_oracle.py`: LinCrawler; words of two senses.
- `similarity_measures.py`: LinCrawler with other measures of similarity, the paper's future work.
- `choudhary_roy_2013.py`: the priority-based semantic crawler.

Promises: printed numbers are the papers' own, never adjusted. A text that is published (`docs/papers/reproductions.md`) is what the
command wrote.
"""

PAPERS = {
    "lokman": "kayisoglu_2005",
    "lokman-table-5": "table_five_results",
    "interclass": "altingovde_ulusoy_2004",
    "multilingual": "kumar_vig_2010",
    "lin": "pesaranghader_2014",
    "measures": "similarity_measures",
    "priority": "choudhary_roy_2013",
}
"""What `thresher lab reproduce` calls a paper, and its module here."""
