"""What mkdocs needs to know of this repository: pages that lie outside docs, and links to files that have no page on the site."""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
PAGES = {
    "ARCHITECTURE.md": "design/architecture.md",
    "CONTRIBUTING.md": "design/contributing.md",
    "CHANGELOG.md": "reference/changelog.md",
    "README.md": "index.md",
}
"""Files of the root and their places on the site. The home page stands for the README."""
FENCED = re.compile(r"(^ *```.*?^ *```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s:#]+)(#[^)\s]*)?\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that lie outside docs."""
    from mkdocs.structure.files import File  # noqa: PLC0415 — tests read this module where mkdocs is not installed

    for source, place in PAGES.items():
        if files.get_file_from_path(place) is None:
            files.append(File.generated(config, place, content=(ROOT / source).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Send links to files outside docs to their pages, to the repository if `repo_url` is set, or leave their names as code."""
    del files
    place = page.file.src_uri
    sources = {place: source for source, place in PAGES.items() if page.file.generated_by}
    source = sources.get(place, f"docs/{place}")
    return relinked(markdown, source, place, config.repo_url)


def relinked(markdown: str, source: str, place: str, repository: str | None) -> str:
    """The page of the file `source`, with links that hold at `place` on the site."""
    change = _changer(source, place, repository)
    parts = FENCED.split(markdown)
    return "".join(part if number % 2 else LINK.sub(change, part) for number, part in enumerate(parts))


def _changer(source: str, place: str, repository: str | None) -> Callable[[re.Match[str]], str]:
    def change(link: re.Match[str]) -> str:
        words, path, anchor = link.group(1), link.group(2), link.group(3) or ""
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        inside = PAGES.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else None)
        if inside is not None:
            return f"[{words}]({posixpath.relpath(inside, posixpath.dirname(place) or '.')}{anchor})"
        if not (ROOT / target).exists():
            return link.group()  # mkdocs says that it is broken
        if repository:
            return f"[{words}]({repository.rstrip('/')}/blob/main/{target}{anchor})"
        return words if target in words else f"{words} (`{target}`)"

    return change
