"""What benchmarks take from the project is still there: most of them run only now and then."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from thresher.errors import Missing

BENCHMARKS = sorted(Path(__file__).parents[2].glob("benchmarks/**/*.py"))


def taken(path: Path) -> Iterator[tuple[str, str]]:
    """Each module of ours and each name that a file takes from it, by import or with a dot."""
    tree = ast.parse(path.read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    ours = [node for node in imports if node.module.split(".")[0] == "thresher"]
    names = {each.asname or each.name: (node.module, each.name) for node in ours for each in node.names}
    yield from names.values()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
            yield ".".join(names[node.value.id]), node.attr


def found(module: str, name: str) -> bool:
    """Whether a module has a name, or is none."""
    try:
        there = import_module(module)
    except Missing as lacking:
        pytest.skip(str(lacking))
    except ModuleNotFoundError as error:
        if error.name != module and not module.startswith(f"{error.name}."):
            pytest.skip(f"needs {error.name}, which is not installed")
        return not isinstance(getattr(import_module(module.rpartition(".")[0]), module.rpartition(".")[2]), ModuleType)
    return hasattr(there, name) or (Path(there.__file__ or "").parent / f"{name}.py").is_file()


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.name)
def test_what_a_benchmark_uses_is_there(path):
    assert [f"{module}.{name}" for module, name in taken(path) if not found(module, name)] == []
