"""Example pages, as a person names them: web addresses or files in, their texts out, as short as embeddings read them."""

from collections.abc import Sequence
from pathlib import Path

from thresher.errors import BadInput, NoAnswer
from thresher.event_loops import run_to_end
from thresher.judge.meaning import page_text
from thresher.model import Response, Url
from thresher.parse.html import HtmlParser
from thresher.parse.xml_lists import MOST_BYTES
from thresher.seed.named_urls import seed_urls
from thresher.seed.polite_download import DownloadOptions, PoliteDownload

FEWEST, MOST = 5, 20
_LEAST = 40
"""Letters: a page with fewer says nothing that others could be like."""
_NOWHERE = Url("http://example.invalid/")


def example_texts(names: Sequence[str], reach: DownloadOptions) -> list[str]:
    """What each of these pages says, in order."""
    named = list(dict.fromkeys(names))
    if not FEWEST <= len(named) <= MOST:
        raise BadInput(
            f"--like names {len(named)} different pages, but it takes {FEWEST} to {MOST} of the kind that you look for"
        )
    return run_to_end(_texts(named, reach))


async def _texts(names: Sequence[str], reach: DownloadOptions) -> list[str]:
    return [await _text(name, reach) for name in names]


async def _text(name: str, reach: DownloadOptions) -> str:
    where, body = await _fetched(name, reach) if is_address(name) else (_NOWHERE, _read(name))
    kind = b"text/html" if b"<" in body else b"text/plain"
    text = page_text(HtmlParser().parse(Response(where, 200, ((b"content-type", kind),), body, body)))
    if len(text) < _LEAST:
        raise BadInput(f"--like {name}: there is hardly any text in it: {text!r}")
    return text


def is_address(name: str) -> bool:
    """Whether an example is to be fetched; otherwise it is a file."""
    return name.lower().startswith(("http://", "https://"))


async def _fetched(name: str, reach: DownloadOptions) -> tuple[Url, bytes]:
    start = seed_urls([name])[0]
    async with PoliteDownload(reach, start) as download:
        try:
            return await download.content(start)
        except NoAnswer as error:
            raise NoAnswer(f"--like {error}; save the page and name the file, or name another page") from error


def _read(name: str) -> bytes:
    try:
        with Path(name).open("rb") as file:
            return file.read(MOST_BYTES)
    except OSError as error:
        raise BadInput(
            f"--like {name}: {error.strerror}; name a file, or a web address with http:// or https://"
        ) from error
