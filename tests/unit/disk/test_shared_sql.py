import time

import pytest

from thresher.disk.shared_sql import numbered, translated, translated_values


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("SELECT ? + ?", "SELECT %s + %s"),
        ("SELECT ?1, ?12, ?1", "SELECT %(p1)s, %(p12)s, %(p1)s"),
        ("SELECT :name, :other_2", "SELECT %(name)s, %(other_2)s"),
        ("SELECT a % ? = 0", "SELECT a %% %s = 0"),
        ("SELECT a::text, :a::text", "SELECT a::text, %(a)s::text"),
        ("SELECT '?:x 5% it''s main.visit'", "SELECT '?:x 5%% it''s main.visit'"),
        ('SELECT "a?:b%main.x"', 'SELECT "a?:b%%main.x"'),
        ("SELECT 1 -- why? 5% of :all in main.visit\n, ?", "SELECT 1 -- why? 5%% of :all in main.visit\n, %s"),
        ("FROM main.visit JOIN temp.chosen", 'FROM "iris".visit JOIN pg_temp.chosen'),
        ('FROM main."visit"', 'FROM "iris"."visit"'),
        ("SELECT domain.x, a.main.b, main, temp", "SELECT domain.x, a.main.b, main, temp"),
        ("CREATE TABLE a (b) WITHOUT ROWID", "CREATE TABLE a (b) "),
        ("SELECT json_extract(facts, '$.licence')", "SELECT json_extract(facts, '$.licence')"),
        ("", ""),
    ],
)
def test_postgresql_is_told_the_same_in_its_own_words(ours, theirs):
    assert translated(ours, "iris") == theirs


def test_without_a_schema_the_table_is_named_alone():
    assert translated("SELECT 1 FROM main.visit") == "SELECT 1 FROM visit"


def test_values_that_are_known_by_number_get_names():
    assert translated_values("SELECT ?1 + ?2", (3, 4)) == {"p1": 3, "p2": 4}
    assert translated_values("SELECT ? + ?", (3, 4)) == (3, 4)
    assert translated_values("SELECT '?1', ?", (3,)) == (3,)
    assert translated_values("SELECT :a", {"a": 1}) == {"a": 1}


@pytest.mark.parametrize("piece", ["'", '"', "?", ":a", "%", "main.", "-", "--", "'x' ", "WITHOUT "])
def test_time_grows_as_the_text_does(piece):
    def seconds(count):
        begun = time.process_time()
        translated(piece * count)
        return time.process_time() - begun

    assert seconds(200_000) < 5.0


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT 1", ("SELECT 1", ())),
        ("SELECT %s, %b, '%%s'", ("SELECT $1, $2, '%s'", ())),
        ("SELECT %(b)s, %(a)s, %(b)s", ("SELECT $1, $2, $1", ("b", "a"))),
    ],
)
def test_placeholders_have_numbers_for_the_server(sql, expected):
    assert numbered(sql) == expected
