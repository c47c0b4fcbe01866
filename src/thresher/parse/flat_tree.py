"""The tree of a page as lists, in the order of the page: of each node its kind, where all that is in it ends, and what it says.

Every call into the tree costs more than the work done with its answer. So a loop in C goes through it once and brings all that the walk
needs: of a page of 30 KB with 63 links in .04 ms. Without it the same is asked of one node after the other.
"""

import ctypes
from typing import Any, Final

import numpy as np
import selectolax.lexbor
from selectolax.lexbor import LexborHTMLParser, LexborNode

from thresher.native import tree_loops
from thresher.parse.elements import (
    AREA,
    BASE,
    CONTAINER,
    DRAWING,
    DRAWN,
    FRAME,
    HTML,
    INLINE,
    KINDS,
    KNOWN,
    LINK,
    META,
    NOTHING,
    PICTURE,
    RELATION,
    SCRIPT,
    TEXT,
    WORDS,
)

Attributes = dict[str, str | None]

_ASKED_FOR: Final = {
    LINK: "href rel title aria-label",
    CONTAINER: "style role class id",
    PICTURE: "alt",
    AREA: "href rel alt title aria-label",
    FRAME: "src rel title aria-label",
    DRAWING: "style",
    DRAWN: "x dy",
    HTML: "lang xml:lang",
    BASE: "href",
    RELATION: "rel href type hreflang title",
    META: "content name property http-equiv",
    SCRIPT: "type src id",
}
"""Of each kind of element the attributes that the walk looks at."""
_CLOSED: Final = frozenset({NOTHING, META, RELATION, BASE, PICTURE, AREA, FRAME})
"""What is in them says nothing."""
_LEAVE_OUT: Final = 1 << 31
_IF_DATA: Final = 1 << 30


class FlatTree:
    """A page, node by node."""

    def __init__(self, kinds: bytes, ends: list[int], said: list[Any], hidden: set[int]) -> None:
        self.kinds = kinds
        self.ends = ends
        """For each node the number of the first one behind it that is not in it."""
        self.said = said
        """A text's words, one blank for a text of blanks; an element's attributes, if the walk looks at any; for `DRAWN` its name too."""
        self.hidden = hidden
        """The elements with the attribute `hidden`."""

    def text_in(self, place: int) -> str:
        """The words at the beginning of an element; empty if another element stands there."""
        first = place + 1
        return self.said[first] if first < self.ends[place] and self.kinds[first] == WORDS else ""


def flat_tree(tree: LexborHTMLParser, *, hides: bool) -> FlatTree:
    """The tree of a page. `hides=False` says that the word `hidden` is not in it."""
    root = tree.root
    if root is None:
        return FlatTree(b"", [], [], set())
    if _IN_C:
        kinds, ends, said, hidden = tree_loops.flat_tree(root.mem_id, KINDS, _NAMES, _WANTED, hides)
        return FlatTree(kinds, ends, said, hidden)
    return _by_nodes(root, {node.mem_id for node in tree.css("[hidden]")} if hides else set())


def _by_nodes(first: LexborNode, hidden: set[int]) -> FlatTree:
    kinds, flat = bytearray(), FlatTree(b"", [], [], set())
    above: list[tuple[LexborNode, int]] = []
    drawings = 0
    node = first
    while True:
        place, tag = len(kinds), node.tag_id
        child: LexborNode | None = None
        if tag == TEXT:
            kind = WORDS
            text = node.text_content or ""
            flat.said.append(" " if text.isspace() else text)
        else:
            kind = KINDS[tag] if tag < KNOWN else DRAWN if drawings else INLINE
            flat.said.append(_said(kind, node))
            if hidden and node.mem_id in hidden:
                flat.hidden.add(place)
            if kind not in _CLOSED and (kind != SCRIPT or _is_data(flat.said[place])):
                child = node.first_child
        kinds.append(kind)
        flat.ends.append(place + 1)
        if child is not None:
            above.append((node, place))
            drawings += kind == DRAWING
            node = child
            continue
        following = node.next
        while following is None:
            if not above:
                flat.kinds = bytes(kinds)
                return flat
            node, place = above.pop()
            drawings -= kinds[place] == DRAWING
            flat.ends[place] = len(kinds)
            following = node.next
        node = following


def _said(kind: int, node: LexborNode) -> Any:
    if kind not in _ASKED_FOR:
        return None
    attributes: Attributes = node.attributes
    return (node.tag or "", attributes) if kind == DRAWN else attributes


def _is_data(attributes: Attributes) -> bool:
    """Whether a script may hold data: the text of programs is not asked for."""
    return "json" in (attributes.get("type") or "").lower()


def _names() -> list[str]:
    return list(dict.fromkeys(name for names in _ASKED_FOR.values() for name in names.split()))


def _wanted() -> Any:
    """For each kind a bit for each attribute that is asked for, and two for what is in it."""
    wanted, names = np.zeros(256, np.uint32), _names()
    for kind, asked_for in _ASKED_FOR.items():
        wanted[kind] = sum(1 << names.index(name) for name in asked_for.split())
    wanted[list(_CLOSED)] |= _LEAVE_OUT
    wanted[SCRIPT] |= _IF_DATA
    return wanted


def _use_library() -> bool:
    """Whether the loop can be used: it calls functions of the library that selectolax brings, which must be found there."""
    if tree_loops is None:
        return False
    try:
        library = ctypes.CDLL(selectolax.lexbor.__file__)
        tree_loops.use([ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in tree_loops.FUNCTIONS])
    except (AttributeError, OSError):
        return False
    return True


_NAMES: Final = tuple((name.encode(), name) for name in _names())
_WANTED: Final = _wanted()
_IN_C: Final = _use_library()
