"""The lab: webs that stand still, to try a crawler on.

A web is anything that answers `page(host, path)` (`web.py`). One made from a seed (`generated.py`) has a map of who
stands where and is about what (`atlas.py`), words (`vocabulary.toml`), sentences (`prose.py`) and HTML (`layout.py`).
`serve.py` puts a web on loopback over real HTTP, all its hosts on one port. What a page is really about is known to
the atlas alone; the crawler gets HTML.

A recorded web is WARC files (`recording.py`): gone through once (`scan.py`), found again by an index beside them (`index.py`,
`beside.py`), and read by place (`record.py`). `replay.py` fetches from any web without a socket, `proxy.py` serves a recorded
one to any crawler, and `links.py` knows who links to whom. `heedless.py` reads pages without heeding their `nofollow`.
"""
