"""Pages with little text: which of them are empty without scripts, and what their data say."""

import json

import pytest
from tests.unit.parse.page_of import HERE, page_of

from thresher.model import BROWSER, Rendition, Response
from thresher.parse.html import HtmlParser

PROSE = "The iris is a thin ring of muscle in the eye, and it decides how much light comes in."
BUNDLE = "<script src=/app.js></script>"
SHELLS = {
    "react": f"<body><noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>{BUNDLE}",
    "vue": f"<body><div id=app></div>{BUNDLE}",
    "next": f"<body><div id=__next></div>{BUNDLE}",
    "nuxt": "<body><div id=__nuxt></div><script type=module>import '/x.js'</script>",
    "angular": f"<body><app-root></app-root>{BUNDLE}",
    "old angular": f"<html ng-app><body><div ui-view></div>{BUNDLE}",
    "loading": f"<body><div class=spinner>Loading …</div>{BUNDLE}",
    "notice in German": f"<body><p>Willkommen</p><a href=/x>x</a><noscript>Bitte JavaScript aktivieren.</noscript>{BUNDLE}",
}
PAGES = {
    "short": f"<body><h1>Gone</h1><p>This page has moved to <a href=/x>another place</a>.</p>{BUNDLE}",
    "a counter in noscript": f"<body><p>Hello, <a href=/x>come in</a></p><noscript><img src=/count.gif></noscript>{BUNDLE}",
    "an app with text": f"<body><div id=root><p>{PROSE * 3}</p></div>{BUNDLE}",
    "menus made on the server": f"<body><div id=app><ul>{'<li><a href=/x>A menu of words</a>' * 60}</ul></div>{BUNDLE}",
    "a root without a script": "<body><div id=root></div>",
    "empty": "",
    "frames": "<frameset><frame src=/a></frameset>",
}


@pytest.mark.parametrize("name", SHELLS)
def test_a_page_that_scripts_would_fill_is_a_shell(name):
    assert page_of(SHELLS[name]).fact("shell") == "yes"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_is_only_short_is_no_shell(name):
    assert page_of(PAGES[name]).facts == ()


def test_a_page_that_a_browser_made_is_no_shell_even_if_it_is_empty():
    shell = SHELLS["react"].encode()
    response = Response(HERE, 200, (), shell, shell, rendition=Rendition(shell, BROWSER), notes=(("rendered", "yes"),))
    assert HtmlParser().parse(response).facts == (("rendered", "yes"),)


def test_linked_data_of_a_page_with_little_text_are_its_text():
    data = {"@type": "Article", "headline": "The iris", "articleBody": PROSE, "author": {"name": "A. Author"}}
    page = page_of(
        f"<body><p>Hello <script type=application/ld+json>{json.dumps(data)}</script>{BUNDLE}<div id=root></div>"
    )
    assert page.text == f"Hello \nThe iris\n{PROSE}\nA. Author"
    assert page.main.endswith("A. Author")


def test_data_of_a_framework_are_read_for_their_prose():
    props = {"page": {"body": f"<p>{PROSE}</p><script>let x</script>", "id": "a1b2c3" * 20, "twice": f"<p>{PROSE}</p>"}}
    props |= {"style": "color: red; margin: 0 auto; padding: 3px; display: none; width: 100%; top: 0", "short": "iris"}
    props |= {"query": "query { iris(id: 5) { name, parts { name }, pupil { width height } } } # and so on and on"}
    data = json.dumps(props).replace("</", "<\\/")
    page = page_of(f"<div id=__next></div><script id=__NEXT_DATA__ type=application/json>{data}</script>{BUNDLE}")
    assert page.text == PROSE


def test_prose_in_languages_without_blanks_is_read():
    said = "虹膜是眼球中的一层环形薄膜，位于角膜与晶状体之间，中央有瞳孔，虹膜的肌肉控制瞳孔的大小，从而调节进入眼睛的光线。"
    assert said in page_of(f"<div id=app></div><script type=application/json>{json.dumps([said])}</script>").text


def test_a_page_whose_data_say_enough_is_no_shell():
    data = json.dumps([PROSE, PROSE.replace("iris", "pupil"), PROSE.replace("eye", "cat")])
    assert page_of(f"<div id=app></div>{BUNDLE}<script type=application/json>{data}</script>").facts == ()


def test_data_of_a_page_with_enough_text_are_left_alone():
    data = json.dumps(["Something else is said here, in words that nobody sees on the page at all."])
    assert "nobody sees" not in page_of(f"<p>{PROSE * 3}<script type=application/json>{data}</script>").text


def test_links_keep_their_words_where_data_are_added():
    data = json.dumps([PROSE])
    page = page_of(f"<p>See <a href=/x>the pupil</a><script type=application/json>{data}</script>")
    assert [link.anchor for link in page.links] == ["the pupil"]


@pytest.mark.parametrize(
    "data", ["{", "[" * 10_000, "null", '"\\ud800 ' + "word " * 20 + '"', '["<' + "b" * 100 + '"]']
)
def test_data_that_make_no_sense_do_no_harm(data):
    page = page_of(f"<div id=app></div><script type=application/json>{data}</script>{BUNDLE}")
    assert (page.fact("shell"), page.links) == ("yes", ())


def test_of_endless_data_only_so_much_is_read():
    data = json.dumps([f"{PROSE} This is sentence number {number} of very many." for number in range(10_000)])
    assert 90_000 < len(page_of(f"<div id=app></div><script type=application/json>{data}</script>").text) < 120_000
