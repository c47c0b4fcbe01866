"""A hint for an extra is a command that works for this installation."""

import importlib.metadata
import json
from pathlib import Path

import pytest

from thresher import install_hint as module
from thresher.install_hint import install_hint


class Installed:
    """A distribution as pip leaves it, with what it says of its origin."""

    def __init__(self, origin):
        self._origin = origin

    def read_text(self, name):
        assert name == "direct_url.json"
        return self._origin


@pytest.fixture
def clone(tmp_path):
    (tmp_path / "my clone" / "src" / "thresher").mkdir(parents=True)
    (tmp_path / "my clone" / "pyproject.toml").touch()
    return tmp_path / "my clone"


def hint(monkeypatch, origin, here):
    text = origin if origin is None or isinstance(origin, str) else json.dumps(origin)
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: Installed(text))
    monkeypatch.chdir(here)
    return install_hint("search")


def test_from_an_index_the_name_is_enough(monkeypatch, tmp_path):
    assert hint(monkeypatch, None, tmp_path) == "pip install 'thresher[search]'"


def test_in_the_clone_it_is_the_folder_one_stands_in(monkeypatch, clone):
    assert hint(monkeypatch, {"url": clone.as_uri(), "dir_info": {}}, clone) == "pip install '.[search]'"


def test_elsewhere_the_clone_is_named(monkeypatch, clone, tmp_path):
    origin = {"url": clone.as_uri(), "dir_info": {}}
    assert hint(monkeypatch, origin, tmp_path) == f"pip install '{clone}[search]'"


def test_an_editable_install_stays_one(monkeypatch, clone):
    origin = {"url": clone.as_uri(), "dir_info": {"editable": True}}
    assert hint(monkeypatch, origin, clone) == "pip install -e '.[search]'"


def test_a_clone_that_is_gone_is_not_named(monkeypatch, tmp_path):
    origin = {"url": (tmp_path / "gone").as_uri(), "dir_info": {"editable": True}}
    assert hint(monkeypatch, origin, tmp_path) == "pip install 'thresher[search]'"


def test_a_repository_is_named_without_a_password(monkeypatch, tmp_path):
    origin = {"url": "https://me:secret@example.org/thresher.git", "vcs_info": {"vcs": "git", "commit_id": "0"}}
    expected = "pip install 'thresher[search] @ git+https://example.org/thresher.git'"
    assert hint(monkeypatch, origin, tmp_path) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/thresher.whl", "pip install 'thresher[search] @ https://example.org/thresher.whl'"),
        ("file:///tmp/thresher.whl", "pip install 'thresher[search]'"),
    ],
)
def test_an_archive_is_named_if_it_is_on_the_web(monkeypatch, tmp_path, url, expected):
    assert hint(monkeypatch, {"url": url, "archive_info": {}}, tmp_path) == expected


@pytest.mark.parametrize("nonsense", ["{", "[]", '{"url": 1}', '{"dir_info": 3}'])
def test_what_makes_no_sense_is_taken_as_an_index(monkeypatch, tmp_path, nonsense):
    assert hint(monkeypatch, nonsense, tmp_path) == "pip install 'thresher[search]'"


def test_a_source_folder_that_was_never_installed_is_found_around_the_module(monkeypatch, clone, tmp_path):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "distribution", missing)
    monkeypatch.setattr(module, "__file__", str(clone / "src" / "thresher" / "install_hint.py"))
    monkeypatch.chdir(clone)
    assert install_hint("png") == "pip install '.[png]'"
    monkeypatch.chdir(tmp_path)
    assert install_hint("png") == f"pip install '{clone}[png]'"


def test_no_other_file_writes_a_hint_of_its_own():
    sources = Path(module.__file__).parent
    hints = [path.name for path in sources.rglob("*.py") if "pip install '" in path.read_text("utf-8")]
    assert hints == ["install_hint.py"]
