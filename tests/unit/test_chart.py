import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.chart import Axes, Ink, Line, apart, line_chart, ticks, write_picture
from thresher.lab.report.pictures import Dot, dot_chart, legend

SVG = "{http://www.w3.org/2000/svg}"
STRONG = Ink("#0072b2", "4 2", 2, strong=True)
AXES = Axes("Harvest", "fetches", "rate")


def drawn(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def texts(svg: str) -> list[str]:
    return ["".join(each.itertext()) for each in drawn(svg).iter(f"{SVG}text")]


def titles(svg: str) -> list[str | None]:
    return [each.text for each in drawn(svg).iter(f"{SVG}title")]


def test_a_chart_has_a_title_for_those_who_listen():
    assert drawn(line_chart(AXES, [])).find(f"{SVG}title").text == "Harvest"


def test_the_same_lines_give_the_same_bytes():
    lines = [Line("a", [0.1, 0.2], [0.0, 0.1], [0.2, 0.3], STRONG), Line("b", [0.3, 0.1])]
    assert line_chart(AXES, lines) == line_chart(AXES, list(lines))


def test_every_line_says_its_name_and_only_strong_ones_have_a_label():
    svg = line_chart(AXES, [Line("loud", [0.1, 0.2], ink=STRONG), Line("quiet", [0.3, 0.1])])
    assert {"loud", "quiet"} <= set(titles(svg))
    assert any(text.endswith("loud") for text in texts(svg))
    assert not any("quiet" in text for text in texts(svg))


def test_a_strong_line_has_a_band_between_its_edges():
    svg = line_chart(AXES, [Line("a", [0.1, 0.2], [0.0, 0.1], [0.2, 0.3], STRONG)])
    bands = [path for path in drawn(svg).iter(f"{SVG}path") if path.get("fill-opacity")]
    assert [path.get("d").count("L") for path in bands] == [3]


def test_a_bound_leaves_the_picture_rather_than_press_the_others_flat():
    line = Line("a", [0.1, 0.2], ink=STRONG)
    bound = Line("bound", [0.9, 0.9], ink=STRONG._replace(bound=True))
    assert "0.2" in texts(line_chart(AXES, [line, bound]))
    assert "0.8" not in texts(line_chart(AXES, [line, bound]))
    assert "0.8" in texts(line_chart(AXES, [line, Line("no bound", [0.9, 0.9], ink=STRONG)]))


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '"><g onload="x">', "a & b", "]]>", "nul\x00bell\x07", "\ud800"]
)
def test_hostile_names_stay_text(name):
    pictures = [
        line_chart(Axes(name, name, name), [Line(name, [0.1, 0.2], ink=STRONG), Line(name, [0.1])]),
        dot_chart(name, name, [Dot(name, 0.1, 0.0, 0.2)]),
        legend({name: STRONG}, 2),
    ]
    for svg in pictures:
        allowed = {f"{SVG}{tag}" for tag in ("svg", "title", "path", "text", "g", "circle")}
        assert {each.tag for each in drawn(svg.encode().decode()).iter()} <= allowed
        assert not any("onload" in each.attrib for each in drawn(svg).iter())


@given(st.lists(st.lists(st.floats(0, 1), max_size=300), max_size=4), st.booleans())
def test_any_lines_make_a_well_formed_picture(values, labels):
    lines = [Line(str(place), each, each, each, STRONG) for place, each in enumerate(values)]
    assert drawn(line_chart(Axes("t", "x", "y", labels=labels), lines)).tag == f"{SVG}svg"


@given(st.floats(0, 1e6), st.floats(0.001, 1e6), st.integers(2, 8))
def test_ticks_are_round_and_lie_within(low, width, about):
    found = ticks(low, low + width, about)
    assert len(found) <= 3 * about
    assert all(low - 1e-6 <= each <= low + width + 1e-6 * (1 + low) for each in found)


@given(st.lists(st.floats(0, 300), min_size=1, max_size=15))
def test_labels_never_lie_on_each_other(places):
    moved = apart(sorted(places), 0, 300)
    assert all(second - first >= 14.99 for first, second in pairwise(moved))
    assert moved[-1] <= 300


def test_a_dot_stands_for_its_value_and_says_it():
    svg = dot_chart("Means", "AUC", [Dot("a", 0.1, 0.05, 0.15), Dot("b", 0.2, 0.1, 0.3)], rule=0.1)
    first, second = (float(each.get("cx")) for each in drawn(svg).iter(f"{SVG}circle"))
    assert first < second
    assert "a: 0.100, from 0.050 to 0.150" in titles(svg)


def test_a_bound_off_the_scale_is_told_as_a_number():
    svg = dot_chart("Means", "AUC", [Dot("a", 0.1, 0.05, 0.15), Dot("o", 0.9, 0.8, 1.0, Ink(bound=True))])
    assert "0.900 →" in texts(svg)


def test_a_legend_names_the_strong_and_counts_the_others():
    assert texts(legend({"a": STRONG, "b": STRONG, "c": Ink()}, 1)) == ["a", "b", "1 other"]


FONTS = [place for place in ("/usr/share/fonts/truetype/dejavu", "/Library/Fonts") if Path(place).is_dir()]


@pytest.mark.skipif(not FONTS, reason="no font that is known is installed")
def test_a_png_has_the_words_of_the_picture(tmp_path):
    pytest.importorskip("resvg_py", reason="the extra png is not installed")
    for name, axes in (("said", AXES), ("silent", Axes("Harvest", "", ""))):
        write_picture(line_chart(axes, [Line("best-first", [0.1, 0.5], ink=STRONG)]), tmp_path / f"{name}.png")
    assert (tmp_path / "said.png").read_bytes() != (tmp_path / "silent.png").read_bytes()


def test_values_may_stand_for_many_fetches_and_a_line_that_ends_early_has_its_name_there():
    whole, part = Line("whole", [0.0, 1.0, 2.0, 3.0, 4.0], ink=STRONG), Line("part", [0.0, 1.0], ink=STRONG)
    drawn = line_chart(Axes("Harvest", "fetches", "found", first=0, step=250.0), [whole, part])
    assert ">1,000<" in drawn
    places = {
        name: float(re.search(rf'<text x="([\d.]+)"[^>]*><title>{name}<', drawn)[1]) for name in ("whole", "part")
    }
    assert places["part"] < places["whole"] / 2
