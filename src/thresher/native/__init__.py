"""The loops over every byte, word and link of a page, in C.

What comes in are bytes, texts and arrays of numbers. What goes out is what their twins in Python say of them, to the last bit. They are
promised to take time and memory in proportion to what comes in, whatever it is: a loop that a page could slow down counts its steps, and
leaves that page to its twin.

- `inner_loops.pyx` has those over bytes and words, `tree_loops.pyx` the one over nodes, `link_loops.pyx` those over links; each says which
  function is its twin. Cython translates them when a wheel is built (`hatch_build.py`).
- The `.pyi` beside each has its types.

Where there is no compiler, and in an editable install, all three are None here, and the twins do the work.
"""

import sys

try:
    from thresher.native import inner_loops, link_loops, tree_loops
except ImportError:
    inner_loops = link_loops = tree_loops = None  # type: ignore[assignment]  # for whoever compiles they are always there
if sys.byteorder != "little":
    inner_loops = None  # type: ignore[assignment]  # they take eight bytes for a number, the lowest first
