import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.seed.named_urls import seed_urls, seeds_in
from thresher.urls import canonical


@pytest.fixture
def seeds_of():
    return lambda content: seeds_in(content, "seeds.txt")


def test_a_file_has_one_url_a_line_in_order_and_each_once(seeds_of):
    assert seeds_of(b"http://b/\nhttp://a\r\n  HTTP://B  \nhttp://c/") == ["http://b/", "http://a/", "http://c/"]


def test_blank_lines_and_comments_do_not_count(seeds_of):
    assert seeds_of(b"# mine\n\n \t\nhttp://a/ # the first\n  # http://b/\nhttp://c/#top\n") == [
        "http://a/",
        "http://c/",
    ]


def test_a_byte_order_mark_and_other_alphabets_are_fine(seeds_of):
    assert seeds_of("\ufeffhttp://bücher.de/ü".encode()) == ["http://xn--bcher-kva.de/%C3%BC"]


def test_an_empty_file_has_no_seeds(seeds_of):
    assert seeds_of(b"") == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"example.org", "'example.org': no scheme; did you mean https://example.org/ ?"),
        (b"example.org/a b", "white space"),
        (b"localhost:8080/x", "no scheme; did you mean https://localhost:8080/x ?"),
        (b"//example.org/", "no scheme; did you mean https://example.org/ ?"),
        (b"[", "no scheme, and no host"),
        (b"ftp://example.org/", "ftp is not a scheme to crawl; http and https are"),
        (b"mailto:a@example.org", "mailto is not a scheme"),
        (b"http://", "not a url"),
        (b"http://h:99999/", "not a url"),
        (b"http://a/ http://b/", "one url each"),
        (b"http://a/\xff", "not UTF-8"),
    ],
)
def test_a_bad_line_is_named_with_its_place_and_what_is_wrong(seeds_of, line, words):
    with pytest.raises(BadInput, match=r"seeds\.txt, line 3: ") as error:
        seeds_of(b"http://a/\n# fine so far\n" + line + b"\nhttp://b/\n")
    assert words in str(error.value)


def test_a_binary_file_is_refused_at_its_first_line(seeds_of):
    with pytest.raises(BadInput, match="line 1: not UTF-8"):
        seeds_of("http://a/".encode("utf-16"))


def test_seeds_given_one_by_one_are_checked_alike():
    assert seed_urls(["http://b", " http://a/ ", "http://b/"]) == ["http://b/", "http://a/"]
    with pytest.raises(BadInput, match=r"seed: 'example\.org': no scheme; did you mean https://example\.org/ \?"):
        seed_urls(["http://a/", "example.org"])
    with pytest.raises(BadInput, match="empty"):
        seed_urls([" "])


@pytest.mark.parametrize("seed", [3, None, ["http://a/"], True])
def test_a_seed_that_is_no_text_is_named(seed):
    with pytest.raises(BadInput) as error:
        seed_urls(["http://a/", seed])
    assert str(error.value).startswith(f"seed: {seed!r}: not a text; a url in quotes is")


def test_a_seed_with_a_password_is_refused_and_the_password_is_not_repeated():
    with pytest.raises(
        BadInput, match=r"seed: 'http://a/x' is given with a user name or password; leave it out"
    ) as error:
        seed_urls(["http://me:secret@a/x"])
    assert "secret" not in str(error.value)
    with pytest.raises(BadInput, match=r"seeds\.txt, line 2: 'http://a/' is given with a user name"):
        seeds_in(b"http://b/\nhttp://me@a/\n", "seeds.txt")


def answer(read, *arguments):
    try:
        return read(*arguments)
    except BadInput as error:
        return str(error)


@given(st.binary())
def test_any_bytes_are_seeds_or_bad_input(content):
    found = answer(seeds_in, content, "bytes")
    assert found.startswith("bytes, line ") if isinstance(found, str) else [canonical(seed) for seed in found] == found


@given(st.lists(st.text(alphabet=st.characters())))
def test_any_texts_are_seeds_or_bad_input(texts):
    found = answer(seed_urls, texts)
    assert found.startswith("seed: ") if isinstance(found, str) else len(found) <= len(texts)
