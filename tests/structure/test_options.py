"""The command line means one thing by one word: an option of one name is the same everywhere."""

from collections import defaultdict

import click
import pytest
from click.testing import CliRunner
from tests.structure.test_declared_commands import every_command

from thresher.cli import thresher
from thresher.cli.declared.command_types import LateCommand, SectionOption

COLUMNS = 80
NOT_THE_SAME = {"--host": "of `view` it is where the window listens, as it is of every program that serves"}
"""Option → why it may mean something else in another command."""


def options():
    """Name of an option → command → the option."""
    table = defaultdict(dict)
    for name, command in every_command():
        for each in command.params:
            for spelt in each.opts if isinstance(each, click.Option) else ():
                table[spelt][name] = each
    return table


def meaning(option):
    """All but its default, its bounds, and how often it may be given."""
    choices = tuple(getattr(option.type, "choices", ()))
    return type(option.type).__name__, choices, option.metavar, option.is_flag, option.meaning


@pytest.mark.parametrize("name", sorted(options()))
def test_an_option_of_one_name_is_the_same_in_all_commands(name):
    found = {command: meaning(option) for command, option in options()[name].items()}
    assert name in NOT_THE_SAME or len(set(found.values())) == 1, found


def test_no_exception_is_listed_that_is_none():
    assert not {name for name in NOT_THE_SAME if len(set(map(meaning, options()[name].values()))) == 1}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("--relevant", "Only relevant pages"),
        ("--seeds", "Urls from a list"),
        ("--force", "Replace what an earlier run wrote"),
        ("--into", "The folder to make"),
        ("--out", "The file to write"),
    ],
)
def test_the_words_that_had_several_meanings_have_one(name, kind):
    assert all(option.meaning.startswith(kind) for option in options()[name].values())


def test_folders_go_into_and_files_come_out():
    into, out = options()["--into"].values(), options()["--out"].values()
    assert all(not each.type.file_okay and each.type.dir_okay for each in into)
    assert all(each.type.file_okay and not each.type.dir_okay for each in out)
    assert {each.metavar for each in into} == {"DIR"}
    assert {each.metavar for each in out} == {"FILE"}


def test_every_option_stands_in_a_section_and_ends_its_sentence():
    for name, found in options().items():
        for command, option in found.items():
            assert isinstance(option, SectionOption), f"{command} {name}: made by click.option"
            assert option.meaning.endswith("."), f"{command} {name}"


def test_a_name_that_was_given_up_is_not_an_option_again():
    for name, command in every_command():
        spelt = {each for option in command.params for each in option.opts}
        assert not spelt & command.renamed.keys(), name
        assert set(command.renamed.values()) <= spelt, name


# ── help ──


def every_help():
    yield "", CliRunner().invoke(thresher, ["--help"], terminal_width=COLUMNS).output
    for name, command in [
        *every_command(),
        *((f"thresher {each}", thresher.get_command(None, each)) for each in ("lab", "taxonomy")),
    ]:
        yield name, CliRunner().invoke(command, ["--help"], terminal_width=COLUMNS).output


def test_no_line_of_help_is_wider_than_a_terminal_and_no_sentence_is_cut():
    for name, text in every_help():
        assert not [line for line in text.splitlines() if len(line) > COLUMNS], name
        assert "..." not in text.partition("\n")[2], name


def test_the_list_of_commands_has_a_whole_sentence_for_each():
    shown = " ".join(CliRunner().invoke(thresher, ["--help"], terminal_width=COLUMNS).output.split())
    for name in thresher.list_commands(None):
        sentence, _, _ = " ".join(thresher.get_command(None, name).help.split()).partition(". ")
        assert f"{name} {sentence.removesuffix('.')}." in shown


def test_many_options_stand_in_sections():
    shown = CliRunner().invoke(thresher, ["crawl", "--help"]).output
    heads = [line for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert heads == [
        "What to look for:",
        "Where to start:",
        "How to choose:",
        "Where it may go:",
        "When to stop:",
        "Manners:",
        "How it runs:",
        "Options:",
    ]


def test_every_command_that_does_work_is_described_late():
    assert all(isinstance(command, LateCommand) for _, command in every_command())


# ── suggestions ──


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["crwal", "iris"], "there is no command 'crwal' (did you mean 'crawl'?)"),
        (["serach", "iris", "eye"], "(did you mean 'search'?)"),
        (["record"], "(did you mean 'lab record'?)"),
        (["lab", "reproduec"], "(did you mean 'reproduce'?)"),
        (["taxonomy", "lern"], "(did you mean 'learn'?)"),
        (["xyzzy"], "there is no command 'xyzzy'"),
        (["crawl", "iris", "--stratgy", "lin"], "--strategy"),
        (["search", "iris", "eye", "--relevnat"], "--relevant"),
        (["export", "iris", "--to", "jsnol"], "(did you mean 'jsonl'?)"),
        (["lab", "run", "x.toml", "--start", "nera"], "(did you mean 'near'?)"),
        (["lab", "reproduce", "lokmann"], "(did you mean 'lokman'?)"),
        (["topic", "iris", "--profile", "desing"], "(did you mean 'design'?)"),
        (["crawl", "iris", "--strategy", "bestfirst"], "(did you mean 'best-first'?)"),
        (["crawl", "iris", "--judge", "consepts"], "(did you mean 'concepts'?)"),
        (["crawl", "iris", "--ontology", "wordnt"], "(did you mean 'wordnet'?)"),
        (["topic", "iris", "--ontology", "modno"], "(did you mean 'mondo'?)"),
        (["crawl", "iris", "--pages", "many"], "'many' is not a whole number from 1 up"),
        (["crawl", "iris", "--delay", "long"], "'long' is not a number"),
        (["crawl", "iris", "--relevant", "50"], "--relevant is now --relevant-pages"),
        (["lab", "run", "x.toml", "--seeds", "near"], "--seeds is now --start"),
        (["lab", "record", "--out", "web"], "--out is now --into"),
        (["revisit", "iris", "--force"], "--force is now --now"),
    ],
)
def test_what_is_mistyped_or_has_another_name_now_is_told_in_a_sentence(typed, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(thresher, typed)
    told = done.output + (str(done.exception) if done.exception else "")
    assert said in told
    assert done.exit_code
    assert "Traceback" not in told


# ── scope ──


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--domain", "https://example.org/", "is not a host name such as example.org"),
        ("--domain", "example.org:8080", "a domain has none"),
        ("--host", "exa mple", "is not a host name"),
        ("--prefix", "example.org", "is not the beginning of a url"),
        ("--include", "(", "("),
        ("--exclude", "[", "["),
        ("--exclude-host", "a/b", "is not a host name"),
        ("--depth", "-1", "'-1' is not a whole number from 0 up"),
        ("--quota", "0", "'0' is not a whole number from 1 up"),
    ],
)
def test_a_wrong_rule_of_scope_is_told_by_the_name_of_its_option(option, value, said):
    done = CliRunner().invoke(thresher, ["crawl", "iris", "--seed", "no url", option, value])
    assert done.exit_code == 2
    assert f"'{option}'" in done.output
    assert said in done.output
