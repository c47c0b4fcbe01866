"""A web in a dictionary: a fetcher for tests of whole crawls that need no network."""

from collections.abc import Mapping

from thresher.model import Failed, Fetched, Response, Url
from thresher.urls import canonical


class SimulatedWeb:
    """Answers from a mapping of url → HTML, or url → any outcome; everything else is a 404. Remembers what was asked."""

    def __init__(self, pages: Mapping[str, str | Fetched]) -> None:
        self._pages: dict[Url, str | Fetched] = {}
        for text, answer in pages.items():
            url = canonical(text)
            assert url is not None, text
            self._pages[url] = answer
        self.asked: list[Url] = []

    async def fetch(self, url: Url) -> Fetched:
        """Look the url up."""
        self.asked.append(url)
        answer = self._pages.get(url, "")
        if not isinstance(answer, str):
            return answer
        body = answer.encode()
        kind = ((b"content-type", b"text/html; charset=utf-8"),)
        return Response(url, 200 if answer else 404, kind, body, body)

    async def close(self) -> None:
        """Nothing to let go of."""


def redirect(url: str, target: str, status: int = 301) -> Response:
    """An answer that leads elsewhere."""
    source = canonical(url)
    assert source is not None, url
    return Response(source, status, ((b"location", target.encode()),), b"", b"")


def broken(why: str = "timeout") -> Failed:
    """An answer that never comes."""
    return Failed(why, retry=False)
