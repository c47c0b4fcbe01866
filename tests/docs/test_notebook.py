"""The notebook in `examples/` runs in a kernel of its own, whose event loop runs already, and shows a table and a curve."""

import json
import os
from pathlib import Path

import pytest

from thresher.errors import BadInput
from thresher.ontology.known_ontologies import open_ontology

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"


def shown(cell, kind):
    """What a cell's last line or its prints show, of one kind."""
    return [part["data"][kind] for part in cell.outputs if kind in part.get("data", {})]


def test_the_notebook_is_kept_without_outputs():
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # of Jupyter's own packages
def test_a_notebook_crawls_in_its_running_loop_and_shows_a_table_and_a_curve(tmp_path, monkeypatch):
    pytest.importorskip("pandas", reason="pandas is not installed: pip install '.[pandas]'")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: pip install '.[test]'")
    nbformat = pytest.importorskip("nbformat")
    try:
        open_ontology("wordnet")
    except BadInput as error:
        pytest.skip(str(error))
    # Jupyter writes where it is told: not into the user's own folders.
    for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    # What a cell prints is one output, however often the kernel sends some of it.
    client = nbclient.NotebookClient(
        notebook, timeout=300, coalesce_streams=True, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute(env=os.environ.copy())
    started, iterated, stop, harvest, table, curve, found = notebook.cells[1], *notebook.cells[3:9]
    assert "(iris.n.02)" in shown(started, "text/plain")[0]
    assert iterated.outputs[0]["text"].count("\n") > 3
    assert "all 120 pages" in shown(stop, "text/plain")[0]
    assert shown(harvest, "text/html")[0].count("<tr>") == 11
    assert shown(table, "text/html")[0].count("<tr>") == 10
    assert shown(curve, "image/svg+xml")[0].lstrip().startswith("<svg")
    assert found.outputs[0]["text"].count("http://") == 3
