"""No text of the web becomes HTML or a script in the window: what could make it so takes constants only."""

import ast
from copy import deepcopy

import pytest
from tests.structure.house import PACKAGE, modules

VIEW = [module for module in modules().values() if module.room == "view"]
DRAWS_HTML = {"html", "markdown", "restructured_text", "mermaid", "add_body_html", "add_head_html", "chat_message"}
"""Functions that take their text for HTML, or make HTML of it."""
CONSTANT = {*DRAWS_HTML, "run_javascript", "add_css", "add_slot", "props", "default_props", "from_template"}
"""Functions whose texts are HTML, scripts, templates or attributes: a title with a quote in it could become anything there."""
NEVER = {"text_html", "html_columns", "sanitize", "cellRenderer", "allowHtml", "allow_html"}
"""Keys and parameters that switch HTML on, or the cleaning of it off."""
SCRIPTS = {"template", "formatter", "js_handler", "valueFormatter", "cellStyle", "comparator"}
"""Keys and parameters whose texts are scripts or templates."""
SPELLS = ("v-html", "innerhtml", "outerhtml", "document.write", "insertadjacenthtml", "javascript:")
OWN_FILES = ("_STYLE.read_text", "_SCRIPT.read_text", "_style()")
"""Style sheets and scripts of ours, read from their files."""


class _Folded(ast.NodeTransformer):
    """Puts a text in the place of a name that stands for nothing but texts of the source."""

    def __init__(self, tree):
        given, other = set(), set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                names = {target.id for target in node.targets if isinstance(target, ast.Name)}
                (given if _is_constant(node.value) else other).update(names)
            elif isinstance(node, ast.arg):
                other.add(node.arg)
        self._texts = given - other

    def visit_Name(self, node):
        return ast.copy_location(ast.Constant(""), node) if node.id in self._texts else node


def faults(tree):
    """What a module does that could run what a page says, each with its line."""
    tree = _Folded(tree).visit(deepcopy(tree))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from ((node.lineno, fault) for fault in _of_call(node))
        elif isinstance(node, ast.Dict):
            yield from ((node.lineno, fault) for fault in _of_dict(node))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield from ((node.lineno, spell) for spell in SPELLS if spell in node.value.lower())


def _of_call(call):
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    texts = [
        *call.args[name == "add_slot" :],  # the first that a slot takes is its name
        *(keyword.value for keyword in call.keywords if keyword.arg in {None, "add", "remove", "replace"}),
    ]
    if name in CONSTANT and not all(map(_is_constant, texts)):
        yield f"{name} of something that is not constant"
    for keyword in call.keywords:
        if keyword.arg == "html" and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is False):
            yield "html= is on"
        yield from _of_key(keyword.arg or "", keyword.value)


def _of_dict(table):
    for key, value in zip(table.keys, table.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield from _of_key(key.value, value)


def _of_key(key, value):
    if key in NEVER:
        yield f"{key} lets HTML through"
    # NiceGUI takes the text under a key that begins with a colon for a script.
    if (key in SCRIPTS or key.startswith(":")) and not _is_constant(value):
        yield f"{key} is not constant"
    if key == "tooltip" and isinstance(value, ast.Dict) and not _draws_on_canvas(value):
        yield "a tooltip that is HTML: say renderMode richText, or show no tooltip"


def _draws_on_canvas(table):
    said = {
        ast.unparse(key) if key else "": ast.unparse(value) for key, value in zip(table.keys, table.values, strict=True)
    }
    return said.get("'renderMode'") == "'richText'" or said.get("'show'") == "False"


def _is_constant(node):
    """A text that stands in the source; or the name of one that does, in capitals; or one of our own files."""
    match node:
        case ast.IfExp():
            found = _is_constant(node.body) and _is_constant(node.orelse)
        case ast.JoinedStr():
            found = all(
                _is_constant(part.value if isinstance(part, ast.FormattedValue) else part) for part in node.values
            )
        case ast.Attribute():
            found = node.attr == "template"  # it is constant where it is given
        case ast.Name():
            found = node.id.isupper()
        case _:
            found = isinstance(node, ast.Constant) or ast.unparse(node).startswith(OWN_FILES)
    return found


@pytest.mark.parametrize("module", VIEW, ids=lambda module: module.leaf)
def test_nothing_of_the_web_becomes_html_or_a_script(module):
    assert list(faults(module.tree)) == []


@pytest.mark.parametrize("path", sorted((PACKAGE / "view").rglob("*.[jc]s*")), ids=lambda path: path.name)
def test_no_script_or_style_of_ours_makes_html_or_asks_elsewhere(path):
    text = path.read_text("utf-8").lower()
    assert [spell for spell in (*SPELLS, "eval(", "new function", "://") if spell in text] == []


@pytest.mark.parametrize(
    "source",
    [
        "ui.html(title)",
        "ui.html(f'<b>{title}</b>')",
        "ui.markdown(text)",
        "ui.add_body_html('<p>' + title)",
        "ui.label(title).props(f'aria-label=\"{title}\"')",
        "ui.run_javascript(f'show({title!r})')",
        "ui.tooltip(title, html=True)",
        "ui.notify(title, html=flag)",
        "ui.chat_message(title, text_html=True)",
        "ui.aggrid(options, html_columns=[1])",
        "table.add_slot('body', f'<td>{title}</td>')",
        "table.add_slot('body', '<td v-html=\"x\"/>')",
        "options = {'tooltip': {'trigger': 'axis'}}",
        "options = {'tooltip': {'renderMode': 'richText', 'formatter': title}}",
        "options = {':valueFormatter': f'{title}'}",
        "options = {'cellRenderer': 'x'}",
        "options = {'tooltip': {**_TOOLTIP}}",
        "element.props['innerHTML'] = title",
        "look = f'{title}'\nui.label('a').props(look)",
        "def draw(look):\n    look = 'a' if look else 'b'\n    ui.label('a').props(look)",
        "Column('a', template=title)",
    ],
)
def test_the_rule_sees_what_could_run(source):
    assert list(faults(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        "ui.label(title)",
        "ui.html('<hr>')",
        "ui.label('a').props('dense')",
        "options = {'tooltip': {'renderMode': 'richText'}}",
        "element.props['aria-label'] = title",
        "look = 'dense' if flag else 'flat'\nui.label('a').props(look)",
        "table.add_slot(f'body-cell-{key}', each.template)",
    ],
)
def test_the_rule_lets_plain_text_be(source):
    assert not list(faults(ast.parse(source)))
