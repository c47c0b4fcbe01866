"""Full-text search over the pages that a crawl has kept.

In come an archive and what a person typed; out comes a `SearchAnswer` with the best pages and their snippets.

1. `query.py` reads what was typed: words, phrases, unwanted words, beginnings of words. No input is a syntax error.
2. `word_index.py` keeps the words of all pages in `search.sqlite`, takes in what is new, and finds pages by BM25 times relevance.
3. `answers.py` puts both together: it adds synonyms of the topic, asks for all words and else for some, and cuts the snippets.
4. `marks.py` says where in a text the words stand.

Promised: the index is a copy of what the folder holds. It is made again if it is missing, damaged or of another crawl, and a search while
the crawl runs finds what was committed.
"""
