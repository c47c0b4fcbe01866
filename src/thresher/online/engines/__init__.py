"""Search engines, asked for seeds: a few words in, urls out, the best first.

All have the same two things: a name, and `search(query, limit)`.

    engine.py        what all have in common: the `Engine` protocol, one question to a JSON API, answers in pages, keys
    wikipedia.py     any MediaWiki; no key
    searxng.py       a metasearch engine that one runs oneself; no key
    brave.py         Brave, with a key
    google.py        Google's Programmable Search Engine, with a key
    metasearch.py    engines without a key, through the library ddgs, which reads the pages that people see

An engine asks once and does not insist: there are others. What goes wrong is an error with the engine's name and the cause (`NoAnswer`, or
`BadInput` for a key that is refused). A key goes to the machine it belongs to, encrypted, and nowhere else; no message holds one. Another
engine is another file with a class of these two things, and its name in `seed/search_settings.py`.
"""

from thresher.online.engines.brave import Brave
from thresher.online.engines.engine import TIMEOUT, Engine
from thresher.online.engines.google import Google
from thresher.online.engines.metasearch import BACKENDS, Ddgs
from thresher.online.engines.searxng import Searxng
from thresher.online.engines.wikipedia import Wikipedia
from thresher.online.json_client import USER_AGENT

__all__ = ["BACKENDS", "TIMEOUT", "USER_AGENT", "Brave", "Ddgs", "Engine", "Google", "Searxng", "Wikipedia"]
