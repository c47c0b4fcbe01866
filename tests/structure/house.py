"""The house as a table: its modules, who imports whom, which names each defines and which SQL it speaks."""

import ast
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "thresher"


@dataclass(frozen=True)
class Module:
    name: str
    path: Path
    tree: ast.Module
    lines: int

    @property
    def room(self):
        return self.name.split(".")[1] if "." in self.name else ""

    @property
    def leaf(self):
        return self.name.rpartition(".")[2]

    @property
    def is_package(self):
        return self.path.name == "__init__.py"


@cache
def modules():
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text("utf-8")
        found[name] = Module(name, path, ast.parse(text), len(text.splitlines()))
    return found


@cache
def importers():
    """Module → the modules that import it, or something from it."""
    table = defaultdict(set)
    for module in modules().values():
        for node in ast.walk(module.tree):
            for target in _imported(node):
                table[target].add(module.name)
    return table


def _imported(node):
    known = modules()
    if isinstance(node, ast.ImportFrom):
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            if inner in known:
                yield inner
            elif node.module in known:
                yield node.module
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in known)


def public_classes(module):
    return [node.name for node in module.tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


def strings(module):
    """All texts of a module but its docstrings; of an f-string the parts."""
    told = {id(node.value) for node in ast.walk(module.tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


_VERB = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|PRAGMA|WITH)\b")
_TABLE = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE|TABLE|VIEW|ON)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:\w+\.)?(\w+)")
_MADE = re.compile(r"\bCREATE\s+(?:TEMP\s+|VIRTUAL\s+)*(?:TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:\w+\.)?(\w+)")


def tables_asked(text):
    """The tables that a statement of SQL names; of other texts none."""
    return set(_TABLE.findall(text)) if _VERB.search(text) or text.lstrip().startswith("FROM ") else set()


def tables_made(text):
    return set(_MADE.findall(text))
