"""A page whose title, text and anchors try to give orders to the terminal, turn text around, or never end."""

import csv
import io
import json

import pytest
from click.testing import CliRunner
from rich.text import Text
from tests.unit.results.changing_web import IRIS, TURNING, ChangingWeb, Served, crawled, page, serving

from thresher.cli.export import export
from thresher.cli.label import label
from thresher.cli.plain_output import echo_json, neutral, say
from thresher.cli.search import search
from thresher.cli.show import show
from thresher.cli.terminal import Terminal
from thresher.cli.why import why
from thresher.results.plain_text import LONGEST_TITLE, one_line

ORDERS = "\x1b\x9b\x07\x08\x00\x7f"
TITLE = f"Iris {TURNING}exe.gpj eye [/bold] " + "of the eye " * 5_000


@pytest.fixture
async def folder(tmp_path):
    links = f'<a href="/next">iris {TURNING} of the eye</a>'
    pages = {"/": Served(page(f"{IRIS} {TURNING} {links}", title=TITLE)), "/next": Served(page(title=TITLE))}
    async with serving(ChangingWeb(pages)) as served:
        await crawled(tmp_path / "crawl", served)
        return tmp_path / "crawl", served.base


COMMANDS = {
    "show": (show, []),
    "show --json": (show, ["--json"]),
    "show --tree": (show, ["--tree"]),
    "show --tree --json": (show, ["--tree", "--json"]),
    "search": (search, ["iris", "eye"]),
    "search --json": (search, ["iris", "--json"]),
    "why": (why, ["{base}/next"]),
    "why --json": (why, ["{base}/next", "--json"]),
    "label": (label, []),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_that_is_shown_turns_text_around_or_gives_orders_or_never_ends(folder, command):
    path, base = folder
    called, arguments = COMMANDS[command]
    keys = "m\nm\nn\nu\nq\n"
    answer = CliRunner().invoke(called, [str(path), *(each.format(base=base) for each in arguments)], input=keys)
    assert answer.exit_code == 0, answer.output
    assert "Iris" in answer.output
    assert not set(answer.output) & set(TURNING + ORDERS)
    assert "of the eye " * 40 not in answer.output.replace("\n", " ")


def test_an_export_cuts_titles_too(folder, tmp_path):
    pytest.importorskip("trafilatura")
    path, _ = folder
    for form in ("jsonl", "csv"):
        answer = CliRunner().invoke(export, [str(path), "--into", str(tmp_path / form), "--to", form])
        assert answer.exit_code == 0, answer.output
    rows = [json.loads(line) for line in (tmp_path / "jsonl/pages.jsonl").read_text("utf-8").splitlines()]
    rows += csv.DictReader(io.StringIO((tmp_path / "csv/pages.csv").read_text("utf-8")))
    assert len(rows) == 2
    assert all(len(row["title"]) <= LONGEST_TITLE for row in rows)


def test_json_with_escapes_means_the_same(capsys):
    echo_json({"title": TITLE})
    written = capsys.readouterr().out
    assert not set(written) & set(TURNING + ORDERS)
    assert json.loads(written) == {"title": TITLE}


def test_a_console_and_a_sentence_show_no_orders_whoever_wrote_the_text(capsys):
    Terminal(width=200).print(Text(f"a{ORDERS}{TURNING}b"), f"c{TURNING}d\n")
    say(f"{ORDERS}e{TURNING}f")
    out, err = capsys.readouterr()
    assert not set(out + err) & set(TURNING + ORDERS)
    assert "ab cd\n" in out
    assert err == "thresher: ef\n"


def test_letters_of_every_script_and_line_ends_are_left_alone():
    said = "एक\tüñîçødé\n虹膜 العين 👁 \u200d"
    assert neutral(said) == said
    assert one_line(TURNING + "ab" + ORDERS) == "ab"
