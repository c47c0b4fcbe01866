"""Each format becomes a page: its words, headings, links, and what it says of itself."""

from contextlib import suppress
from pathlib import Path

import pytest
from tests.unit.documents import made

from thresher.documents.draft import MOST_CHARACTERS, DocumentFault, Draft, EnoughRead, TextRun, day_of
from thresher.documents.page_maker import page_of_document
from thresher.model import Rendition, Response, Url
from thresher.parse.html import HtmlParser

URL = Url("http://a.example/eye")
TYPE = ((b"Content-Type", b"application/x"),)


def page_of(kind, body, content_type=""):
    """The page that a crawl sees."""
    html = page_of_document(kind, body, content_type)
    return HtmlParser().parse(Response(URL, 200, TYPE, body, body, rendition=Rendition(html, kind)))


def links_of(page):
    return {link.target: link.anchor for link in page.links}


def fault_of(kind, body):
    with pytest.raises(DocumentFault) as found:
        page_of_document(kind, body)
    return found.value.why


# ── PDF ──


@pytest.fixture
def pdf():
    pytest.importorskip("pypdfium2", reason="the extra documents is not installed")
    return made.pdf


def test_a_pdf_has_its_title_author_day_and_language(pdf):
    page = page_of("pdf", pdf(["x"], info="/Title (Iris) /Author (A. Author) /CreationDate (D:20240506070809Z)"))
    assert (page.title, page.language) == ("Iris", "en")
    assert dict(page.facts) == {"medium": "pdf", "author": "A. Author", "published": "2024-05-06"}


def test_a_pdf_without_a_title_is_named_by_its_first_words(pdf):
    assert page_of("pdf", pdf(["The iris of the eye"], ["more"])).title == "The iris of the eye"


def test_the_link_of_an_annotation_has_the_words_under_it(pdf):
    page = page_of(
        "pdf", pdf(["The iris.", "see the pupil", "Last."], link=("http://a.example/pupil", "see the pupil"))
    )
    assert links_of(page) == {"http://a.example/pupil": "see the pupil"}


def test_an_address_in_the_text_of_a_pdf_is_a_link(pdf):
    page = page_of("pdf", pdf(["Look at https://www.example.org/iris for more"]))
    assert links_of(page) == {"https://www.example.org/iris": "https://www.example.org/iris"}


def test_the_outline_of_a_pdf_gives_the_headings(pdf):
    page = page_of(
        "pdf", pdf(["The iris", "It is round."], ["The pupil", "It is black."], outline=["The iris", "The pupil"])
    )
    assert page.headings == ("The iris", "The pupil")
    assert page.text.count("The pupil") == 1


def test_words_parted_at_line_ends_are_whole_again(pdf):
    assert "transparent layer" in page_of("pdf", pdf(["a trans-", "parent layer of 2024-", "2025"])).text
    assert "2024- 2025" in page_of("pdf", pdf(["a trans-", "parent layer of 2024-", "2025"])).text


def test_pages_of_a_pdf_are_paragraphs(pdf):
    assert page_of("pdf", pdf(["first page"], ["second page"])).text == "first page\nsecond page"


def test_an_encrypted_pdf_is_named_so(pdf):
    assert fault_of("pdf", made.ENCRYPTED_PDF) == "document-encrypted"


@pytest.mark.parametrize("body", [b"", b"hello", b"%PDF-1.7\n" + b"\0" * 1000])
def test_what_is_no_pdf_is_broken(pdf, body):
    assert fault_of("pdf", body) == "document-broken"


