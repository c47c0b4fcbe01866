import pytest
from tests.unit.parse.page_of import page_of

PROSE = "<p>" + "The iris flowers in early summer, and its roots keep well in dry sand. " * 4 + "</p>"
MENU = "<ul><li><a href=/home>Home</a><li><a href=/hiv>HIV</a><li><a href=/cancer>Cancer</a></ul>"


@pytest.mark.parametrize(
    "menu",
    [
        f"<nav>{MENU}</nav>",
        f"<header><h1>Site</h1>{MENU}</header>",
        f"<footer>{MENU}</footer>",
        f"<aside>{MENU}</aside>",
        f"<div role=navigation>{MENU}</div>",
        f"<div class='site main-menu'>{MENU}</div>",
        f"<div id=topNav>{MENU}</div>",
        f"<div class=sidebar_left>{MENU}</div>",
        f"<form><select><option>HIV<option>Cancer</select></form><nav>{MENU}</nav>",
        MENU,
        "<a href=/home>Home</a> | <a href=/hiv>HIV</a> | <a href=/cancer>Cancer</a>",
        "<table><tr><td><a href=/home>Home</a><td><a href=/hiv>HIV</a><td><a href=/cancer>Cancer</a></table>",
    ],
)
def test_menus_are_not_part_of_the_main_text(menu):
    page = page_of(f"{menu}<h2>Irises</h2>{PROSE}<p>See <a href=/blue>the blue one</a>, too.")
    assert "HIV" in page.text
    assert "HIV" not in page.main
    assert page.main.startswith("Irises\nThe iris flowers")
    flags = {link.anchor: link.navigation for link in page.links}
    assert flags == {"Home": True, "HIV": True, "Cancer": True, "the blue one": False}


@pytest.mark.parametrize("tag", ["main", "article", "div role=main"])
def test_main_and_article_are_preferred(tag):
    page = page_of(f"<p>Weather: mild and sunny today.</p><{tag}>{PROSE}</{tag.split()[0]}><p>Seen 12 times.</p>")
    assert page.main.startswith("The iris")
    assert "Weather" not in page.main
    assert "Seen" not in page.main


def test_all_articles_together_are_the_main_text():
    page = page_of(f"<p>Weather</p><article>{PROSE}</article><p>Between</p><article>{PROSE}</article>")
    assert page.main.count("The iris flowers") == 8
    assert "Between" not in page.main


def test_an_empty_main_is_not_believed():
    assert page_of(f"<main></main>{PROSE}").main.startswith("The iris")


def test_the_header_of_an_article_belongs_to_it():
    assert page_of(f"<article><header><h1>Irises</h1></header>{PROSE}</article>").main.startswith("Irises")


@pytest.mark.parametrize("name", ["content with-sidebar", "page menu", "nav-wrapper"])
def test_a_class_that_names_the_whole_page_is_not_believed(name):
    page = page_of(f"<div class='{name}'>{PROSE}<p>See <a href=/b>b</a></div>")
    assert page.main.startswith("The iris")
    assert not page.links[0].navigation


@pytest.mark.parametrize("name", ["menuhin", "navigate", "article-header", "landing-page-header", "social-science"])
def test_words_that_only_contain_a_hint_are_none(name):
    page = page_of(f"<div class={name}><p>Yehudi was a violinist.</div>{PROSE}")
    assert "Yehudi" in page.main


def test_a_page_of_links_is_a_page_too():
    links = "".join(f"<li><a href=/{n}>Flower number {n}</a>" for n in range(30))
    page = page_of(f"<nav>{MENU}</nav><h1>All flowers</h1><ul>{links}</ul>")
    assert "Flower number 7" in page.main
    assert "HIV" not in page.main
    assert {link.navigation for link in page.links if "Flower" in link.anchor} == {False}
    assert {link.navigation for link in page.links if "Flower" not in link.anchor} == {True}


def test_a_page_of_nothing_but_menus_is_its_menus():
    page = page_of(f"<nav>{MENU}</nav>")
    assert page.main == page.text


def test_two_links_in_a_row_are_no_menu():
    page = page_of(f"{PROSE}<ul><li><a href=/a>First iris</a><li><a href=/b>Second iris</a></ul>{PROSE}")
    assert "First iris" in page.main
    assert not any(link.navigation for link in page.links)


CONTENTS = "".join(f"<li><a href=/{number}>The chapter on irises, number {number}</a></li>" for number in range(40))


@pytest.mark.parametrize("main", ["<main>{}</main>", "<div role=main>{}</div>"])
def test_a_table_of_contents_in_a_declared_main_region_is_no_menu(main):
    page = page_of(f"<body><p>elsewhere</p>{main.format(f'<p>All chapters.</p><ul>{CONTENTS}</ul>')}")
    assert "number 39" in page.main
    assert not any(link.navigation for link in page.links)


@pytest.mark.parametrize("menu", ["<nav>{}</nav>", "<div class=sidebar>{}</div>"])
def test_what_a_page_calls_a_menu_is_one_in_its_main_region_too(menu):
    page = page_of(f"<body><main>{menu.format(f'<ul>{CONTENTS}</ul>')}<p>{'The iris is a flower. ' * 90}</main>")
    assert "number 39" not in page.main
    assert all(link.navigation for link in page.links)


def test_links_at_the_end_of_an_article_are_a_menu_still():
    page = page_of(f"<body><main><p>{'The iris is a flower. ' * 120}</p><ul>{CONTENTS}</ul></main>")
    assert "number 39" not in page.main
    assert all(link.navigation for link in page.links)
