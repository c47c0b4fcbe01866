from thresher.model import Link, Response, Url

URL = Url("http://a.example/")
TEXT = "  The coloured  part is called iris.\n It surrounds the pupil, a hole in the middle of the eye"


def link(anchor: str) -> Link:
    start = TEXT.index(anchor)
    return Link(URL, URL, TEXT, start, start + len(anchor))


def test_an_anchor_is_its_words_without_needless_blanks():
    assert link("coloured  part").anchor == "coloured part"


def test_context_is_so_many_words_on_each_side():
    assert link("pupil").context(2) == "surrounds the pupil, a"


def test_context_has_blanks_only_where_the_page_has_some():
    assert link("iris").context(1) == "called iris."


def test_context_at_the_edges_is_what_there_is():
    assert link("eye").context(3) == "middle of the eye"
    assert link("The").context(1) == "The coloured"


def test_an_empty_anchor_has_a_context_too():
    assert Link(URL, URL, TEXT, 0, 0).context(2) == "The coloured"


def test_headers_are_found_in_any_case():
    assert Response(URL, 200, ((b"Content-TYPE", b"text/html"),), b"", b"").header("content-type") == "text/html"
    assert Response(URL, 200, (), b"", b"").header("content-type") is None
