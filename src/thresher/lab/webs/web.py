"""What a web that can be served must be able to say."""

from typing import NamedTuple, Protocol


class Answer(NamedTuple):
    """One page as a server would give it."""

    body: bytes
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    """The content type; empty to send none."""
    headers: tuple[tuple[str, str], ...] = ()


class Web(Protocol):
    """Pages by host and path. The same question always gets the same answer."""

    def page(self, host: str, path: str) -> Answer | None:
        """The answer of a host, named as in a Host header (with its port, if any); None if there is no such page."""
