import re
from collections import Counter
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from thresher.errors import BadInput
from thresher.lab.webs.atlas import loopback_hosts
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.vocabulary import iris_vocabulary

GENERIC = set(iris_vocabulary().common.generic)


def html(web: GeneratedWeb, url: str) -> str:
    parts = urlsplit(url)
    answer = web.page(parts.netloc, parts.path)
    assert answer is not None, url
    return answer.body.decode()


def links(web: GeneratedWeb, url: str) -> list[tuple[str, str]]:
    tree = LexborHTMLParser(html(web, url))
    return [(urljoin(url, node.attributes["href"]), node.text()) for node in tree.css("a[href]")]


def reached(web: GeneratedWeb, port: int | None = None) -> set[str]:
    seen = {web.url(0, port)}
    waiting = list(seen)
    while waiting:
        new = {target for target, _ in links(web, waiting.pop()) if not target.endswith("/members/")} - seen
        seen |= new
        waiting += new
    return seen


def test_a_page_is_the_same_whatever_was_asked_before():
    one, other = generate(seed=3), generate(seed=3)
    urls = list(one.urls(80))
    assert [html(one, url) for url in urls] == [html(other, url) for url in reversed(urls)][::-1]


def test_another_seed_makes_another_web():
    assert html(generate(seed=1), generate(seed=1).url(0)) != html(generate(seed=2), generate(seed=2).url(0))


@settings(deadline=None, max_examples=25)
@given(size=st.integers(1, 150), share=st.floats(0, 1), links_each=st.integers(0, 30), seed=st.integers(0, 2**31))
def test_every_page_can_be_reached_and_no_link_leads_nowhere(size, share, links_each, seed):
    web = generate(size, max(1, round(size * share)), links=links_each, words=30, seed=seed)
    urls = list(web.urls(8080))
    assert len(set(urls)) == size
    assert reached(web, 8080) == set(urls)


def test_links_carry_the_port_that_was_asked():
    web = generate()
    targets = [target for target, _ in links(web, web.url(0, 4123))]
    assert {urlsplit(target).port for target in targets} == {4123}
    assert {urlsplit(target).port for target, _ in links(web, web.url(0))} == {None}


def test_a_tenth_of_the_demo_is_about_the_eye():
    web = generate()
    topics = Counter(web.topic_of(url) for url in web.urls(80))
    assert 0.08 < topics["eye"] / topics.total() < 0.13
    assert topics["flower"] > 20


def test_every_page_names_every_topic_in_its_footer():
    web = generate()
    for url in web.urls():
        footer = LexborHTMLParser(html(web, url)).css_first("footer").text()
        assert "the iris of the eye" in footer
        assert "irises in the garden" in footer


def test_only_the_label_tells_the_topic_for_sure():
    web = generate()
    assert "topic" not in "".join(html(web, url) for url in web.urls())
    assert web.topic_of("http://eyeclinic.example:99/") == "eye"
    assert web.topic_of("http://eyeclinic.example/nothing") is None


@pytest.mark.parametrize(("locality", "least", "most"), [(1.0, 0.95, 1.0), (0.0, 0.0, 0.3)])
def test_locality_is_the_share_of_links_that_stay_on_topic(locality, least, most):
    web = generate(locality=locality, links=40)
    own = {url: web.topic_of(url) for url in web.urls(80)}
    article = [url for url in own if url.endswith(".html")]
    # Links to other hosts are drawn, never structural, except between home pages.
    drawn = [(url, to) for url in article for to, _ in links(web, url) if urlsplit(to).netloc != urlsplit(url).netloc]
    assert least <= sum(own[url] == own[to] for url, to in drawn) / len(drawn) <= most


@pytest.mark.parametrize("honesty", [0.0, 0.5, 1.0])
def test_honesty_is_the_share_of_anchors_that_say_what_is_behind_them(honesty):
    web = generate(honesty=honesty, links=40)
    anchors = [
        anchor for url in web.urls(80) for to, anchor in links(web, url) if urlsplit(to).netloc != urlsplit(url).netloc
    ]
    assert sum(anchor not in GENERIC for anchor in anchors) / len(anchors) == pytest.approx(honesty, abs=0.03)


def test_pages_have_about_as_many_links_and_words_as_asked():
    web = generate(600, loopback_hosts(6), links=63, words=3700)
    pages = [html(web, web.url(number)) for number in range(0, 600, 20)]
    assert sum(page.count("<a ") for page in pages) / len(pages) == pytest.approx(63, abs=5)
    assert sum(map(len, pages)) / len(pages) == pytest.approx(30_000, rel=0.15)


def test_what_is_not_there_is_none():
    web = generate()
    known = urlsplit(next(url for url in web.urls() if url.endswith(".html")))
    assert web.page(known.netloc, known.path)
    for host, path in [
        ("nobody.example", "/"),
        (known.netloc, known.path + "x"),
        (known.netloc, re.sub(r"\d+\.html", "999999.html", known.path)),
        (known.netloc, "/members/"),
    ]:
        assert web.page(host, path) is None


def test_some_hosts_have_members_only_and_say_so():
    web = generate(crawl_delay=2)
    guarded = [host for host in web.atlas.hosts if b"Disallow: /members/" in web.page(host, "/robots.txt").body]
    assert len(guarded) == 3
    for host in guarded:
        assert b"Crawl-delay: 2" in web.page(host, "/robots.txt").body
        assert (f"http://{host}/members/", "Members") in links(web, f"http://{host}/")
        assert web.page(host, "/members/")


def test_more_hosts_than_pages_are_refused():
    with pytest.raises(BadInput, match="3 pages cannot have 4 hosts"):
        generate(3, 4)


def test_topics_can_be_some_of_those_there_are():
    web = generate(size=200, hosts=6, topics=["eye", "bread"])
    assert {web.topic_of(url) for url in web.urls()} == {"eye", "bread"}


def test_topics_can_be_ones_own():
    eye = next(subject for subject in iris_vocabulary().subjects if subject.name == "eye")
    web = generate(30, 3, [eye])
    assert {web.topic_of(url) for url in web.urls()} == {"eye"}
