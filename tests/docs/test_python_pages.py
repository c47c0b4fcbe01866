"""The pages on Python are run as they stand, block after block, as a notebook would; and every public name is in the reference."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import thresher
from thresher.errors import BadInput
from thresher.ontology.known_ontologies import open_ontology
from thresher.python.harvest import Harvest
from thresher.python.page_rows import HarvestPage

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("guides/from-python.md", "reference/python.md")
REFERENCE = (DOCS / "reference" / "python.md").read_text("utf-8")


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def extras():
    for name in ("pandas", "trafilatura"):
        pytest.importorskip(name, reason=f"{name} is not installed: pip install '.[pandas,export]'")
    try:
        open_ontology("wordnet")
    except BadInput as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
async def test_every_block_runs_as_it_stands(page, extras, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "notebook"}
    for number, block in enumerate(blocks(page), 1):
        code = compile(block, f"{page}, block {number}", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        waiting = eval(code, names)
        if inspect.isawaitable(waiting):
            await waiting
    assert (tmp_path / "iris" / "crawl.toml").exists()
    assert names["harvest"].counts.relevant > 5


def test_the_guide_shows_each_thing_that_one_does_with_a_harvest():
    shown = "".join(blocks(PAGES[0]))
    done = [name for name in vars(Harvest) if not name.startswith("_") and name not in {"counts", "figures"}]
    assert [name for name in done if f"harvest.{name}" not in shown] == []


@pytest.mark.parametrize("name", thresher.__all__)
def test_every_public_name_is_in_the_reference(name):
    assert f"`{name}`" in REFERENCE or f"\n## {name}\n" in REFERENCE


@pytest.mark.parametrize(
    "name",
    [
        *(name for name in inspect.signature(thresher.Crawl.start).parameters if name != "tables"),
        *(name for name in inspect.signature(Harvest.pages).parameters if name != "self"),
        *(name for name in vars(thresher.Crawl) if not name.startswith("_") and name != "start"),
        *(name for name in vars(Harvest) if not name.startswith("_")),
        *HarvestPage.__slots__,
    ],
)
def test_every_keyword_method_and_field_is_in_the_reference(name):
    assert re.search(rf"`{name}[`(]", REFERENCE)
