"""Hands: processes that fetch, parse and judge, so that no page can stop the crawl. A Url in; a Fetched, a Page and a Judgement out.

The brain is the process of the crawl: it keeps frontier, strategy and store, and writes the one transaction of a page. What strangers
send is read by a hand: it fetches a url, parses and judges what came, and gives back a `Fetched`, a `Page` and a `Judgement` as plain
values.

The life of a url with hands:

1. `Team.fetch` in the brain (`team.py`) sends it to the hand that its host belongs to. A host always has the same hand, so that robots.txt,
   pauses and open connections are in one place. What a hand asks of a host of another hand, because a robots.txt redirects there or a
   page in a browser wants it, is kept apart from that hand's requests in memory that all hands share (`host_places.py`).
2. The hand (`hand.py`, a process of its own) fetches, parses and judges it. Before each step of that it writes the order's number, the
   time and the CPU time it has used into a slot of shared memory (`watchdog.py`), and clears the number when it waits again.
3. The answer comes back as one frame of MessagePack (`wire.py`), decoded by its type: a hand that was taken over can send wrong
   values, but no code.
4. `Team.parse` and `Team.judge` hand the loop what came with the answer. The loop does not know of hands.

`process.py` holds one hand's process, and looks at its slot four times a second. A hand that spends too long on a page, or takes too much
memory for it, is killed. Its page is settled as `too-slow` or `too-large`; its other urls wait again; another hand takes its place. A
hand that ended or hangs otherwise is replaced too. The page that it worked on is a suspect then (`suspects.py`), or, where it failed by
itself and nobody knows over which page, all its urls are. A suspect is asked for again alone, and if three hands are lost over it, it is
settled as `crashed`. A hand ends when its brain does.
"""

from thresher.hands.host_places import HostPlaces, shared_memory
from thresher.hands.process import HandOptions, start_process
from thresher.hands.team import HandLost, Team
from thresher.hands.wire import Frames, HandParts, Setup

__all__ = [
    "Frames",
    "HandLost",
    "HandOptions",
    "HandParts",
    "HostPlaces",
    "Setup",
    "Team",
    "shared_memory",
    "start_process",
]
