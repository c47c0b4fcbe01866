"""The process that reads documents: over its limits it is ended and replaced, and the document fails by name."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from tests.unit.documents import made

from thresher.documents.document_fetcher import DocumentFetcher, DocumentOptions, DocumentReader
from thresher.errors import BadInput
from thresher.model import Failed, Later, Rendition, Response, Url

URL = Url("http://a.example/eye")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is Linux's")
ENDLESS = b"{\\rtf1 " + b"{\\'e9\\u233?}" * 1_500_000 + b"}"
"""18 MB of braces, which take some ten seconds."""


def read(kind, body, **options):
    """What one document comes to, in a process of its own."""

    async def ask():
        reader = DocumentReader(DocumentOptions(**options))
        try:
            return await reader.read(kind, body, "")
        finally:
            await reader.close()

    return asyncio.run(ask())


def test_a_document_comes_back_as_a_page():
    found = read("rtf", made.RTF)
    assert isinstance(found, Rendition)
    assert found.by == "rtf"
    assert b"The iris" in found.html


def test_a_document_that_takes_too_long_is_too_slow():
    assert read("rtf", ENDLESS, seconds=0.5) == Failed(
        "document-too-slow", "it took longer than 0.5 s to read", retry=False
    )


def state_of(pid):
    """What the system says of a process: its state, and the CPU time that it has used, in ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return fields[0], int(fields[11])


@LINUX
def test_it_is_too_slow_also_if_the_crawl_is_busy_when_its_process_ends():
    async def be_busy(reader):
        while reader.pid is None or state_of(reader.pid)[1] < 40:
            await asyncio.sleep(0.01)
        while state_of(reader.pid)[0] != "Z":
            time.sleep(0.01)  # noqa: ASYNC251 - nothing else is done meanwhile

    async def ask():
        reader = DocumentReader(DocumentOptions(seconds=0.5))
        found, _ = await asyncio.gather(reader.read("rtf", ENDLESS, ""), be_busy(reader))
        await reader.close()
        return found

    assert asyncio.run(ask()).why == "document-too-slow"


@LINUX
def test_a_document_that_takes_too_much_memory_is_too_large():
    # One long run of letters, of which the reader needs several copies.
    found = read("rtf", b"{\\rtf1 " + b"a" * (100 << 20) + b"}", memory=256)
    assert isinstance(found, Failed)
    assert (found.why, found.retry) == ("document-too-large", False)


def test_a_broken_document_is_no_end_of_the_process():
    async def ask():
        reader = DocumentReader(DocumentOptions())
        first = await reader.read("docx", b"PK nonsense", "")
        pid = reader.pid
        second = await reader.read("rtf", made.RTF, "")
        same = reader.pid == pid
        await reader.close()
        return first, second, same

    first, second, same = asyncio.run(ask())
    assert isinstance(first, Failed)
    assert first.why == "document-broken"
    assert isinstance(second, Rendition)
    assert same


def test_a_reader_that_is_killed_in_mid_work_is_replaced_and_loses_nothing():
    async def ask():
        reader = DocumentReader(DocumentOptions())
        await reader.read("rtf", made.RTF, "")
        first = reader.pid
        under_way = asyncio.ensure_future(reader.read("rtf", ENDLESS[: 2 << 20], ""))
        await asyncio.sleep(0.2)
        assert not under_way.done()
        os.kill(first, signal.SIGKILL)
        found = await under_way
        second = reader.pid
        await reader.close()
        return first, second, found

    first, second, found = asyncio.run(ask())
    assert first != second
    assert isinstance(found, Rendition)


def test_a_reader_that_is_killed_while_it_waits_is_replaced():
    async def ask():
        reader = DocumentReader(DocumentOptions(seconds=1))
        await reader.read("rtf", made.RTF, "")
        os.kill(first := reader.pid, signal.SIGKILL)
        found = await reader.read("rtf", made.RTF, "")
        second = reader.pid
        await reader.close()
        return first, second, found

    first, second, found = asyncio.run(ask())
    assert first != second
    assert isinstance(found, Rendition)


def test_a_document_that_ends_its_reader_each_time_fails_by_name():
    async def ask():
        reader = DocumentReader(DocumentOptions())

        async def murder():
            while True:
                await asyncio.sleep(0.01)
                if reader.pid is not None:
                    os.kill(reader.pid, signal.SIGKILL)

        murderer = asyncio.ensure_future(murder())
        found = await reader.read("rtf", ENDLESS, "")
        murderer.cancel()
        await reader.close()
        return found

    found = asyncio.run(ask())
    assert isinstance(found, Failed)
    assert (found.why, found.retry) == ("document-crashed", False)


