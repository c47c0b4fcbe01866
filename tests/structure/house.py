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
    """All texts of a module but its docstrings, each with its line; an f-string is one text, with `_` where a value goes."""
    told = {id(node.value) for node in ast.walk(module.tree) if isinstance(node, ast.Expr)}
    told |= {id(part) for node in ast.walk(module.tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(part.value if isinstance(part, ast.Constant) else "_" for part in node.values)


_VERB = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ATTACH|WITH)\b")
_NAME = r"(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:\w+\.)?(\w+)"
_TABLE = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE|TABLE|VIEW)\s+{_NAME}|\bINDEX\b[^()]*\bON\s+{_NAME}")
_LISTED = re.compile(r"\bFROM\s+((?:\w+\.)?\w+(?:\s+AS\s+\w+)?(?:\s*,\s*(?:\w+\.)?\w+(?:\s+AS\s+\w+)?)+)")
_MADE = re.compile(r"\bCREATE\s+(?:TEMP\s+|VIRTUAL\s+)*(?:TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:\w+\.)?(\w+)")


def tables_asked(text):
    """The tables that a statement of SQL names, or a piece of one; of other texts none."""
    if not _VERB.search(text) and not text.lstrip().startswith(("FROM ", "JOIN ", "LEFT JOIN ")):
        return set()
    listed = {each.split()[0].rpartition(".")[2] for some in _LISTED.findall(text) for each in some.split(",")}
    return {name for names in _TABLE.findall(text) for name in names if name} | listed


def tables_made(text):
    """The tables and views that a text of SQL makes."""
    return set(_MADE.findall(text))
