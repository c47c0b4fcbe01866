"""`thresher taxonomy show` as a person meets it, the picker, and how a crawl comes by its targets."""

import json

import pytest
from click.testing import CliRunner

from thresher.classify.learnt_folder import ClassSize, LearntFolder
from thresher.classify.link_rules import InterclassRules
from thresher.classify.naive_bayes import Classifier
from thresher.cli.declared.taxonomy_commands import taxonomy
from thresher.cli.dialogue import TerminalDialogue
from thresher.cli.terminal import Terminal
from thresher.dialogue import Dialogue
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput
from thresher.knowledge import Knowledge, needs
from thresher.settings import settle_settings
from thresher.start import prepare

SIZES = {
    "Arts/Film": ClassSize(4, 8),
    "Arts/Music/Opera": ClassSize(2, 6),
    "Science": ClassSize(1, 1),
    "Science/Physics": ClassSize(3, 10),
}
PAIRS = [("Arts/Film", "Science/Physics")] * 3 + [("Arts/Film", "Arts/Film")] * 5


@pytest.fixture
def learnt(tmp_path):
    folder = LearntFolder(tmp_path / "science")
    folder.path.mkdir()
    words = ((f"word{number}", label) for number, label in enumerate(SIZES))
    folder.save(Classifier.of(words), InterclassRules(PAIRS), SIZES)
    return folder


def called(*arguments, typed=None):
    """The command, run here; a mistake of the user's is raised."""
    done = CliRunner().invoke(taxonomy, [str(each) for each in arguments], input=typed)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.stderr
    return done


def rows(done):
    return [line.split() for line in done.stdout.splitlines()]


def test_the_tree_is_shown_with_the_pages_of_each_node(learnt):
    shown = rows(called("show", learnt.path))
    assert ["Arts", "6", "14"] in shown, "a parent has the pages of its children"
    assert ["Music", "2", "6"] in shown
    assert ["Science", "4", "11"] in shown, "and its own"
    assert shown[-1][:4] == ["Marked", "as", "targets:", "none;"]


def test_deeper_levels_are_told_of_and_not_shown(learnt):
    shown = rows(called("show", learnt.path, "--levels", 1))
    assert ["Arts", "(2", "below)", "6", "14"] in shown
    assert not [row for row in shown if "Film" in row]


def test_below_a_path_the_classes_that_lead_there_are_shown_too(learnt):
    done = called("show", learnt.path, "Science/Physics")
    assert "Arts" not in [row[0] for row in rows(done) if row]
    assert "0.38  Arts/Film → Science/Physics 0.38" in done.stdout
    assert "No rule leads there." in called("show", learnt.path, "Arts/Music").stdout


def test_targets_are_marked_and_unmarked(learnt):
    assert ["Physics", "3", "10", "●", "target"] in rows(called("show", learnt.path, "--mark", "Science/Physics"))
    called("show", learnt.path, "--mark", "Arts", "--unmark", "/Science/Physics/")
    assert learnt.targets() == ["Arts"]


def test_it_is_there_for_programs(learnt):
    called("show", learnt.path, "--mark", "Arts")
    said = json.loads(called("show", learnt.path, "--json").stdout)
    assert said["targets"] == ["Arts"]
    assert [each["path"] for each in said["classes"]] == ["Arts", "Science"]
    film = {"path": "Arts/Film", "examples": 4, "linked": 8, "below": []}
    assert said["classes"][0]["below"][0] == film
    below = json.loads(called("show", learnt.path, "Arts/Film", "--json").stdout)
    assert below["classes"] == [film]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("Physics",), "did you mean 'Science/Physics'"),
        (("--mark", "Fim"), "no class 'Fim'; "),
        (("--unmark", "Opera"), "did you mean 'Arts/Music/Opera'"),
    ],
)
def test_what_is_no_class_is_an_error(learnt, arguments, said):
    with pytest.raises(BadInput) as error:
        called("show", learnt.path, *arguments)
    assert said in str(error.value)


def test_nothing_is_marked_if_the_path_to_show_is_no_class(learnt):
    with pytest.raises(BadInput, match="no class 'Sport'"):
        called("show", learnt.path, "Sport", "--mark", "Arts")
    assert learnt.targets() == []


