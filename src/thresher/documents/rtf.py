"""RTF: one pass over its groups and control words.

Our own rather than striprtf, which gives the text alone: no title, author, headings; links become part of the words.
"""

import re
from locale import windows_locale

from thresher.documents.draft import Draft, TextRun, broken, day_of, merged
from thresher.documents.office import hyperlink_of

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32}+)(-?+[0-9]{1,10}+)?+ ?+|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|([^\\{}\r\n]++)|[\r\n]++|\\",
    re.DOTALL,
)
_PARAGRAPH = frozenset({"par", "sect", "page", "row", "cell", "pard"})
_BLANK = frozenset({"tab", "line", "emspace", "enspace", "nestcell"})
_SIGNS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
}  # fmt: skip
_LEFT_OUT_WORDS = """
    fonttbl colortbl pict object themedata colorschememapping latentstyles datastore header headerl headerr headerf footer
    footerl footerr footerf listtable listoverridetable rsidtbl generator xmlnstbl comment bkmkstart bkmkend filetbl
"""
_LEFT_OUT = frozenset(_LEFT_OUT_WORDS.split())
_NAMED = frozenset({"title", "author"})
_KEPT = frozenset({*_NAMED, "info", "creatim", "fldinst", "stylesheet"})
"""Groups whose content is no text of the document, and is read all the same."""
_MOST_GATHERED = 4_000
_MOST_RUNS = 10_000
"""A longer paragraph is parted, so that one without an end takes no more memory than the whole document may."""
_DEEPEST = 10_000


class _Group:
    """What holds within a pair of braces; the groups in it begin with the same."""

    __slots__ = ("destination", "fallback", "href", "style")

    def __init__(self, destination: str = "", fallback: int = 1, href: str = "", style: int = -1) -> None:
        self.destination, self.fallback, self.href, self.style = destination, fallback, href, style

    def inner(self) -> "_Group":
        return _Group(self.destination, self.fallback, self.href, self.style)


def read_rtf(body: bytes, draft: Draft) -> None:
    """Read a document."""
    if not body.lstrip().startswith(b"{\\rtf"):
        raise broken("it does not begin as RTF does")
    reader = RtfReader(draft)
    place = 0
    while (token := _TOKEN.match(body, place)) is not None:
        place = token.end() + reader.take(token)
    reader.paragraph()
    draft.name(title=reader.named["title"], author=reader.named["author"], language=reader.language, day=reader.day())


