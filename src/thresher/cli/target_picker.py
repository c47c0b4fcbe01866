"""Browse the classes of a taxonomy at a terminal, and mark those that are sought."""

from collections.abc import Mapping, Sequence

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thresher.classify.class_tree import SEPARATOR, ClassTree
from thresher.classify.learnt_folder import ClassSize

_HELP = "A number goes down; + and numbers, with commas between, mark or unmark; .. goes up; Enter ends"


class TargetPicker:
    """Shows one level of the tree at a time, and asks."""

    def __init__(self, sizes: Mapping[str, ClassSize], marked: Sequence[str], console: Console) -> None:
        self._tree, self._sizes, self._console = ClassTree(sizes), sizes, console
        self._marked = dict.fromkeys(marked)
        self._here = ""

    def pick(self) -> list[str]:
        """The paths that were marked when the person was done."""
        while True:
            self._draw()
            answer = click.prompt(_HELP, default="", show_default=False, err=True).strip()
            if not answer:
                return list(self._marked)
            if not self._obey(answer):
                self._console.print(f"{answer!r} is none of these.", markup=False)

    def _obey(self, answer: str) -> bool:
        """Do what was typed; False if it makes no sense."""
        if answer == "..":
            self._here = self._here.rpartition(SEPARATOR)[0]
            return True
        chosen = self._numbered(answer.removeprefix("+"))
        if not chosen:
            return False
        if answer.startswith("+") or len(chosen) > 1 or not self._tree.children(chosen[0]):
            for path in chosen:
                self._toggle(path)
        else:
            self._here = chosen[0]
        return True

    def _numbered(self, text: str) -> list[str]:
        here = {str(number): path for number, path in enumerate(self._tree.children(self._here), 1)}
        numbers = [part.strip() for part in text.split(",")]
        return [here[each] for each in numbers] if here.keys() >= set(numbers) else []

    def _toggle(self, path: str) -> None:
        if path in self._marked:
            del self._marked[path]
        else:
            self._marked[path] = None

    def _draw(self) -> None:
        self._console.print(f"[bold]{escape(self._here) or 'All classes'}[/]")
        table = Table.grid(padding=(0, 2))
        for number, path in enumerate(self._tree.children(self._here), 1):
            mark = "[green]●[/]" if path in self._marked else ""
            below = self._tree.children(path)
            more = f"{len(below)} below" if below else ""
            examples = size_of(path, self._tree, self._sizes).examples
            name = escape(path.rpartition(SEPARATOR)[2])
            table.add_row(str(number), mark, name, f"[dim]{examples:,} examples[/]", f"[dim]{more}[/]")
        self._console.print(table)
        if self._marked:
            self._console.print(f"Marked: {', '.join(self._marked)}", markup=False, soft_wrap=True)


def size_of(path: str, tree: ClassTree, sizes: Mapping[str, ClassSize]) -> ClassSize:
    """The pages of a node: the sum over the classes at it and below it."""
    return sum((sizes[label] for label in tree.classes(path)), ClassSize())
