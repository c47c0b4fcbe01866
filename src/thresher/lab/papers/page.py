"""One page with all reproductions, such as `docs/papers/reproductions.md`: a section each, which a new run of its experiment replaces.

The page is what the command wrote: its head is written anew each time, the sections of other experiments stay as they are.
"""

from pathlib import Path

from thresher.disk.atomic_file import write_whole
from thresher.errors import BadInput
from thresher.lab.papers import PAPERS
from thresher.lab.papers.reproduction import Reproduction, as_markdown, plot_file

PICTURES = Path("pictures", "reproductions")
"""Where the plots go, beside the page."""
_HEAD = """\
# The papers' experiments, run again

Each paper's own comparison in its own design, as far as that is possible without the web, the search engines and the licences of its
time. Its printed numbers stand beside ours, and each section says why they differ, and how much was learnt before the crawls began.
One command writes this page:

```sh
thresher lab reproduce all --webs ../shared/webs --into reproduced --jobs 2 --page docs/papers/reproductions.md
```

`--webs` names the folder of the recorded webs *schools*, *webkb*, *foldoc* and *womenshealth*, each a `NAME.toml` with its WARC and
labels as [the lab](../guides/lab.md#the-papers-experiments) has it; they are not part of Thresher. The name of one paper instead of
`all` writes its section anew and leaves the others. [What differs from the papers, and why](differences.md) lists how each text was
read. Mind the number of topics when you read the verdicts: a few topics prove little, here as in the papers.
"""


def update_page(path: Path, made: Reproduction, run: str) -> None:
    """Put a reproduction into the page, in the place of its earlier section, with a line that says when it was run."""
    sections = sections_of(path)
    sections[made.name] = _section(made, run)
    pictures = path.parent / PICTURES
    try:
        pictures.mkdir(parents=True, exist_ok=True)
        for number, (_, svg) in enumerate(made.plots, 1):
            (pictures / plot_file(made, number)).write_text(svg, "utf-8")
        write_whole(path, "\n".join([_HEAD, *(sections[name] for name in _order(sections))]).encode())
    except OSError as error:
        raise BadInput(f"--page {path}: cannot be written: {error.strerror}; choose another") from error


def _section(made: Reproduction, run: str) -> str:
    text = as_markdown(made).replace(f"]({made.name}-", f"]({PICTURES.as_posix()}/{made.name}-")
    title, rest = text.split("\n\n", 1)
    return f"{title}\n\n{run}\n\n{rest}"


def sections_of(path: Path) -> dict[str, str]:
    """The sections that stand in the page, by the name of their experiment; a page of another kind is an error."""
    if not path.exists():
        return {}
    try:
        parts = path.read_text("utf-8").split("\n## ")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"--page {path}: cannot be read: {error}; choose another") from error
    if parts[0].split("\n", 1)[0] != _HEAD.split("\n", 1)[0]:
        raise BadInput(f"--page {path}: this is another page, and would be lost; choose another")
    return {part.split("\n", 1)[0]: f"## {part.rstrip()}\n" for part in parts[1:]}


def _order(sections: dict[str, str]) -> list[str]:
    return [name for name in PAPERS if name in sections] + [name for name in sections if name not in PAPERS]