class RtfReader:
    """Reads token after token."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._groups = [_Group()]
        self._codec = "cp1252"
        self._raw = bytearray()
        self._skip = 0
        self._starred = False
        self._runs: list[TextRun] = []
        self._level = 0
        self._gathered: list[str] = []
        self._levels: dict[int, int] = {}
        self._made = {"yr": 0, "mo": 1, "dy": 1}
        self.named = dict.fromkeys(_NAMED, "")
        self.language = ""

    def take(self, token: re.Match[bytes]) -> int:
        """Take one token; returns how many bytes behind it are no text (a picture)."""
        word, number, code, sign, brace, text = token.groups()
        if word is not None:
            return self._word(word.decode("ascii"), int(number) if number else None)
        if code is not None:
            self._bytes(bytes([int(code, 16)]))
        elif sign is not None:
            self._sign(sign)
        elif brace is not None:
            self._open() if brace == b"{" else self._close()
        elif text is not None:
            self._bytes(text)
        return 0

    def paragraph(self) -> None:
        """What was read so far is a block."""
        self._flush()
        runs, self._runs, level = self._runs, [], self._level
        self._draft.add([TextRun(_whole(said), href) for said, href in merged(runs)], level)

    def day(self) -> str:
        """When it was made."""
        return day_of("{yr:04}-{mo:02}-{dy:02}".format(**self._made)) if self._made["yr"] else ""

    # ── groups ──

    def _open(self) -> None:
        self._flush()
        if len(self._groups) > _DEEPEST:
            raise broken(f"groups nested more than {_DEEPEST:,} deep")
        self._groups.append(self._groups[-1].inner())
        self._starred = False

    def _close(self) -> None:
        self._flush()
        if len(self._groups) == 1:
            return
        ended = self._groups.pop()
        if ended.destination not in _KEPT:
            return
        said = "".join(self._gathered)
        match ended.destination:
            case "fldinst" if self._groups[-1].destination != "fldinst":
                self._groups[-1].href = hyperlink_of(said)
            case "stylesheet":
                self._note_style(ended.style, said)
            case "title" | "author" as name:
                self.named[name] = self.named[name] or said
            case _:
                return
        if self._groups[-1].destination != ended.destination or ended.destination == "stylesheet":
            self._gathered = []

    def _note_style(self, style: int, name: str) -> None:
        words = name.strip().rstrip(";").lower().split()
        if len(words) > 1 and words[0] == "heading" and words[1] in {"1", "2", "3", "4", "5", "6"}:
            self._levels[style] = int(words[1])

    # ── words and signs ──

    def _word(self, word: str, number: int | None) -> int:
        here = self._groups[-1]
        if word == "u" and number is not None:
            self._unicode(number)
            return 0
        self._flush()
        starred, self._starred = self._starred, False
        if word in _KEPT:
            here.destination, self._gathered = word, []
        elif word in _LEFT_OUT or (starred and word != "shpinst"):
            here.destination = "skipped"
        elif word == "fldrslt":
            here.destination = ""
        elif word == "bin":
            return max(0, number or 0)
        elif here.destination in {"", "creatim"} or word in {"s", "uc", "ansicpg", "deflang"}:
            self._formatting(word, number, here)
        return 0

    def _formatting(self, word: str, number: int | None, here: _Group) -> None:
        if word in _PARAGRAPH:
            if word != "pard":
                self.paragraph()
            if word in {"pard", "par"}:
                self._level = 0 if word == "pard" else self._level
        elif word in _BLANK:
            self._say(" ")
        elif word in _SIGNS:
            self._say(_SIGNS[word])
        elif number is not None:
            self._numbered(word, number, here)

    def _numbered(self, word: str, number: int, here: _Group) -> None:
        match word:
            case "s":
                here.style = number
                self._level = self._levels.get(number, 0) if not here.destination else self._level
            case "outlinelevel":
                self._level = number + 1 if 0 <= number < 6 else 0
            case "uc":
                here.fallback = min(max(number, 0), 100)
            case "ansicpg":
                self._codec = _codec(number)
            case "deflang":
                self.language = windows_locale.get(number, "").replace("_", "-")
            case "yr" | "mo" | "dy" if here.destination == "creatim":
                self._made[word] = min(max(number, 0), 9999)

    def _sign(self, sign: bytes) -> None:
        if sign == b"*":
            self._starred = True
        elif sign in {b"\\", b"{", b"}"}:
            self._bytes(sign)
        elif sign == b"~":
            self._say(" ")
        elif sign == b"_":
            self._say("-")
        elif sign in {b"\n", b"\r"} and not self._groups[-1].destination:
            self.paragraph()

    def _unicode(self, number: int) -> None:
        self._flush()
        # Behind it stands the same in an older code, for readers that know no other.
        self._say(chr(number & 0xFFFF))
        self._skip = self._groups[-1].fallback

    # ── text ──

    def _bytes(self, text: bytes) -> None:
        if self._skip:
            left = text[self._skip :]
            self._skip = max(0, self._skip - len(text))
            text = left
        self._raw += text

    def _flush(self) -> None:
        """Decode the bytes so far: a letter of some languages has two."""
        if self._raw:
            said, self._raw = self._raw.decode(self._codec, "replace"), bytearray()
            self._say(said)
        self._skip = 0

    def _say(self, said: str) -> None:
        if self._raw:
            self._flush()
        here = self._groups[-1]
        if not here.destination:
            self._runs.append(TextRun(said, here.href))
            if len(self._runs) > _MOST_RUNS:
                self.paragraph()
        elif here.destination in _KEPT and len(self._gathered) < _MOST_GATHERED:
            self._gathered.append(said[:_MOST_GATHERED])


def _whole(said: str) -> str:
    """Letters that came in two halves, as UTF-16 has them, put together."""
    return said if said.isascii() else said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _codec(page: int) -> str:
    name = {65001: "utf-8", 10000: "mac_roman"}.get(page, f"cp{page}")
    try:
        b"".decode(name)
    except LookupError:
        return "cp1252"
    return name
