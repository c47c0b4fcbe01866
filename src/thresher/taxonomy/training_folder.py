"""The folder in which a taxonomy is learnt: what was asked for, the urls that were drawn, and the pages.

learning.toml    how it is learnt; another way must go into another folder
examples.csv     the classes with the urls that were drawn: written once, so that whoever goes on has the same
pages/           a crawl folder: train-0 and train-1
"""

import csv
import tomllib
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import tomli_w

from thresher.classify.class_tree import ClassTree
from thresher.classify.learnt_folder import BEGUN
from thresher.disk.atomic_file import UNFINISHED, write_whole
from thresher.disk.folder import CrawlFolder
from thresher.disk.guarded_toml import read_toml
from thresher.errors import BadInput
from thresher.model import Url
from thresher.taxonomy.classed_urls import COLUMNS, classed_urls, table
from thresher.taxonomy.example_urls import ExampleOptions, drawn

_TITLE = "# What this taxonomy is learnt from. To learn it in another way, choose another folder.\n\n"


class LearningOptions(NamedTuple):
    """How a taxonomy is learnt."""

    source: Path
    examples: ExampleOptions = ExampleOptions()
    linked: int = 150
    """How many links of a class's examples are followed, about: as many pages as the paper had of each class."""
    links_of: Sequence[str] = ()
    """Paths of the classes whose links are followed; all if there are none."""
    allow_private: bool = False

    def as_table(self) -> dict[str, Any]:
        """What makes a difference to what is learnt."""
        chosen = self.examples._asdict() | {"under": list(self.examples.under)}
        return {"source": str(self.source.resolve()), **chosen, "linked": self.linked, "links_of": list(self.links_of)}


class DrawReport(NamedTuple):
    """What was drawn for train-0."""

    classes: int
    urls: int
    listed: int
    merged: int
    left_out: int


class TrainingFolder:
    """Learns into a folder; of one that was begun before, it goes on."""

    def __init__(self, path: Path, options: LearningOptions) -> None:
        self.path, self.options = path, options
        self.pages = CrawlFolder(path / "pages")
        self._begun, self._examples = path / BEGUN, path / "examples.csv"

    def draw(self) -> DrawReport | None:
        """Draw the urls of train-0, unless that was done before."""
        self._check()
        if self._examples.exists():
            return None
        found = drawn(
            classed_urls(self.options.source, allow_private=self.options.allow_private), self.options.examples
        )
        # A wrong path is told before anything is written: the folder would hold it against the right one.
        tree = ClassTree(found.classes)
        for path in filter(None, self.options.links_of):
            tree.named(path)
        self.path.mkdir(parents=True, exist_ok=True)
        write_whole(self._begun, _TITLE + tomli_w.dumps(self.options.as_table()))
        write_whole(self._examples, _as_csv(found.classes))
        urls = sum(map(len, found.classes.values()))
        return DrawReport(len(found.classes), urls, found.listed, found.merged, found.left_out)

    def examples(self) -> dict[str, list[Url]]:
        """The urls of train-0, by class."""
        classes: dict[str, list[Url]] = {}
        for label, url in table(self._examples):
            classes.setdefault(label, []).append(url)
        return classes

    def _check(self) -> None:
        """A folder with other things in it is not written into, nor one of another taxonomy."""
        if self._begun.exists():
            before, now = _read(self._begun), self.options.as_table()
            if other := [key for key in now if before.get(key) != now[key]]:
                what = ", ".join(f"{key} {before.get(key)!r}, not {now[key]!r}" for key in other)
                raise BadInput(f"{self.path} is a taxonomy learnt with {what}: choose another --into")
            return
        inside = self.path.iterdir() if self.path.is_dir() else iter(())
        if lying := next((each.name for each in inside if not each.name.startswith(UNFINISHED)), ""):
            raise BadInput(f"{self.path} is not empty ({lying} lies in it): choose another --into")


def _as_csv(classes: dict[str, list[Url]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((label, url) for label, urls in classes.items() for url in urls)
    return text.getvalue()


def _read(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path.read_text("utf-8"))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: {error}") from error
