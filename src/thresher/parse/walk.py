"""One pass over the tree: what is said, and where links, headings and regions begin and end.

Each node is touched once, and no text is asked for twice: links, headings and regions are offsets into it.

What opens and closes an element is called by its name, not looked up in a table: compiled, such a call costs next to nothing.
"""

from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from thresher.parse.elements import (
    AREA,
    ARTICLE,
    BASE,
    BOILERPLATE,
    BOLD,
    CONTAINER,
    DRAWING,
    DRAWN,
    FOREIGN,
    FRAME,
    HEADER,
    HEADING,
    HTML,
    INLINE,
    LINE,
    LINK,
    MAIN,
    META,
    NOTHING,
    PICTURE,
    RELATION,
    SCRIPT,
    SILENT,
    TITLE,
    WORDS,
)
from thresher.parse.flat_tree import Attributes, FlatTree, flat_tree
from thresher.parse.layout import Region, role_of, shown
from thresher.parse.metadata import Head, note_base, note_html, note_link, note_meta, note_script, note_title
from thresher.parse.text import BLANK, BREAK

Anchor = tuple[Attributes, int, int, int, bool]
"""A link as it stands on the page: its attributes, the parts of the text from and to which it goes, how many headings
began before its end, and whether it stands in what the page itself calls boilerplate, or is not shown.

A bare tuple, because a named one takes half a microsecond to make.
"""

# ── what closes an element ──

_NOT: Final = 0
"""Nothing."""
_SKIP: Final = 1
"""It is closed already, with all that is in it."""
_LINE_ENDS: Final = 2
_HEADING_ENDS: Final = 3
_LINK_ENDS: Final = 4
_REGION_ENDS: Final = 5
_BOLD_ENDS: Final = 6

_CONTENT: Final = frozenset({"main", "article"})

# ── where in a drawing we are ──

_NO_DRAWING: Final = 0
_IN_DRAWING: Final = 1
_IN_WORDS: Final = 2
"""What stands here is seen."""
_UNDRAWN: Final = frozenset({"defs", "symbol", "mask", "pattern", "marker", "metadata"})
"""Parts of a drawing that are only seen where another part uses them."""

_WORDLESS: Final = frozenset({BREAK, BLANK, ""})
"""Parts without words: text nodes that are all blank have become one of these."""
_LOOKED_AT: Final = 100
"""So many parts of a link tell whether it has words."""


@dataclass(slots=True)
class Walk:
    """What a walk through a page found."""

    parts: list[str] = field(default_factory=lambda: [BREAK])
    """What the text nodes say, in order, and `BREAK` where a line ends."""
    anchors: list[Anchor] = field(default_factory=list)
    headings: list[tuple[int, int]] = field(default_factory=list)
    bold: list[tuple[int, int]] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    head: Head = field(default_factory=Head)


def walk(tree: LexborHTMLParser, *, hides: bool = True) -> Walk:
    """Walk through a page. `hides=False` says that the word `hidden` is not in it, which saves a search for such elements."""
    walker = _Walker(flat_tree(tree, hides=hides))
    walker.walk_all()
    if walker.nested:
        walker.walked.anchors.sort(key=itemgetter(1))
    return walker.walked


