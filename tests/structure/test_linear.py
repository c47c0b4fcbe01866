"""Every expression and every cache of the house is listed, with its bound, in docs/design/005-linear-readers.md; and the list is true."""

import ast
import importlib
import re
from functools import cache
from re import _constants as kinds
from re import _parser as parser

import pytest
from tests.structure.house import PACKAGE, ROOT, modules

DOCUMENT = ROOT / "docs" / "design" / "005-linear-readers.md"
EXPRESSIONS = {"compile", "match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
CACHES = {"cache", "lru_cache"}


def rows(heading):
    """The rows of the table under a heading: module, names, and the other cells."""
    text = DOCUMENT.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    for line in lines:
        module, names, *rest = (cell.strip() for cell in line.replace("\\|", "\0").strip("|").split("|"))
        yield module.strip("`"), re.findall(r"`([^`]+)`", names), rest


def listed(heading):
    return {(module, name) for module, names, _ in rows(heading) for name in names}


def named(tree, wanted):
    """What such calls and decorators belong to: a name of the module, or a function, written `name()`."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    return {(name_of(node, parents), node) for node in ast.walk(tree) if wanted(node, parents)}


def name_of(node, parents):
    while node in parents:
        above = parents[node]
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
            return above.name if node in above.decorator_list else f"{above.name}()"
        if isinstance(above, ast.Assign | ast.AnnAssign) and isinstance(parents[above], ast.Module):
            return above.target.id if isinstance(above, ast.AnnAssign) else above.targets[0].id
        node = above
    return "module"


def is_expression(node, _):
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=attr)):
            return attr in EXPRESSIONS
    return False


def is_cache(node, parents):
    """`cache` or `lru_cache` as a decorator, or called."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in CACHES and isinstance(node.ctx, ast.Load):
            return not isinstance(parents[node], ast.Attribute)
    return False


@cache
def found(wanted):
    return {
        (str(module.path.relative_to(PACKAGE)), name)
        for module in modules().values()
        for name, _ in named(module.tree, wanted)
    }


def test_every_expression_is_listed_and_every_listed_one_is_there():
    assert found(is_expression) - listed("Expressions") == set()
    assert listed("Expressions") - found(is_expression) == set()


def test_every_cache_is_listed_and_every_listed_one_is_there():
    assert found(is_cache) - listed("Caches") - listed("Caches of what is ours") == set()
    lost = {(module, name) for module, name in listed("Caches") | listed("Caches of what is ours")}
    assert {
        (module, name) for module, name in lost if name.strip("()") not in (PACKAGE / module).read_text("utf-8")
    } == set()


def test_expressions_come_from_re_alone():
    """So that the search above finds them all."""
    others = [
        f"{module.name}:{node.lineno}"
        for module in modules().values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and node.module in {"re", "regex"}
    ]
    assert others == []


@pytest.mark.parametrize(
    "source",
    [
        "@cache\ndef f(x): ...",
        "@lru_cache(maxsize=None)\ndef f(x): ...",
        "f = lru_cache(5)(g)",
        "@functools.cache\ndef f(x): ...",
    ],
)
def test_a_cache_is_found_however_it_is_written(source):
    assert {name for name, _ in named(ast.parse(source), is_cache)} == {"f"}


# ── what the list says of an expression, as far as a machine can tell ──


def compiled():
    """The expressions that are names of a module, with what the list calls each."""
    for module, names, (_, worst) in rows("Expressions"):
        for name in names:
            if "(" not in name:
                home = importlib.import_module("thresher." + module.removesuffix(".py").replace("/", "."))
                pattern = getattr(home, name)
                if isinstance(pattern, re.Pattern):
                    yield f"{module} {name}", pattern, worst.partition(":")[0]


def endless(tree):
    """The kinds of all repetitions without an end, and whether one stands within another that can give back."""
    for kind, value in tree:
        if kind in {kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT}:
            _, most, inner = value
            if most is kinds.MAXREPEAT:
                yield kind, any(True for _ in endless(inner)) and kind is not kinds.POSSESSIVE_REPEAT
            yield from endless(inner)
        else:
            yield from (each for inner in trees(value) for each in endless(inner))


def trees(value):
    if isinstance(value, parser.SubPattern):
        yield value
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from trees(each)


@pytest.mark.parametrize(
    ("name", "pattern", "worst"), list(compiled()), ids=lambda each: each if isinstance(each, str) else ""
)
def test_an_expression_is_what_the_list_calls_it(name, pattern, worst):
    repeated = list(endless(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)))
    assert not any(nested for _, nested in repeated), (
        "a repetition within a repetition that can give back is exponential"
    )
    if worst == "no repetition":
        assert repeated == []
    elif worst == "possessive":
        assert {kind for kind, _ in repeated} == {kinds.POSSESSIVE_REPEAT}
    else:
        assert worst in {"once", "last", "parted", "ours", "bounded"}


def test_what_is_exponential_would_be_seen():
    assert [nested for _, nested in endless(parser.parse("(a+)+$"))] == [True, False]
    assert not any(nested for _, nested in endless(parser.parse("(?:a++)++$")))