def test_a_pdf_that_was_cut_off_is_broken_or_read_as_far_as_it_goes(pdf):
    whole = pdf(*[[f"page {number}"] for number in range(50)])
    seen = set()
    for size in range(0, len(whole), len(whole) // 40):
        try:
            page_of_document("pdf", whole[:size])
            seen.add("read")
        except DocumentFault as fault:
            seen.add(fault.why)
    assert seen <= {"read", "document-broken"}
    assert "document-broken" in seen


def test_a_cross_reference_that_leads_to_itself_ends(pdf):
    body = pdf(["x"])
    place = body.rindex(b"startxref\n")
    start = int(body[place:].split()[1])
    loop = body[:place].replace(b"/Info 4 0 R", b"/Info 4 0 R /Prev %d" % start) + body[place:]
    assert b"x" in page_of_document("pdf", loop)


def test_a_tree_of_100000_pages_is_read_as_far_as_a_page_is(pdf):
    """All are the same page: to announce them takes a few bytes each."""
    kids = b" ".join([b"10 0 R"] * 100_000)
    body = pdf(["The iris of the eye"]).replace(b"/Count 1 /Kids [10 0 R]", b"/Count 100000 /Kids [" + kids + b"]")
    text = page_of("pdf", body).text
    assert text.startswith("The iris of the eye")
    assert len(text) <= MOST_CHARACTERS


def test_a_tree_of_pages_that_leads_to_itself_ends(pdf):
    assert page_of("pdf", pdf(["x"]).replace(b"/Kids [10 0 R]", b"/Kids [ 2 0 R]")).text == ""


@pytest.mark.parametrize("path", sorted(Path("/usr/share/doc").glob("**/*.pdf"))[:5] or [None], ids=str)
def test_a_pdf_of_the_systems_own_documentation_has_words_and_links(pdf, path):
    if path is None:
        pytest.skip("no package here brings a PDF; apt install shared-mime-info has one")
    page = page_of("pdf", path.read_bytes())
    assert page.title
    assert len(page.text.split()) > 500
    assert page.links


# ── DOCX and ODT ──

PARAGRAPHS = (
    '<w:p><w:pPr><w:pStyle w:val="berschrift2"/></w:pPr><w:r><w:t>The iris</w:t></w:r></w:p>'
    '<w:p><w:r><w:t xml:space="preserve">See </w:t></w:r><w:hyperlink r:id="r1"><w:r><w:t>the </w:t></w:r><w:r><w:t>pupil</w:t></w:r>'
    "</w:hyperlink><w:r><w:t> &amp; more.</w:t></w:r></w:p>"
)


def test_a_docx_has_its_title_author_day_and_language():
    page = page_of("docx", made.docx(PARAGRAPHS))
    assert (page.title, page.language) == ("Iris", "en")
    assert dict(page.facts) == {"medium": "docx", "author": "A. Author", "published": "2024-05-06"}


def test_a_docx_has_headings_by_style_and_links_by_relationship():
    page = page_of("docx", made.docx(PARAGRAPHS))
    assert page.headings == ("The iris",)
    assert page.text == "The iris\nSee the pupil & more."
    assert links_of(page) == {"http://a.example/pupil": "the pupil"}


def test_the_field_of_an_older_docx_is_a_link():
    field = (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "http://a.example/x" </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>here</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
        "<w:r><w:t> and on</w:t></w:r></w:p>"
    )
    assert links_of(page_of("docx", made.docx(field))) == {"http://a.example/x": "here"}


def test_what_was_deleted_from_a_docx_is_not_read():
    deleted = "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>stays</w:t></w:r></w:p>"
    assert page_of("docx", made.docx(deleted)).text == "stays"


def test_a_docx_with_a_password_is_encrypted():
    locked = bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 500 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 500
    assert fault_of("docx", locked) == "document-encrypted"
    assert fault_of("docx", locked[:400]) == "document-broken"


def test_an_odt_has_all_of_it_too():
    body = (
        '<text:h text:outline-level="2">The iris</text:h><text:p>See <text:a xlink:href="http://a.example/pupil">the '
        "<text:span>pupil</text:span></text:a><text:s/>now.</text:p><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>"
    )
    page = page_of("odt", made.odt(body))
    assert (page.title, page.language, page.headings) == ("Iris", "en", ("The iris",))
    assert page.text == "The iris\nSee the pupil now."
    assert links_of(page) == {"http://a.example/pupil": "the pupil"}
    assert page.fact("author"), page.fact("published") == ("A. Author", "2024-05-06")


def test_an_odt_with_a_password_is_encrypted():
    assert fault_of("odt", made.odt("", "<manifest><encryption-data/></manifest>")) == "document-encrypted"


# ── EPUB, RTF, Markdown ──


def test_a_book_is_read_in_the_order_of_its_spine():
    chapters = {
        "b.xhtml": "<h2>The iris</h2><p>Round &amp; and <a href='http://a.example/pupil'>the pupil</a>, <a href='a.xhtml'>next</a>.</p>",
        "a.xhtml": "<p>Second.</p>",
    }
    page = page_of("epub", made.epub(chapters))
    assert (page.title, page.language, page.fact("author")) == ("Iris", "en", "A. Author")
    assert page.text == "The iris\nRound & and the pupil, next.\nSecond."
    assert page.headings == ("The iris",)
    assert links_of(page) == {"http://a.example/pupil": "the pupil"}, "what leads into the book itself is no link"


def test_a_book_with_drm_is_encrypted():
    locks = '<encryption><EncryptedData><CipherReference URI="OEBPS/a.xhtml"/></EncryptedData></encryption>'
    assert (
        fault_of("epub", made.epub({"a.xhtml": "<p>x"}, **{"META-INF__encryption.xml": locks})) == "document-encrypted"
    )


def test_rtf_has_headings_links_signs_and_no_pictures():
    page = page_of("rtf", made.RTF)
    assert (page.title, page.language, page.headings) == ("Iris", "en", ("The iris",))
    assert page.text == "The iris\nCafé é and 😀: the pupil is black.\nLast words."
    assert links_of(page) == {"http://a.example/pupil": "the pupil"}
    assert dict(page.facts) == {"medium": "rtf", "author": "A. Author", "published": "2024-05-06"}


def test_markdown_has_headings_and_links_and_its_html_is_text():
    pytest.importorskip("markdown_it", reason="the extra documents is not installed")
    said = b"# The iris\n\nSee [the *pupil*](http://a.example/pupil) `[no](link)` <b>bold</b>\n\n- https\n\n```\ncode\n```\n"
    page = page_of("md", said)
    assert (page.title, page.headings) == ("The iris", ("The iris",))
    assert page.text == "The iris\nSee the pupil [no](link) <b>bold</b>\nhttps\ncode"
    assert links_of(page) == {"http://a.example/pupil": "the pupil"}


def test_markdown_in_another_charset_is_read_by_its_label():
    pytest.importorskip("markdown_it", reason="the extra documents is not installed")
    assert page_of("md", "# Глаз\n".encode("cp1251"), "text/markdown; charset=windows-1251").title == "Глаз"


# ── what strangers send ──


def test_what_a_stranger_wrote_is_escaped():
    evil = "<w:p><w:r><w:t>&lt;script&gt;x&lt;/script&gt;&lt;a href=http://evil.example/&gt;</w:t></w:r></w:p>"
    core = f"<cp {made.DC}><dc:title>&lt;/title&gt;&lt;base href=http://evil.example/&gt;</dc:title></cp>"
    page = page_of("docx", made.docx(evil, **{"docProps__core.xml": core}))
    assert page.links == ()
    assert page.title == "</title><base href=http://evil.example/>"
    assert page.text.startswith("<script>x</script>")


def test_a_zip_bomb_is_too_large():
    bomb = made.docx("", **{"word__document.xml": b"<w:document>" + (b" " * 1_000_000 + b"<w:p/>") * 80})
    assert len(bomb) < 200_000
    assert fault_of("docx", bomb) == "document-too-large"


def test_an_xml_bomb_is_broken():
    lol = '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><x>&b;</x>'
    assert fault_of("docx", made.docx("", **{"word__document.xml": lol})) == "document-broken"
    outside = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'
    assert fault_of("odt", made.zipped({"content.xml": outside})) == "document-broken"


@pytest.mark.parametrize("kind", ["docx", "odt", "epub"])
def test_a_zip_of_other_things_is_broken(kind):
    assert fault_of(kind, made.zipped({"a.txt": "hello"})) == "document-broken"
    assert fault_of(kind, b"PK\x03\x04nonsense") == "document-broken"


def test_elements_too_deep_are_broken():
    assert fault_of("docx", made.docx("<w:p>" * 5_000 + "</w:p>" * 5_000)) == "document-broken"


def test_groups_too_deep_are_broken():
    assert fault_of("rtf", b"{\\rtf1" + b"{" * 1_000_000) == "document-broken"


def test_a_long_address_that_is_used_ten_thousand_times_makes_no_long_page():
    draft, far = Draft(), "http://a.example/?" + "'" * 1_900
    with suppress(EnoughRead):
        for number in range(10_000):
            draft.add([TextRun("iris", f"{far}{number % 2}")])
    assert len(draft.html()) < 8_000_000
    assert len(draft.blocks) == 10_000


def test_a_very_long_document_is_read_as_far_as_a_page_is():
    page = page_of("rtf", b"{\\rtf1 " + b"iris of the eye\\par " * 200_000 + b"}")
    assert 0.5 * MOST_CHARACTERS < len(page.text) <= MOST_CHARACTERS


@pytest.mark.parametrize("text", ["D:99991399", "0000-00-00", "²²²²²²²²", "", "D:", "yesterday"])
def test_what_is_no_day_is_none(text):
    assert day_of(text) == ""
