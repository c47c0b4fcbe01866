"""DOCX and ODT: headings by their style, links by their relationship, and what the document says of itself.

Our own few lines over expat rather than python-docx and odfpy: these read the whole tree into memory (a small zip can make a large
one) and bring lxml. `benchmarks/document_speed.py` holds it against kreuzberg.
"""

from collections.abc import Mapping

from thresher.documents.draft import Draft, TextRun, broken, day_of, encrypted
from thresher.documents.zipped import Bundle, read_xml, texts_of

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LOCKED = "EncryptedPackage".encode("utf-16-le")
_CORE = frozenset({"title", "creator", "created", "modified", "language"})
_META = frozenset({"title", "creator", "initial-creator", "creation-date", "date", "language"})
_DOCUMENT = "word/document.xml"
_MOST_STYLES = 5_000
_LONGEST_FIELD = 4_000


class _Paragraphs:
    """Runs on their way to a block."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._runs: list[TextRun] = []
        self._words: list[str] = []
        self.href = ""
        self.level = 0

    def take(self, text: str) -> None:
        self._words.append(text)

    def lead(self, href: str) -> None:
        """From here on the words lead there; empty for nowhere."""
        self._close_run()
        self.href = href

    def close(self) -> None:
        """The paragraph ends; a link may go on in the next."""
        self._close_run()
        runs, self._runs, level, self.level = self._runs, [], self.level, 0
        self._draft.add(runs, level)

    def _close_run(self) -> None:
        if self._words:
            self._runs.append(TextRun("".join(self._words), self.href))
            self._words = []


# ── DOCX ──


def read_docx(body: bytes, draft: Draft) -> None:
    """Read a document of Word."""
    if body.startswith(_OLE):
        if _LOCKED in body:
            raise encrypted("it needs a password")
        raise broken("a document of an older Word, not DOCX")
    bundle = Bundle(body)
    if _DOCUMENT not in bundle:
        raise broken(f"it has no {_DOCUMENT}")
    said = texts_of(bundle, "docProps/core.xml", _CORE)
    day = day_of(said.get("created", "")) or day_of(said.get("modified", ""))
    styles = _Styles(bundle)
    draft.name(
        title=said.get("title", ""),
        author=said.get("creator", ""),
        language=said.get("language", "") or styles.language,
        day=day,
    )
    reader = _DocxReader(draft, styles.levels, _hyperlinks(bundle))
    read_xml(bundle, _DOCUMENT, reader.start, reader.end, reader.text)


class _Styles:
    """Which style is a heading of which level. The ids are in the language of the writer; the names are always English."""

    def __init__(self, bundle: Bundle) -> None:
        self.levels: dict[str, int] = {"Title": 1}
        self.language = ""
        self._id = ""
        read_xml(bundle, "word/styles.xml", self._start, lambda _: None, lambda _: None)

    def _start(self, tag: str, attributes: Mapping[str, str]) -> None:
        value = attributes.get("val", "")
        match tag:
            case "style":
                self._id = attributes.get("styleId", "")
            case "name" if value.lower().startswith("heading ") and len(self.levels) < _MOST_STYLES:
                self.levels[self._id] = _level(value[8:])
            case "name" if value.lower() == "title":
                self.levels[self._id] = 1
            case "lang" if not self.language:
                self.language = value


def _level(digits: str) -> int:
    """A level from 1 to 6; 0 if that is no number of one."""
    return min(int(digits), 6) if digits in {"1", "2", "3", "4", "5", "6", "7", "8", "9"} else 0


def _hyperlinks(bundle: Bundle) -> dict[str, str]:
    found: dict[str, str] = {}

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "Relationship" and attributes.get("Type", "").endswith("/hyperlink"):
            found[attributes.get("Id", "")] = attributes.get("Target", "")

    read_xml(bundle, "word/_rels/document.xml.rels", start, lambda _: None, lambda _: None)
    return found


class _DocxReader:
    """The handlers of `word/document.xml`."""

    def __init__(self, draft: Draft, levels: Mapping[str, int], hyperlinks: Mapping[str, str]) -> None:
        self._paragraphs = _Paragraphs(draft)
        self._levels, self._hyperlinks = levels, hyperlinks
        self._here = ""
        self._field = ""
        self._skipped = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        # A drawing stands there twice: for programs that know its newer form, and for others.
        if tag == "Fallback" or self._skipped:
            self._skipped += tag == "Fallback"
            return
        value = attributes.get("val", "")
        match tag:
            case "t" | "instrText":
                self._here = tag
            case "tab" | "br" | "cr":
                self._paragraphs.take(" ")
            case "pStyle":
                self._paragraphs.level = self._levels.get(value, self._paragraphs.level)
            case "outlineLvl":
                self._paragraphs.level = _level(str(int(value) + 1)) if value.isdecimal() and len(value) == 1 else 0
            case "hyperlink":
                self._paragraphs.lead(self._hyperlinks.get(attributes.get("id", ""), ""))
            case "fldSimple":
                self._paragraphs.lead(hyperlink_of(attributes.get("instr", "")))
            case "fldChar":
                self._at_field(attributes.get("fldCharType", ""))

    def _at_field(self, kind: str) -> None:
        if kind == "separate":
            self._paragraphs.lead(hyperlink_of(self._field))
        elif kind == "end":
            self._paragraphs.lead("")
        self._field = ""

    def end(self, tag: str) -> None:
        if self._skipped:
            self._skipped -= tag == "Fallback"
            return
        match tag:
            case "t" | "instrText":
                self._here = ""
            case "p":
                self._paragraphs.close()
            case "hyperlink" | "fldSimple":
                self._paragraphs.lead("")
            case "tc":
                self._paragraphs.take(" ")

    def text(self, said: str) -> None:
        if self._skipped:
            return
        if self._here == "t":
            self._paragraphs.take(said)
        elif self._here == "instrText" and len(self._field) < _LONGEST_FIELD:
            self._field += said


def hyperlink_of(instruction: str) -> str:
    """Where a field leads: `HYPERLINK "http://a.example/"`; empty if it is another field."""
    word, _, rest = instruction.strip().partition(" ")
    if word.upper() != "HYPERLINK":
        return ""
    rest = rest.strip()
    if rest.startswith("\\"):
        return ""  # a place in the document itself
    return rest[1:].partition('"')[0] if rest.startswith('"') else rest.partition(" ")[0]


# ── ODT ──


def read_odt(body: bytes, draft: Draft) -> None:
    """Read a text document of LibreOffice and the like."""
    bundle = Bundle(body)
    if "content.xml" not in bundle:
        raise broken("it has no content.xml")
    if b"encryption-data" in bundle.read("META-INF/manifest.xml"):
        raise encrypted("it needs a password")
    said = texts_of(bundle, "meta.xml", _META)
    author = said.get("initial-creator") or said.get("creator", "")
    day = day_of(said.get("creation-date", "")) or day_of(said.get("date", ""))
    draft.name(title=said.get("title", ""), author=author, language=said.get("language", ""), day=day)
    reader = _OdtReader(draft)
    read_xml(bundle, "content.xml", reader.start, reader.end, reader.text)


class _OdtReader:
    """The handlers of `content.xml`."""

    _LEFT_OUT = frozenset({"tracked-changes", "annotation", "automatic-styles", "forms"})

    def __init__(self, draft: Draft) -> None:
        self._paragraphs = _Paragraphs(draft)
        self._within = self._skipped = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in self._LEFT_OUT or self._skipped:
            self._skipped += tag in self._LEFT_OUT
            return
        match tag:
            case "p" | "h":
                if not self._within:
                    self._paragraphs.level = (_level(attributes.get("outline-level", "1")) or 6) if tag == "h" else 0
                self._within += 1
            case "a":
                self._paragraphs.lead(attributes.get("href", ""))
            case "s" | "tab" | "line-break":
                self._paragraphs.take(" ")

    def end(self, tag: str) -> None:
        if self._skipped:
            self._skipped -= tag in self._LEFT_OUT
            return
        match tag:
            case "p" | "h":
                self._within -= 1
                if self._within:
                    self._paragraphs.take(" ")  # a frame in a paragraph
                else:
                    self._paragraphs.close()
            case "a":
                self._paragraphs.lead("")

    def text(self, said: str) -> None:
        if self._within and not self._skipped:
            self._paragraphs.take(said)