def test_documents_at_the_same_time_are_read_one_after_the_other():
    async def ask():
        reader = DocumentReader(DocumentOptions())
        found = await asyncio.gather(*(reader.read("rtf", made.RTF, "") for _ in range(5)))
        await reader.close()
        return found

    assert all(isinstance(each, Rendition) for each in asyncio.run(ask()))


def test_one_who_no_longer_waits_does_not_get_the_next_ones_answer():
    async def ask():
        reader = DocumentReader(DocumentOptions())
        first = asyncio.ensure_future(reader.read("rtf", ENDLESS[: 1 << 20], ""))
        await asyncio.sleep(0.5)
        first.cancel()
        found = await reader.read("rtf", made.RTF, "")
        await reader.close()
        return found

    assert b"The iris" in asyncio.run(ask()).html


@LINUX
def test_a_reader_ends_when_its_parent_is_killed():
    program = """
        import asyncio, sys
        from thresher.documents.document_fetcher import DocumentOptions, DocumentReader
        async def main():
            reader = DocumentReader(DocumentOptions())
            asking = asyncio.ensure_future(reader.read("rtf", b"{\\\\rtf1 " + b"{\\\\'e9}" * 3_000_000 + b"}", ""))
            while reader.pid is None:
                await asyncio.sleep(0.01)
            print(reader.pid, flush=True)
            await asking
        asyncio.run(main())
    """
    parent = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE)
    reader = Path("/proc") / parent.stdout.readline().decode().strip()
    assert reader.exists()
    parent.kill()
    parent.communicate()
    for _ in range(500):
        if not reader.exists():
            break
        time.sleep(0.02)
    assert not reader.exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seconds": 0}, "seconds is 0, but must be more than 0"),
        ({"memory": 5}, "memory is 5, but must be from 128 to 1,048,576 megabytes"),
        ({"memory": 10**13}, "memory is 10000000000000, but must be from 128 to 1,048,576 megabytes"),
        ({"max_bytes": 0}, "max_bytes is 0, but must be from 1"),
    ],
)
def test_options_that_make_no_sense_are_one_sentence(options, said):
    with pytest.raises(BadInput, match=said):
        DocumentOptions(**options)


# ── the fetcher ──


class Sent:
    """A fetcher that has one answer."""

    def __init__(self, answer):
        self._answer = answer

    async def fetch(self, url):
        return self._answer

    async def close(self):
        pass


def fetched(answer, *, reads=True):
    async def ask():
        fetcher = DocumentFetcher(Sent(answer), DocumentReader(DocumentOptions()) if reads else None)
        found = await fetcher.fetch(URL)
        await fetcher.close()
        return found

    return asyncio.run(ask())


def answer(body, content_type=None, url=URL, status=200):
    headers = () if content_type is None else ((b"Content-Type", content_type.encode()),)
    return Response(Url(url), status, headers, body, body)


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (answer(made.RTF, "text/rtf"), "rtf"),
        (answer(made.RTF, "application/octet-stream"), "rtf"),
        (answer(made.RTF), "rtf"),
        (answer(made.docx("<w:p/>"), "application/zip"), "docx"),
        (answer(made.odt("<text:p/>"), "application/octet-stream"), "odt"),
        (answer(made.epub({"a": "x"}), "binary/octet-stream"), "epub"),
    ],
)
def test_a_document_is_known_by_its_type_or_by_its_first_bytes(sent, kind):
    found = fetched(sent)
    assert found.rendition.by == kind
    assert found.raw == sent.raw


@pytest.mark.parametrize(
    "sent",
    [
        answer(b"<p>hello", "text/html"),
        answer(b"<p>hello"),
        answer(b"hello", "text/plain"),
        answer(made.RTF, "text/rtf", status=404),
        answer(made.RTF, "image/png"),
        Later("hand-lost", 1.0),
        Failed("timeout"),
    ],
)
def test_all_else_passes_as_it_is(sent):
    assert fetched(sent) is sent


def test_what_cannot_be_read_fails_by_name():
    assert fetched(answer(b"PK", made.ODT)).why == "document-broken"


def test_without_a_reader_the_bytes_are_kept_and_are_no_words():
    found = fetched(answer(b"%PDF-1.7 raw bytes", "text/html"), reads=False)
    assert found.rendition == Rendition(b"", "pdf")
