import hashlib
import re
from collections import Counter
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from thresher.errors import BadInput
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.vocabulary import LANGUAGES, dictionary, entries, iris_vocabulary, terms
from thresher.language.dictionaries import find_dictionary
from thresher.language.word_transcriptor import WordTranscriptor

DEVANAGARI = re.compile(r"[\u0900-\u097f]")


def body(web: GeneratedWeb, url: str) -> bytes:
    parts = urlsplit(url)
    answer = web.page(parts.netloc, parts.path)
    assert answer is not None, url
    return answer.body


def tree(web: GeneratedWeb, url: str) -> LexborHTMLParser:
    return LexborHTMLParser(body(web, url).decode())


def digest(web: GeneratedWeb) -> str:
    whole = hashlib.sha256()
    for url in web.urls(8080):
        whole.update(url.encode() + body(web, url))
    return whole.hexdigest()[:32]


def test_without_mixed_pages_every_byte_is_as_it_was_before_there_were_any():
    assert digest(generate(60, 4, seed=5)) == "3d5cea16b3cb555a7fe31a1d11fc6edb"
    shaped = generate(40, 3, links=30, words=400, honesty=0.5, locality=0.2, seed=9, dressed=True, language="de")
    assert digest(shaped) == "b7068c7fb9fb3fdf013771915deedcc9"


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
def test_the_share_of_mixed_pages_is_exact(share):
    web = generate(200, 5, seed=2, mixed=share)
    assert sum(map(web.is_mixed, web.urls())) == 200 * share


def test_a_larger_share_keeps_the_mixed_pages_of_a_smaller_one_and_all_topics():
    few, many = generate(200, 5, seed=2, mixed=0.2), generate(200, 5, seed=2, mixed=0.5)
    for one, other in zip(few.urls(), many.urls(), strict=True):
        assert few.is_mixed(one) <= many.is_mixed(other)
        assert few.topic_of(one) == many.topic_of(other)


def test_titles_and_headings_of_mixed_pages_are_in_hindi_and_those_of_others_are_not():
    web = generate(200, 5, seed=2, mixed=0.2)
    for url in web.urls():
        page = tree(web, url)
        title = page.css_first("h1").text()
        home = urlsplit(url).path == "/"
        assert bool(DEVANAGARI.search(title)) == (web.is_mixed(url) and not home)
        if not web.is_mixed(url):
            main = page.css_first("main")
            for node in main.css("a, h3"):  # a link to a mixed page is in Hindi, and so is that page's name
                node.decompose()
            assert not DEVANAGARI.search(main.text())


def test_honest_links_are_in_the_language_of_the_page_behind_them():
    web = generate(200, 5, seed=2, mixed=0.3)
    generic = set(iris_vocabulary().common.generic)
    seen = Counter()
    for url in web.urls():
        for node in tree(web, url).css("a[href]"):
            target = urljoin(url, node.attributes["href"])
            if node.text() not in generic and urlsplit(target).path not in ("/", "/members/"):
                foreign = bool(DEVANAGARI.search(node.text()))
                assert foreign == web.is_mixed(target)
                seen[foreign] += 1
    assert seen[True] > 100
    assert seen[False] > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mixed_page_has_none_of_its_topics_terms_in_english(language):
    web = generate(150, 6, seed=4, mixed=1.0, language=language)
    home = [url for url in web.urls() if urlsplit(url).path == "/"]
    for url in set(web.urls()) - set(home):
        page = tree(web, url)
        for node in page.css("main a"):  # sites have English names
            node.decompose()
        text = " ".join(node.text() for node in page.css("main h1, main h2, main p")).lower()
        lexicon = terms(web.topic_of(url), language)
        single = {each.lower() for each in lexicon if " " not in each} - {each.lower() for each in lexicon.values()}
        assert not set(re.findall(r"[a-z]+", text)) & single


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mixed_web_hangs_together(language):
    web = generate(90, 4, seed=6, mixed=0.4, language=language)
    seen = {web.url(0)}
    waiting = list(seen)
    while waiting:
        url = waiting.pop()
        targets = {urljoin(url, node.attributes["href"]) for node in tree(web, url).css("a[href]")}
        new = {each for each in targets if not each.endswith("/members/")} - seen
        seen |= new
        waiting += new
    assert seen == set(web.urls())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_thing_and_every_section_of_every_topic_is_translated(language):
    for subject in iris_vocabulary().subjects:
        table = terms(subject.name, language)
        bare = {re.sub(r"^(the|an?) ", "", thing) for thing in subject.things}
        assert not (bare | set(subject.sections)) - set(table)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_webs_own_dictionary_gives_the_english_back(tmp_path: Path, language):
    lines = ("\t".join((entry.word, *entry.translations)) for entry in entries(language))
    (tmp_path / f"{language}-en.tsv").write_text("\n".join(lines), "utf-8")
    found = find_dictionary(language, "en", [tmp_path])
    assert found is not None
    read, made = found.open(), dictionary(language)
    for english, foreign in terms("eye", language).items():
        assert english in made.get(foreign)
        assert read.get(foreign) == made.get(foreign)


def test_a_transcriptor_with_the_webs_own_dictionary_reads_a_mixed_page():
    web = generate(200, 5, seed=2, mixed=0.5)
    url = next(url for url in web.urls() if web.is_mixed(url) and web.topic_of(url) == "eye" and url[-1] != "/")
    text = tree(web, url).css_first("main").text()
    read = WordTranscriptor({"hi": dictionary("hi")}).transcribe(text)
    assert "cornea" not in text
    assert {"iris", "pupil", "cornea", "retina"} <= set(re.findall(r"[a-z]+", read))


@pytest.mark.parametrize(("language", "least"), [("hi", 0.7), ("de", 0.7)])
def test_debians_dictionaries_know_a_word_of_most_terms(language, least):
    found = find_dictionary(language, "en", [Path("/usr/share/dictd")])
    if found is None:
        pytest.skip(f"no {language}-en dictionary in /usr/share/dictd: apt-get install dict-freedict-…")
    opened = found.open()
    every = [foreign for subject in iris_vocabulary().subjects for foreign in terms(subject.name, language).values()]
    known = [term for term in every if opened.get(term) or any(opened.get(word) for word in term.split()[::2])]
    assert len(known) >= least * len(every)


def test_a_share_outside_0_to_1_or_a_language_without_words_is_refused():
    with pytest.raises(BadInput, match="mixed is 2"):
        generate(mixed=2)
    with pytest.raises(BadInput, match="'fr', but must be one of 'hi', 'de'"):
        generate(mixed=0.1, language="fr")
