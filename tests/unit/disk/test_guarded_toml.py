import tomllib

import pytest

from thresher.disk.guarded_toml import read_toml


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a.b.c = 1",
        "[a.'b.c'.d]\nseeds = ['https://a.b.c.d.e.f/']",
        ".".join(["a"] * 100) + " = 1",
        "a = '" + ".".join(["word"] * 100) + "'",
    ],
)
def test_what_people_write_is_read_as_python_reads_it(text):
    assert read_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x = 1\n" + "a." * 101 + "a = 1", r"a key of over 100 parts \(at line 2\)"),
        ("[" + "'a' . " * 101 + "a]", r"a key of over 100 parts \(at line 1\)"),
        ("a = " + "[" * 100_000, "nested too deep"),
        ("a = " + "9" * 5_000, "digits"),
        ("a = ", "Invalid value"),
    ],
)
def test_what_cannot_be_read_is_one_kind_of_error(text, complaint):
    with pytest.raises(tomllib.TOMLDecodeError, match=complaint):
        read_toml(text)
