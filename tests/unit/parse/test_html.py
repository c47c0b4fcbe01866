import pytest
from tests.unit.parse.page_of import HERE, anchors, page_of

from thresher.model import Rendition, Response
from thresher.parse.html import HtmlParser

SIGN = """<!doctype html><html lang="en-GB"><head><title> Wild
 irises </title><meta name=description content="All  about irises"></head>
<body><h1>Irises</h1><p>The ir<b>is</b> is a <i>flower</i>.<p>It grows<br>wet<table><tr><td>one<td>two</table>
<script>var x = "secret"</script><style>p {}</style><!-- comment --><template>shade</template></body></html>"""


def test_title_description_language_and_headings_are_found():
    page = page_of(SIGN)
    assert (page.title, page.description, page.language) == ("Wild irises", "All about irises", "en")
    assert page.headings == ("Irises",)


def test_inline_markup_splits_no_word_and_blocks_separate_words():
    assert page_of(SIGN).text.split("\n") == ["Irises", "The iris is a flower.", "It grows", "wet", "one", "two"]


@pytest.mark.parametrize("unseen", ["secret", "comment", "shade", "{}"])
def test_what_is_not_for_people_is_not_in_the_text(unseen):
    assert unseen not in page_of(SIGN).text


@pytest.mark.parametrize(
    "markup",
    [
        "<p hidden>ghost</p>",
        "<span hidden=''>ghost</span>",
        "<div\nhidden>gh<b>ost</b></div>",
        "<div style='color: red; DISPLAY : none'>ghost</div>",
        "<noscript><p>ghost</p></noscript>",
        "<svg><title>ghost</title><desc>ghost</desc><defs><text>ghost</text></defs><style>ghost</style></svg>",
        "<svg style='display:none'><text>ghost</text></svg>",
        "<div hidden><svg><text>ghost</text></svg></div>",
        "<ul hidden><li hidden>ghost<li>ghost</ul>",
    ],
)
def test_what_is_hidden_is_not_in_the_text(markup):
    page = page_of(f"<body><p>before</p>{markup}<p>after</p>")
    assert page.text == "before\nafter"
    assert page.title == ""


def test_soft_hyphens_split_no_word():
    assert page_of("<p>che&shy;mo&shy;therapy <a href=/x>ther&shy;apy</a>").text == "chemotherapy therapy"


def test_line_breaks_in_the_source_are_spaces():
    assert page_of("<p>one\n\n   two\t\nthree</p>\n\n  <p>\n four</p>").text.split("\n") == ["one two three", " four"]


def test_og_description_stands_in_for_a_missing_description():
    assert page_of("<meta property='og:description' content='From the graph'>").description == "From the graph"


@pytest.mark.parametrize(
    ("markup", "header", "language"),
    [
        ("<html lang=pt-BR>", "de", "pt"),
        ("<html xml:lang=HI>", "de", "hi"),
        ("<meta http-equiv=Content-Language content='tr, en'>", "de", "tr"),
        ("<p>", "de-AT", "de"),
        ("<html lang=''>", "", ""),
        ("<html lang='english'>", "", ""),
    ],
)
def test_the_language_is_the_one_declared_nearest_to_the_text(markup, header, language):
    assert page_of(markup, ("Content-Type", "text/html"), ("Content-Language", header)).language == language


def test_canonical_and_refresh_are_joined_to_the_base():
    head = "<base href='/other/'><link rel='Canonical' href=me.html>"
    page = page_of(head + "<meta http-equiv=Refresh content='5; URL=\"next.html\"'>")
    assert page.canonical == "http://example.org/other/me.html"
    assert page.refresh == "http://example.org/other/next.html"


@pytest.mark.parametrize("content", ["30", "0;", "5; url=page.html", "x", ""])
def test_a_refresh_that_only_loads_the_page_again_leads_nowhere(content):
    assert page_of(f"<meta http-equiv=refresh content='{content}'>").refresh is None


@pytest.mark.parametrize("content", ["0;url=b", "0; URL = b", "0;URL='b'", "0,b", "0 b", "0;b", "1.5;url=b"])
def test_a_refresh_may_be_written_in_many_ways(content):
    assert page_of(f'<meta http-equiv=refresh content="{content}">').refresh == "http://example.org/dir/b"


def test_plain_text_is_text_without_links():
    page = page_of(b"<a href=x>one</a>\r\n\r\n  two  three ", ("Content-Type", "text/plain"))
    assert page.text == page.main == "<a href=x>one</a>\ntwo three"
    assert (page.links, page.url) == ((), HERE)


def test_text_and_links_have_their_caps():
    page = page_of("".join(f"<p><a href=/{i}>word{i}</a>" for i in range(2000)), max_chars=1000, max_links=50)
    assert len(page.text) == 1000
    assert len(page.links) == 50
    assert all(0 <= link.start <= link.end <= 1000 for link in page.links)


def test_a_page_beyond_the_cap_of_tags_is_cut():
    page = page_of("".join(f"<p>word{i}" for i in range(20_000)), max_tags=12_000)
    assert "word11000" in page.text
    assert "word13000" not in page.text


def test_the_same_bytes_give_the_same_page():
    assert page_of(SIGN) == page_of(SIGN)


def test_what_is_bold_is_noted_each_once_and_stays_in_its_line():
    page = page_of("<p>The <b>iris</b> of an <strong>eye <b>is</b> round</strong> and <b></b>small.")
    assert page.bold == ("iris", "eye is round")
    assert page.text == "The iris of an eye is round and small."


def test_what_a_reader_made_of_an_answer_is_read_in_its_place():
    html = b"<html lang=de><title>Auge</title><p>Die Iris. <a href=more>weiter</a>"
    response = Response(
        HERE, 200, ((b"Content-Type", b"application/pdf"),), b"%PDF", b"%PDF", rendition=Rendition(html, "pdf")
    )
    page = HtmlParser().parse(response)
    assert (page.title, page.language, page.text) == ("Auge", "de", "Die Iris. weiter")
    assert anchors(page) == {"dir/more": "weiter"}


def test_words_that_are_drawn_are_read_each_on_its_line():
    drawing = (
        "<svg><title>no</title><g><text x=1>Sepal <tspan>le</tspan>ngth</text><text>Petal</text></g>"
        "<text><tspan x=0>first</tspan><tspan x=0 dy=9>second</tspan></text></svg>"
    )
    page = page_of(f"<body><p>before{drawing}after</p>")
    assert page.text.split("\n") == ["before", "Sepal length", "Petal", "first second", "after"]
    assert page.title == ""


def test_a_page_within_a_drawing_is_read():
    page = page_of("<body><svg><foreignObject><div>iris <b>blue</b></div></foreignObject><text>x</text></svg>")
    assert page.text.split("\n") == ["iris blue", "x"]


def test_a_link_in_a_drawing_has_the_words_that_are_drawn():
    (link,) = page_of("<body><svg><a href=/iris><text>The iris</text></a></svg>").links
    assert (link.target.rpartition("/")[2], link.anchor) == ("iris", "The iris")


def test_drawings_within_drawings_as_deep_as_one_likes_are_read():
    text = page_of("<body>" + "<svg><text>a<svg><foreignObject>" * 5_000 + "<p>end").text
    assert text.startswith("a")
