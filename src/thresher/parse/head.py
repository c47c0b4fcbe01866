"""What a page says about itself, mostly in its head: title, description, language, base, orders to robots."""

from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from thresher.parse.hints import ROBOT
from thresher.parse.text import plain


@dataclass(slots=True)
class Head:
    """Filled in on the way; of each thing the first one counts."""

    title: str = ""
    language: str = ""
    base: str = ""
    canonical: str = ""
    named: dict[str, str] = field(default_factory=dict)
    """The meta elements: name, property or http-equiv in lower case, and the content."""
    robots: list[str] = field(default_factory=list)
    """All that is said to robots, and to ours by name."""


def note_html(head: Head, node: LexborNode) -> None:
    """`<html lang>`."""
    attributes = node.attributes
    head.language = attributes.get("lang") or attributes.get("xml:lang") or ""


def note_title(head: Head, node: LexborNode) -> None:
    """`<title>`."""
    if not head.title and (child := node.first_child) is not None:
        head.title = plain(child.text_content or "")


def note_base(head: Head, node: LexborNode) -> None:
    """`<base href>`: where relative urls start."""
    head.base = head.base or node.attributes.get("href") or ""


def note_link(head: Head, node: LexborNode) -> None:
    """`<link rel=canonical>`: the page's own name for its address."""
    attributes = node.attributes
    if not head.canonical and "canonical" in (attributes.get("rel") or "").lower().split():
        head.canonical = attributes.get("href") or ""


def note_meta(head: Head, node: LexborNode) -> None:
    """`<meta>` in its three forms."""
    attributes = node.attributes
    content = attributes.get("content")
    name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv")
    if name and content:
        name = name.strip().lower()
        head.named.setdefault(name, content)
        if name in {"robots", ROBOT}:
            head.robots.append(content)
