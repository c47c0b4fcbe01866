"""The loops over every byte and every word of a page, in C.

What comes in are bytes and arrays of numbers. What goes out is what their twins in numpy say of them, to the last bit. They are promised
to take time and memory in proportion to what comes in, whatever it is: a loop that a page could slow down counts its steps, and leaves
that page to its twin.

- `inner_loops.pyx` has the loops; each says which function is its twin. Cython translates them when a wheel is built (`hatch_build.py`).
- `inner_loops.pyi` has their types.

Where there is no compiler, and in an editable install, `inner_loops` is None here, and the twins do the work.
"""

import sys

try:
    from thresher.native import inner_loops
except ImportError:
    inner_loops = None  # type: ignore[assignment]  # for whoever compiles it is always there
if sys.byteorder != "little":
    inner_loops = None  # type: ignore[assignment]  # they take eight bytes for a number, the lowest first
