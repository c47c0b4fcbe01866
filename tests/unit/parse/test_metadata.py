import pytest
from tests.unit.parse.page_of import page_of


@pytest.mark.parametrize(
    ("content", "follow", "index"),
    [
        ("index, follow", True, True),
        ("NoFollow", False, True),
        ("noindex", True, False),
        ("noindex,nofollow", False, False),
        ("none", False, False),
        ("max-snippet:-1, noarchive", True, True),
        ("", True, True),
    ],
)
def test_meta_robots_says_whether_to_follow_and_to_keep(content, follow, index):
    page = page_of(f"<meta name=ROBOTS content='{content}'><a href=/x>x</a>")
    assert (page.follow, page.index) == (follow, index)
    assert len(page.links) == 1


def test_all_meta_robots_count_and_those_for_others_do_not():
    page = page_of(
        "<meta name=robots content=index><meta name=robots content=noindex><meta name=googlebot content=nofollow>"
    )
    assert (page.follow, page.index) == (True, False)
    assert not page_of("<meta name=Thresher content=nofollow>").follow


@pytest.mark.parametrize(
    ("value", "follow", "index"),
    [
        ("nofollow", False, True),
        ("noindex, nofollow", False, False),
        ("otherbot: noindex, nofollow", True, True),
        ("thresher: noindex, nofollow", False, False),
        ("otherbot: noindex, thresher: nofollow", False, True),
        ("*: none", False, False),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow", False, True),
    ],
)
def test_x_robots_tag_counts_for_all_or_for_us_by_name(value, follow, index):
    page = page_of("<p>x", ("Content-Type", "text/html"), ("X-Robots-Tag", value))
    assert (page.follow, page.index) == (follow, index)


def test_every_x_robots_tag_counts_for_plain_text_too():
    page = page_of("x", ("Content-Type", "text/plain"), ("x-robots-tag", "noindex"), ("X-ROBOTS-TAG", "nofollow"))
    assert (page.follow, page.index) == (False, False)
