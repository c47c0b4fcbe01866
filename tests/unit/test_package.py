"""`import thresher`: cheap, and the same names for Python and for type checkers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import thresher

STUB = Path(thresher.__file__).with_suffix(".pyi")


def test_every_public_name_can_be_loaded():
    assert all(getattr(thresher, name) is not None for name in thresher.__all__)
    assert set(thresher.__all__) <= set(dir(thresher))


def test_type_checkers_see_the_names_that_python_sees():
    told = {
        alias.asname: node.module
        for node in ast.parse(STUB.read_text("utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert {name: f"thresher.{home}" for name, home in thresher._HOMES.items()} == told


def test_another_name_is_an_ordinary_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'Crawler'"):
        _ = thresher.Crawler


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys, thresher; print([name for name in ('aiohttp', 'numpy', 'asyncio') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
