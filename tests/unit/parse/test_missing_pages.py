import pytest
from tests.unit.parse.page_of import page_of

from thresher.model import Url
from thresher.parse.missing_pages import _HINTS, _MISSING

MENU = "<nav>" + "".join(f"<li><a href=/{n}>Irises, part {n}</a>" for n in range(60)) + "</nav>"
PROSE = "<p>" + "The iris is a flower of the garden, and a part of the eye. " * 60


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Page not found | Irises", "<h1>Page not found</h1><p>The requested page could not be found."),
        ("404 - Irises", "<p>Sorry, the page you are looking for does not exist."),
        ("Irises", "<h1>Error 404: Page not found</h1><p>We couldn't find the page."),
        ("Seite nicht gefunden – Schwertlilien", "<p>Die gesuchte Seite existiert nicht."),
        ("Page introuvable", "<p>La page que vous cherchez n'existe pas."),
        ("Página no encontrada", "<p>La página solicitada no existe."),
        ("ページが見つかりません", "<p>お探しのページは見つかりませんでした。ページが見つかりません"),
        ("Страница не найдена", "<p>Запрашиваемая страница не найдена."),
    ],
)
def test_a_page_that_says_that_it_is_not_there_is_a_soft_404(title, body):
    page = page_of(f"<title>{title}</title><body>{MENU}<main>{body}</main>")
    assert page.form == "soft-404"
    assert "part 7" not in page.main


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("HTTP 404 - Wikipedia", f"<h1>HTTP 404</h1><p>The requested page could not be found.{PROSE}"),
        ("Page not found", f"<h1>Page not found: the story of an error</h1>{PROSE}"),
        ("404", "<p>The highway that leads from the coast to the hills."),
        ("How to fix 404 errors", "<p>If a page cannot be found, the server answers with 404."),
        ("Not Found", "<p>A film of 1999."),
        ("HTTP 404", "<h1>HTTP 404</h1><p>The status 404 means that the requested page is not there."),
        ("404 Not Found - Glossary", "<p>The server cannot find the requested resource."),
        ("Oops! ... I did it again - lyrics", "<p>The page that you see here has lyrics."),
        ("Irises", "<p>The page you are looking for is the first of the book."),
        ("", ""),
    ],
)
def test_a_page_about_pages_that_are_not_there_is_a_page(title, body):
    assert page_of(f"<title>{title}</title><body>{MENU}<main>{body}</main>").form == "page"


@pytest.mark.parametrize(
    "markup",
    [
        "<title>irises.example</title><p>This domain is for sale. Related searches: irises, tulips",
        "<title>Welcome</title><p>Buy this domain<script src='//c.parkingcrew.net/x.js'></script>",
        "<title>irises.example - Diese Website steht zum Verkauf</title><p>Diese Domain steht zum Verkauf!",
        "<title>x</title><p>Ce nom de domaine est à vendre<script src=https://img.sedoparking.com/a.js></script>",
    ],
)
def test_a_domain_that_is_for_sale_is_parked(markup):
    assert page_of(markup, url=Url("http://www.irises.example/")).form == "parked"


@pytest.mark.parametrize(
    "markup",
    [
        "<title>Parked domains</title><p>A parked domain shows a page such as: buy this domain.",
        f"<title>irises.example</title><p>Buy this domain, said the letter.{PROSE}{PROSE}",
        "<title>irises.example</title><p>A domain for all who love irises.",
        "<title>Where to park</title><p>Domain Street has parking for sale.",
        f"<title>Irises</title><main>{PROSE[:2400]}</main><footer><a href=https://sedo.com/x>This domain is for sale</a></footer>",
    ],
)
def test_a_page_about_parking_is_a_page(markup):
    assert page_of(markup, url=Url("http://www.irises.example/")).form == "page"


def test_what_is_asked_first_passes_every_phrase():
    assert not [phrase for phrase in _MISSING if phrase.isascii() and not _HINTS.search(phrase)]
