from hypothesis import given
from hypothesis import strategies as some

from thresher.model import Evidence
from thresher.results.plain_text import evidence_line, evidence_lines, paragraphs

EVIDENCE = [
    Evidence("concepts", "judge", 0.655),
    Evidence("sense", "judge", 0.0),
    Evidence("iris (exact)", "title", 0.09),
    Evidence("eye", "text: iris.n.02", 12.5),
]


def test_what_a_judge_says_is_told_as_such_and_before_the_words():
    assert (
        evidence_line(EVIDENCE)
        == "judge concepts 0.66, judge sense 0, eye 12.5 (text: iris.n.02), iris (exact) 0.09 (title)"
    )


def test_the_judge_and_the_labels_of_a_person_need_no_more_words():
    said = [Evidence("the judge", "judge", 0.5), Evidence("the labels", "judge", 0.25)]
    assert evidence_line(said) == "the judge 0.50, the labels 0.25"


def test_what_speaks_against_has_a_line_of_its_own():
    against = [Evidence("rose", "text: iris.n.01", -3.0), Evidence("garden", "title: iris.n.01", -4.5)]
    assert evidence_lines([*EVIDENCE, *against]) == [
        "judge concepts 0.66, judge sense 0",
        "for      eye 12.5 (text: iris.n.02), iris (exact) 0.09 (title)",
        "against  garden 4.5 (title: iris.n.01), rose 3 (text: iris.n.01)",
    ]
    assert evidence_lines(EVIDENCE) == [evidence_line(EVIDENCE)]


def test_a_reason_without_an_amount_is_told_if_there_is_no_other():
    none = Evidence("no concept: its links are dropped", "page", 0.0)
    assert evidence_line([none]) == "no concept: its links are dropped (page)"
    assert evidence_line([none, EVIDENCE[2]]) == "iris (exact) 0.09 (title)"


def test_what_has_no_room_is_counted():
    assert evidence_line(EVIDENCE, most=1) == "judge concepts 0.66 and 3 more"


@given(some.lists(some.builds(Evidence, some.text(), some.text(), some.floats(-99, 99)), max_size=9))
def test_a_terminal_can_show_whatever_was_found(found):
    assert evidence_line(found).isprintable()
    assert all(line.isprintable() for line in evidence_lines(found))


@given(some.text())
def test_the_lines_of_a_text_give_no_orders(text):
    assert all(line.isprintable() for line in paragraphs(text).split("\n"))
