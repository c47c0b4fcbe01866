"""A fetcher around another: an answer that is a document comes back with its page."""

from dataclasses import replace

from thresher.documents.kinds import recognised
from thresher.documents.process import ReaderProcess
from thresher.model import Failed, Fetched, Rendition, Response, Url
from thresher.ports import Fetcher


class DocumentFetcher:
    """Has documents read by a process beside; without one their bytes are kept, and no words are made of them."""

    def __init__(self, inner: Fetcher, reader: ReaderProcess | None) -> None:
        self._inner, self._reader = inner, reader

    async def fetch(self, url: Url) -> Fetched:
        """Get one url, once."""
        fetched = await self._inner.fetch(url)
        if not isinstance(fetched, Response) or not 200 <= fetched.status < 300:
            return fetched
        kind = recognised(fetched)
        return fetched if not kind else await self._with_page(fetched, kind)

    async def close(self) -> None:
        """Let go of connections, and end the reader."""
        await self._inner.close()
        if self._reader is not None:
            await self._reader.close()

    async def _with_page(self, response: Response, kind: str) -> Fetched:
        if self._reader is None:
            return replace(response, rendition=Rendition(b"", kind))
        read = await self._reader.read(kind, response.body, response.header("content-type") or "")
        return read if isinstance(read, Failed) else replace(response, rendition=read)
