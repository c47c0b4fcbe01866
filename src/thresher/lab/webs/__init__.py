"""Webs that do not change: recorded or generated, replayed or served. A seed or WARC files in; a fetcher or a server on loopback out.

The same question always gets the same answer. A web has one of two forms (`web_pages.py`): `Web` answers by host and path, to be served;
`Pages` answers by url, to be replayed.

A generated web is a pure function of a seed:
- `vocabulary.py` (+ `vocabulary.toml`, `translations.tsv`): the words of its topics, and the same in other languages;
- `atlas.py`: which page stands where, is called what, and is about what;
- `prose.py`, `page_html.py`: sentences and HTML;
- `generated.py`: the web itself, a page at a time when asked. What a page is really about is told to those who measure only.

A recorded web is WARC files, from Thresher or any other crawler:
- `recorded.py`: the answer of every url, found by the index that `thresher.warc` keeps beside the files;
- `link_graph.py`: who links to whom, and how far each page is from a goal; for the upper bound and for figures;
- `page_labels.py`: what each page is about, as its editors say.

Both go out in one of two ways: `replay.py` is a fetcher without a socket, at thousands of pages a second; `serve.py`, over
`http_server.py`, puts a web on loopback, all its hosts on one port, and a recorded one behind a proxy that any crawler can use.
`local_web.py` serves the demo's web, with a search engine for it, from a thread of the program that wants it.
"""
