"""Each number of the papers that can be checked by hand is held by a test that names it: docs/papers/differences.md lists them."""

import ast
import re
from functools import cache

import pytest
from tests.structure.house import ROOT

GOLDEN = range(1, 23)
_NAMED = re.compile(r"test_golden_(\d+)_\w+")
_ROW = re.compile(r"\| (\d+) \| ")


@cache
def golden_tests():
    found = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (named := _NAMED.fullmatch(node.name)):
                found.setdefault(int(named[1]), []).append(node)
    return found


@pytest.mark.parametrize("number", GOLDEN)
def test_every_golden_number_has_a_test_that_asserts_something(number):
    tests = golden_tests().get(number, [])
    assert tests, f"no test is called test_golden_{number}_…"
    for test in tests:
        assert any(isinstance(node, ast.Assert) for node in ast.walk(test)), f"{test.name} asserts nothing"


def test_no_test_names_a_golden_number_that_there_is_not():
    assert set(golden_tests()) == set(GOLDEN)


def test_the_guide_lists_every_golden_number_once_and_in_order():
    text = (ROOT / "docs" / "papers" / "differences.md").read_text("utf-8")
    table = text.split("## Numbers that tests hold", 1)[1]
    assert [int(row[1]) for line in table.splitlines() if (row := _ROW.match(line))] == list(GOLDEN)
