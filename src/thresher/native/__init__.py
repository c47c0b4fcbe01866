"""The loops over every byte, word and link of a page, in C.

What comes in are bytes, texts and arrays of numbers. What goes out is what their twins in Python say of them, to the last bit. They are
promised to take time and memory in proportion to what comes in, whatever it is: a loop that a page could slow down counts its steps, and
leaves that page to its twin.

- `inner_loops.pyx` has those over bytes, words and nodes; each says which function is its twin. Cython translates them when a wheel is
  built (`hatch_build.py`).
- `link_loops.pyx` has those over links.
- `inner_loops.pyi` and `link_loops.pyi` have their types.

Where there is no compiler, and in an editable install, `inner_loops` and `link_loops` are None here, and the twins do the work.
"""

import sys

try:
    from thresher.native import inner_loops, link_loops
except ImportError:
    inner_loops = link_loops = None  # type: ignore[assignment]  # for whoever compiles they are always there
if sys.byteorder != "little":
    inner_loops = None  # type: ignore[assignment]  # they take eight bytes for a number, the lowest first
