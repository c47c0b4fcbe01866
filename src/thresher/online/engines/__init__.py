"""Search engines that are asked for seeds, one small file each, all with the same two things: a name, and `search(query, limit)`.

An engine asks once and does not insist: there are others. What goes wrong is told with the engine's name and the cause. A key goes to the
machine it belongs to, encrypted, and nowhere else: no message holds one.
"""

from thresher.online.engines.api import TIMEOUT, USER_AGENT
from thresher.online.engines.brave import Brave
from thresher.online.engines.engine import Engine
from thresher.online.engines.google import Google
from thresher.online.engines.metasearch import BACKENDS, Ddgs
from thresher.online.engines.searxng import Searxng
from thresher.online.engines.wikipedia import Wikipedia

__all__ = ["BACKENDS", "TIMEOUT", "USER_AGENT", "Brave", "Ddgs", "Engine", "Google", "Searxng", "Wikipedia"]