class _Walker:
    """Holds what is open at the moment. A method that opens an element says what closes it, or `_SKIP` to leave out its content."""

    def __init__(self, tree: FlatTree) -> None:
        self.walked = Walk()
        self.nested = False
        self._tree = tree
        self._parts = self.walked.parts
        self._silent = False
        self._drawing = _NO_DRAWING
        self._boilerplate = 0
        self._content = 0
        self._links: list[tuple[Attributes, int, int]] = []
        self._pictures: list[str] = []
        self._regions: list[tuple[str, int]] = []
        self._headings: list[int] = []
        self._bold = -1

    def walk_all(self) -> None:
        """Go through the whole page."""
        self._walk(0, len(self._tree.kinds), self._parts)

    # One loop, not ten functions: a call for each node would cost more than the walk.
    def _walk(self, node: int, stop: int, parts: list[str]) -> None:  # noqa: C901 - see above
        """Go through the nodes up to another: open, go down, close, go on."""
        kinds, ends, texts, hidden = self._tree.kinds, self._tree.ends, self._tree.said, self._tree.hidden
        closes: list[int] = []
        closed_at: list[int] = []
        next_close = stop
        while True:
            while node == next_close:
                if not closes:
                    return
                self._close(closes.pop())
                closed_at.pop()
                next_close = closed_at[-1] if closed_at else stop
            kind = kinds[node]
            if kind == WORDS:
                said: str = texts[node]
                if not said.isspace():
                    parts.append(said)
                elif (last := parts[-1]) is not BREAK and last is not BLANK:
                    parts.append(BLANK)
                node += 1
                continue
            close = _NOT
            if hidden and node in hidden:
                close = self._open_hidden(kind, node)
            elif kind == LINE:
                if parts[-1] is not BREAK:
                    parts.append(BREAK)
                close = _LINE_ENDS
            elif kind != INLINE:
                close = self._open(kind, node)
            if close == _SKIP:
                node = ends[node]
                continue
            if close != _NOT:
                next_close = ends[node]
                closes.append(close)
                closed_at.append(next_close)
            node += 1

    def _open(self, kind: int, node: int) -> int:  # noqa: C901, PLR0911, PLR0912 - one line a kind, the frequent ones first
        if kind == LINK:
            return self._open_link(node)
        if kind == CONTAINER:
            return self._open_container(node)
        if kind == DRAWN:
            return self._open_drawn(node) if self._drawing != _NO_DRAWING else _NOT
        if kind == LINE:
            return self._open_line()
        if kind == HEADING:
            return self._open_heading()
        if kind == BOLD:
            return self._open_bold()
        if kind == PICTURE:
            return self._open_picture(node)
        if kind == NOTHING:
            return _SKIP
        if kind == BOILERPLATE:
            return self._open_region("boilerplate")
        if kind == SILENT:
            return self._open_silent(node)
        if kind == DRAWING:
            return self._open_drawing(node)
        if kind == HEADER:
            return self._open_region("header" if self._content else "boilerplate")
        if kind == MAIN:
            return self._open_region("main")
        if kind == ARTICLE:
            return self._open_region("article")
        if kind == AREA:
            return self._open_area(node)
        if kind == FRAME:
            return self._open_frame(node)
        if kind == FOREIGN:
            return self._open_words(node) if self._drawing == _IN_DRAWING else _NOT
        return self._note(kind, node)

    def _close(self, close: int) -> None:
        if close == _LINE_ENDS:
            self._end_line()
        elif close == _REGION_ENDS:
            self._close_region()
        elif close == _LINK_ENDS:
            self._close_link()
        elif close == _HEADING_ENDS:
            self._close_heading()
        elif close == _BOLD_ENDS:
            self._close_bold()

    def _note(self, kind: int, node: int) -> int:
        """What the page says about itself."""
        head, tree = self.walked.head, self._tree
        if kind == SCRIPT:
            note_script(head, tree.said[node], tree.text_in(node))
        elif kind == META:
            note_meta(head, tree.said[node])
        elif kind == RELATION:
            note_link(head, tree.said[node])
        elif kind == BASE:
            note_base(head, tree.said[node])
        elif kind == TITLE and not self._silent and self._drawing == _NO_DRAWING:  # drawings have titles too
            note_title(head, tree.text_in(node))
        elif kind == HTML:
            note_html(head, tree.said[node])
            return _NOT
        return _SKIP

    # ── lines and headings ──

    def _end_line(self) -> None:
        """What comes next begins a new line."""
        if self._parts[-1] is not BREAK:
            self._parts.append(BREAK)

    def _open_line(self) -> int:
        """An element that only stands on lines of its own."""
        self._end_line()
        return _LINE_ENDS

    def _open_heading(self) -> int:
        """A heading holds for all links up to the next one."""
        self._end_line()
        headings, start = self.walked.headings, len(self._parts)
        self._headings.append(len(headings))
        headings.append((start, start))
        return _HEADING_ENDS

    def _close_heading(self) -> None:
        """The heading's words are known."""
        number = self._headings.pop()
        self.walked.headings[number] = (self.walked.headings[number][0], len(self._parts))
        self._end_line()

    def _open_bold(self) -> int:
        """Words that are set off; they stay on their line. What is bold within the bold is part of it."""
        if self._bold >= 0:
            return _NOT
        self._bold = len(self._parts)
        return _BOLD_ENDS

    def _close_bold(self) -> None:
        self.walked.bold.append((self._bold, len(self._parts)))
        self._bold = -1

    # ── links ──

    def _open_link(self, node: int) -> int:
        """An `a` without href is no link. One with a single text in it, as most have, is finished at once."""
        tree = self._tree
        attributes: Attributes = tree.said[node]
        if attributes.get("href") is None:
            return _NOT
        start = len(self._parts)
        if tree.ends[node] == node + 2 and tree.kinds[node + 1] == WORDS and not self._silent:
            words: str = tree.said[node + 1]
            if not words.isspace():
                self._parts.append(words)
                self._keep(attributes, start)
                return _SKIP
        # It stands before the links in it, also if they begin at the same place.
        place = len(self.walked.anchors)
        self._keep(attributes, start)
        self._links.append((attributes, start, place))
        return _LINK_ENDS

    def _close_link(self) -> None:
        """A link without words gets the names of its pictures."""
        attributes, start, place = self._links.pop()
        parts = self._parts
        nameless = (len(parts) == start or parts[start] in _WORDLESS) and self._nameless(start)
        name = _name(attributes, " ".join(self._pictures)) if nameless else ""
        if self._pictures:
            self._pictures.clear()
        if name:  # a picture stands apart from the words and pictures beside it
            self._part_words()
        if nameless:
            if name or len(parts) - start <= _LOOKED_AT:  # blanks are no words, and end no link around them
                start = len(parts)
            parts.append(name)
        self.walked.anchors[place] = self._anchor(attributes, start)
        if name:
            self._part_words()

    def _open_picture(self, node: int) -> int:
        """The name of a picture counts only in a link that has no words."""
        if self._links:
            attributes: Attributes = self._tree.said[node]
            self._pictures.append(attributes.get("alt") or "")
        return _SKIP

    def _open_area(self, node: int) -> int:
        """A part of a picture that leads somewhere."""
        attributes: Attributes = self._tree.said[node]
        return self._whole_link(attributes, attributes.get("alt") or "")

    def _open_frame(self, node: int) -> int:
        """A page within the page, except in `noscript`, where frames only count visitors."""
        if self._silent:
            return _SKIP
        attributes: Attributes = self._tree.said[node]
        return self._whole_link({**attributes, "href": attributes.get("src")}, "")

    def _whole_link(self, attributes: Attributes, name: str) -> int:
        if attributes.get("href") is not None:
            self._end_line()
            start = len(self._parts)
            if not self._silent:
                self._parts.append(_name(attributes, name))
            self._keep(attributes, start)
            self._end_line()
        return _SKIP

    def _nameless(self, start: int) -> bool:
        """Whether a link has no words in its first parts. Not all are looked at: thousands of links may stand around the same ones."""
        return not self._silent and all(part in _WORDLESS for part in self._parts[start : start + _LOOKED_AT])

    def _part_words(self) -> None:
        """What comes next is no part of the last word."""
        if (last := self._parts[-1]) is not BREAK and last is not BLANK:
            self._parts.append(BLANK)

    def _keep(self, attributes: Attributes, start: int) -> None:
        if self._links:
            self.nested = True
        self.walked.anchors.append(self._anchor(attributes, start))

    def _anchor(self, attributes: Attributes, start: int) -> Anchor:
        """A link whose words end here."""
        aside = self._silent or self._boilerplate > 0
        return attributes, start, len(self._parts), len(self.walked.headings), aside

    # ── regions ──

    def _open_container(self, node: int) -> int:
        """Its attributes may say what it is for."""
        attributes: Attributes = self._tree.said[node]
        if attributes:
            style = attributes.get("style")
            if style and not shown(style):
                return self._open_silent(node)
            role = role_of(attributes.get("role"), attributes.get("class"), attributes.get("id"))
            if role:
                return self._open_region(role)
        return self._open_line()

    def _open_region(self, role: str) -> int:
        """Menus, asides and form fields; the page's own content; an article, which may have a header of its own."""
        self._end_line()
        self._content += role in _CONTENT
        self._boilerplate += role == "boilerplate"
        self._regions.append((role, len(self._parts)))
        return _REGION_ENDS

    def _close_region(self) -> None:
        """The region's extent is known."""
        role, start = self._regions.pop()
        self._content -= role in _CONTENT
        self._boilerplate -= role == "boilerplate"
        self.walked.regions.append(Region(role, start, len(self._parts)))
        self._end_line()

    # ── what is not shown ──

    def _open_silent(self, node: int) -> int:
        """Its links count, its words do not, because nobody sees them."""
        if self._silent:
            return _NOT
        self._silent = True
        self._walk_inside(node, [BREAK])
        self._silent = False
        return _SKIP

    # ── drawings ──

    def _open_drawing(self, node: int) -> int:
        """An `svg`: its links count, and of its words those that are drawn. One within another is part of it."""
        attributes: Attributes = self._tree.said[node]
        style = attributes.get("style")
        if self._drawing != _NO_DRAWING or self._silent or (style and not shown(style)):
            return self._open_silent(node)
        self._drawing = _IN_DRAWING
        close = self._open_silent(node)
        self._drawing = _NO_DRAWING
        return close

    def _open_drawn(self, node: int) -> int:
        """An element that only drawings have. Words that are placed anew are parted from those before them."""
        drawn: tuple[str, Attributes] = self._tree.said[node]
        name, attributes = drawn
        if self._drawing == _IN_WORDS:
            if name == "tspan" and ("x" in attributes or "dy" in attributes):
                self._part_words()
            return _NOT
        if name == "text":
            return self._open_words(node)
        return _SKIP if name in _UNDRAWN else _NOT

    def _open_words(self, node: int) -> int:
        """Words of a drawing, on lines of their own."""
        self._end_line()
        self._silent, self._drawing = False, _IN_WORDS
        self._walk_inside(node, self._parts)
        self._silent, self._drawing = True, _IN_DRAWING
        self._end_line()
        return _SKIP

    def _open_hidden(self, kind: int, node: int) -> int:
        """An element with the attribute `hidden`, whatever else it is."""
        plain = kind in {INLINE, DRAWN}
        if self._silent:
            return _NOT if plain else self._open(kind, node)
        self._silent = True
        close = _NOT if plain else self._open(kind, node)
        if close != _SKIP:
            self._walk_inside(node, [BREAK])
            self._close(close)
        self._silent = False
        return _SKIP

    def _walk_inside(self, node: int, parts: list[str]) -> None:
        self._walk(node + 1, self._tree.ends[node], parts)


def _name(attributes: Attributes, picture: str) -> str:
    """What a link without words is called: as its picture is, or as its attributes say."""
    return picture.strip() or _attribute(attributes, "title") or _attribute(attributes, "aria-label")


def _attribute(attributes: Attributes, name: str) -> str:
    return (attributes.get(name) or "").strip()