def test_a_folder_without_a_taxonomy_is_an_error(tmp_path):
    with pytest.raises(BadInput, match="holds no learnt taxonomy: thresher taxonomy learn makes one"):
        called("show", tmp_path)


# ── the picker ──


@pytest.mark.parametrize(
    ("typed", "marked"),
    [
        ("\n", []),
        ("+1\n\n", ["Arts"]),
        ("+1,2\n\n", ["Arts", "Science"]),
        ("1\n1\n\n", ["Arts/Film"]),
        ("1\n2\n+1\n..\n..\n+2\n\n", ["Arts/Music/Opera", "Science"]),
        ("+1\n+1\n\n", []),
        ("..\n7\n0\n-1\nx\n+\n²\n0000000019\n+1\n\n", ["Arts"]),
    ],
    ids=["nothing", "one", "two at once", "a leaf", "down and up", "and back", "nonsense first"],
)
def test_the_tree_is_browsed_and_targets_are_marked_at_the_terminal(learnt, typed, marked):
    called("show", learnt.path, "--pick", typed=typed)
    assert learnt.targets() == marked


def test_nonsense_is_named(learnt):
    assert "'7' is none of these." in called("show", learnt.path, "--pick", typed="7\n\n").stderr


# ── a crawl's targets ──


class Chooser(Dialogue):
    def __init__(self, *targets):
        self.targets, self.asked, self.told = targets, 0, []

    def choose_targets(self, sizes):
        self.asked += 1
        assert list(sizes) == list(SIZES)
        return self.targets

    def notice(self, sentence):
        self.told.append(sentence)


def prepared(learnt, dialogue, tmp_path, **knowledge):
    wanted = {
        "topic": "physics",
        "seeds": ["http://a.example/"],
        "judge": "classifier",
        "knowledge": {"taxonomy": str(learnt.path), **knowledge},
    }
    complete = prepare(wanted, CrawlFolder(tmp_path / "crawl"), dialogue, by_sense=False, search=False)
    return complete["knowledge"]


def test_a_crawl_looks_for_what_was_marked_and_keeps_it(learnt, tmp_path):
    learnt.mark(["Science"])
    dialogue = Chooser("Arts")
    assert prepared(learnt, dialogue, tmp_path)["targets"] == ["Science"]
    assert dialogue.asked == 0
    assert dialogue.told == ["Looking for the classes Science"]


def test_a_target_that_is_given_comes_before_marks(learnt, tmp_path):
    learnt.mark(["Science"])
    assert prepared(learnt, Chooser(), tmp_path, targets=["Arts"])["targets"] == ["Arts"]


def test_without_marks_the_dialogue_chooses(learnt, tmp_path):
    assert prepared(learnt, Chooser("Arts"), tmp_path)["targets"] == ["Arts"]


def test_if_nobody_can_choose_the_error_names_the_classes(learnt, tmp_path):
    known = Knowledge(**prepared(learnt, Dialogue(), tmp_path))
    with pytest.raises(BadInput, match=r"which classes are sought.* one or more of Arts, Science"):
        needs("x", known)["taxonomy"].make()


def test_nobody_is_asked_where_there_is_no_terminal():
    assert TerminalDialogue(Terminal(stderr=True)).choose_targets(SIZES) == ()


def test_a_crawl_that_goes_on_keeps_its_targets_whatever_is_marked_later(learnt, tmp_path):
    learnt.mark(["Science"])
    folder = CrawlFolder(tmp_path / "crawl")
    wanted = {"topic": "physics", "seeds": ["http://a.example/"], "knowledge": {"taxonomy": str(learnt.path)}}
    complete = prepare(wanted, folder, Dialogue(), by_sense=False, search=False)
    folder.path.mkdir()
    folder.write_settings(settle_settings(folder, complete, "here").as_toml())
    learnt.mark(["Arts"])
    again = prepare(wanted, folder, Dialogue(), by_sense=False, search=False)
    assert settle_settings(folder, again, "here").knowledge["targets"] == ["Science"]
