"""Where an export goes, and what it must never take the place of."""

import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner
from tests.unit.results.export_folders import made, page

from thresher.cli.export import export as command
from thresher.errors import BadInput, FolderError
from thresher.results.export.destination import Destination
from thresher.results.export.exporter import export

_KILLED = """
import os, signal, sys
from pathlib import Path
from thresher.results.export.exporter import export
export(Path(sys.argv[1]), "warc", out=Path(sys.argv[2]), watch=lambda *_: os.kill(os.getpid(), signal.SIGKILL))
"""
_KILLED_LATE = """
import os, signal, sys
from pathlib import Path
from thresher.results.export.exporter import export
rename = os.rename
os.rename = lambda old, new: os.kill(os.getpid(), signal.SIGKILL) if str(new) == sys.argv[2] else rename(old, new)
export(Path(sys.argv[1]), "warc", out=Path(sys.argv[2]), force=True)
"""


@pytest.fixture
def crawl(tmp_path):
    return made(tmp_path / "crawls" / "iris", page(1), page(2))


@pytest.fixture
def here(tmp_path):
    path = tmp_path / "here"
    path.mkdir()
    return path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def contents(folder):
    """All files, but for what SQLite puts beside its own while somebody reads."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-wal", "-shm")))
    return {path: path.read_bytes() for path in files}


# ── cards ──


def test_two_exports_of_one_name_have_a_card_each(here):
    cards = {Destination(here / f"iris{ending}", ending, force=False).card.name for ending in (".jsonl", ".csv")}
    assert cards == {"iris.jsonl.README.md", "iris.csv.README.md"}


@pytest.mark.parametrize("force", [False, True])
def test_a_card_of_yours_stays(crawl, here, force):
    (here / "iris.warc.gz.README.md").write_text("MINE")
    with pytest.raises(
        BadInput,
        match=r"iris\.warc\.gz\.README\.md .*and is no earlier export: choose another place with --into or --out$",
    ):
        export(crawl, "warc", out=here / "iris.warc.gz", force=force)
    assert (here / "iris.warc.gz.README.md").read_text() == "MINE"
    assert names(here) == ["iris.warc.gz.README.md"]


# ── by force ──


def test_force_replaces_an_export_and_no_other_file(crawl, here):
    (here / "important.warc.gz").write_text("MINE")
    with pytest.raises(BadInput, match="no earlier export"):
        export(crawl, "warc", out=here / "important.warc.gz", force=True)
    assert (here / "important.warc.gz").read_text() == "MINE"
    export(crawl, "warc", out=here / "iris.warc.gz")
    (here / "iris.warc.gz").write_text("old")
    export(crawl, "warc", out=here / "iris.warc.gz", force=True)
    assert (here / "iris.warc.gz").stat().st_size > 3


def test_an_export_to_which_you_added_something_is_not_replaced(crawl, here):
    export(crawl, "warc", out=here / "out")
    (here / "out" / "notes.txt").write_text("MINE")
    with pytest.raises(BadInput, match=r"notes\.txt, which no export wrote"):
        export(crawl, "warc", out=here / "out", force=True)
    assert names(here / "out") == ["README.md", "notes.txt", "pages.warc.gz"]


def test_a_form_and_a_name_that_disagree_are_told(crawl, here):
    with pytest.raises(BadInput, match=r"x\.parquet is the name of a file for --to parquet, but --to is warc"):
        export(crawl, "warc", out=here / "x.parquet")
    assert names(here) == []


def test_an_export_is_replaced_by_one_of_another_form(crawl, here):
    pytest.importorskip("trafilatura", reason="trafilatura is not installed: pip install 'thresher[export]'")
    export(crawl, "markdown", out=here / "out", jobs=1)
    export(crawl, "warc", out=here / "out", force=True)
    assert names(here / "out") == ["README.md", "pages.warc.gz"]


def test_what_came_to_the_place_meanwhile_stays(crawl, here):
    with pytest.raises(BadInput, match="is there already"):
        export(crawl, "warc", out=here / "iris.warc.gz", watch=lambda *_: (here / "iris.warc.gz").write_text("MINE"))
    assert (here / "iris.warc.gz").read_text() == "MINE"
    assert names(here) == ["iris.warc.gz"]


# ── a crawl's own files ──


@pytest.mark.parametrize(
    "place", ["warc/x.warc.gz", "warc/new/x.warc.gz", "warc/out", "search.sqlite", "crawl.sqlite-wal", "crawl.out"]
)
def test_a_crawls_own_files_are_no_place_for_an_export(crawl, here, place):
    before = contents(crawl)
    other = made(here / "other", page(1))
    for folder in (crawl, other):
        with pytest.raises(BadInput, match="belongs to the crawl"):
            export(crawl, "warc", out=folder / place, force=True)
    (here / "link").symlink_to(crawl)
    with pytest.raises(BadInput, match="belongs to the crawl"):
        export(crawl, "warc", out=here / "link" / place)
    assert contents(crawl) == before


def test_an_archive_of_the_crawl_is_not_replaced_even_with_a_card_beside_it(crawl):
    (archive,) = (crawl / "warc").iterdir()
    before = archive.read_bytes()
    export(crawl, "warc", out=crawl / "out")
    (crawl / "out" / "README.md").rename(archive.with_name(f"{archive.name}.README.md"))
    with pytest.raises(BadInput, match="belongs to the crawl"):
        export(crawl, "warc", out=archive, force=True)
    assert archive.read_bytes() == before


# ── killed ──


def killed(crawl, out, script=_KILLED):
    done = subprocess.run([sys.executable, "-c", script, str(crawl), str(out)], check=False)
    assert done.returncode == -signal.SIGKILL


def test_the_next_export_to_a_place_clears_away_what_a_killed_one_left(crawl, here):
    for name in ("out", "iris.warc.gz"):
        killed(crawl, here / name)
    killed(crawl, here / "other")
    assert sum(name.endswith(".part") for name in names(here)) == 3
    for name in ("out", "iris.warc.gz"):
        export(crawl, "warc", out=here / name)
    left = [name for name in names(here) if name.endswith(".part")]
    assert [name.partition(".")[0] for name in left] == ["other"]


def test_an_export_that_runs_is_left_alone_by_another_to_the_same_place(crawl, here):
    meanwhile = []

    def also(*_):
        if not meanwhile:
            meanwhile.append(export(crawl, "warc", out=here / "out"))

    with pytest.raises(BadInput, match="is there already"):
        export(crawl, "warc", out=here / "out", watch=also)
    assert meanwhile[0].pages == 2
    assert names(here) == ["out"]


def test_a_folder_of_yours_that_ends_like_ours_stays(crawl, here):
    (here / "out.chapter1.part").mkdir()
    export(crawl, "warc", out=here / "out")
    assert names(here) == ["out", "out.chapter1.part"]


def test_an_export_that_was_being_replaced_when_the_other_was_killed_comes_back(crawl, here):
    export(crawl, "warc", out=here / "out")
    killed(crawl, here / "out", script=_KILLED_LATE)
    assert "out" not in names(here)
    with pytest.raises(BadInput, match="is there already"):
        export(crawl, "warc", out=here / "out")
    assert names(here) == ["out"]
    assert names(here / "out") == ["README.md", "pages.warc.gz"]


# ── lost ──


def test_an_export_of_which_all_pages_are_lost_is_an_error_and_leaves_the_earlier_one(crawl, here):
    export(crawl, "warc", out=here / "out")
    before = contents(here)
    for archive in (crawl / "warc").iterdir():
        archive.write_bytes(b"")
    done = CliRunner().invoke(command, [str(crawl), "--to", "warc", "--into", str(here / "out"), "--force"])
    assert isinstance(done.exception, FolderError)
    assert "the records of all 2 pages are lost" in str(done.exception)
    assert contents(here) == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--to", "markdown", "--out", "notes"], "markdown is a folder of files: say --into notes"),
        (["--to", "jsonl", "--out", "notes"], "a file of jsonl ends in .jsonl; for a folder, say --into notes"),
        (["--to", "jsonl", "--into", "x.jsonl"], "that is the name of a file; say --out x.jsonl"),
        (["--to", "jsonl", "--into", "x", "--out", "x.jsonl"], "give one of them"),
    ],
)
def test_a_folder_behind_out_and_a_file_behind_into_are_told_apart(options, said):
    done = CliRunner().invoke(command, ["iris", *options])
    assert isinstance(done.exception, BadInput)
    assert said in str(done.exception)
