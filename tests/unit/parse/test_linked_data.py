"""Data that pages carry for programs."""

from selectolax.lexbor import LexborHTMLParser

from thresher.parse.linked_data import decoded, things, types_of
from thresher.parse.walk import walk


def head_of(html: str):
    return walk(LexborHTMLParser(html)).head


def test_objects_of_linked_data_are_found_in_lists_graphs_and_within_others():
    head = head_of(
        '<script type="application/ld+json">{"@graph": [{"@type": "Article", "author": {"@type": "Person", "name": "A"}}]}</script>'
        '<body><script type=" Application/LD+JSON ">[{"@type": ["https://schema.org/Event", "Thing"]}]</script>'
    )
    assert [types_of(thing) for thing in things(head.islands)] == [set(), {"Article"}, {"Person"}, {"Event", "Thing"}]


def test_data_of_other_kinds_is_kept_with_its_name_and_no_script_is():
    head = head_of('<script id=__NEXT_DATA__ type="application/json">{"a": 1}</script><script>var a = 1</script>')
    assert [(island.kind, island.name, island.text) for island in head.islands] == [
        ("data", "__NEXT_DATA__", '{"a": 1}')
    ]
    assert things(head.islands) == []


def test_what_is_no_json_or_too_deep_is_nothing():
    assert decoded("{") is None
    assert decoded("[" * 100_000) is None
    assert decoded('"\ud800"') is None


def test_no_more_than_a_thousand_objects_are_looked_at():
    head = head_of(f'<script type="application/ld+json">[{",".join(["{}"] * 5000)}]</script>')
    assert len(things(head.islands)) == 1000


def test_no_more_than_so_many_characters_of_data_are_kept():
    head = head_of(f'<script type="application/json">"{"x" * 900_000}"</script>' * 5)
    assert sum(len(island.text) for island in head.islands) <= 2_000_000


def test_relations_of_the_head_are_kept_and_the_canonical_one_apart():
    head = head_of(
        "<link rel=Alternate type=application/rss+xml href=/feed title=News><link rel=canonical href=/a>"
        "<link rel=next href=/2><link href=/no-rel><link rel=icon>"
    )
    assert [tuple(each) for each in head.relations] == [
        ("alternate", "/feed", "application/rss+xml", "", "News"),
        ("next", "/2", "", "", ""),
    ]
    assert head.canonical == "/a"
