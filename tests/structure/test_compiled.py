"""Nobody subclasses what a wheel compiles: compiled classes do not allow it, and an editable install, which is pure, would not notice."""

import ast
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "thresher"


def compiled_modules():
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.COMPILED.split()


def classes(path):
    return [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ClassDef)]


def bases(path):
    """The names of the classes that those of a file are made from."""
    named = [base for node in classes(path) for base in node.bases]
    return {base.id if isinstance(base, ast.Name) else getattr(base, "attr", "") for base in named}


def test_no_class_is_made_from_a_compiled_one():
    compiled = {SOURCE / f"{name}.py" for name in compiled_modules()}
    made = {node.name for path in compiled for node in classes(path)}
    assert "HtmlParser" in made
    others = [path for path in SOURCE.rglob("*.py") if path not in compiled]
    naming = [path for path in others if any(name in path.read_text("utf-8") for name in made)]
    assert [path for path in naming if bases(path) & made] == []
