"""Stage 4/8 · fetch. A Url in, a Response, Refused or Failed out.

The life of a request: one call of `fetch` is one request and never more. A name is looked up, or remembered from the
last five minutes; each address is shown to the guard in the moment a socket is opened to it (`connect.py`); the head
goes out with the url exactly as it is spelled; the answer's head is read up to a cap, and an answer of a kind nobody
wants is dropped right there (`kinds.py`); the body is unpacked while it comes, up to a cap (`body.py`). A complete
answer of whatever status is a `Response`; a redirect is an answer too, since its target must first be asked of robots,
scope and the host's calendar. Whatever goes wrong on the way is named in one table (`failures.py`) and never raised.
"""

from thresher.fetch.http import HttpFetcher

__all__ = ["HttpFetcher"]
