"""Bytes of a document in, its page out; and the process that does this, one document after the other, with limits on time and memory.

Started as `python -m thresher.documents.page_maker SOCKET SECONDS MEMORY`: an open file descriptor, the CPU seconds that a document may
take, and the bytes of memory that the process may hold.
"""

import contextlib
import logging
import os
import resource
import signal
import socket
import sys
import warnings

import msgspec

from thresher.documents.draft import MOST_CHARACTERS, DocumentFault, Draft, EnoughRead, broken, too_large
from thresher.documents.page_orders import ReadAnswer, ReadOrder, decode_order

_LENGTH = 4


def page_of_document(kind: str, body: bytes, content_type: str = "") -> bytes:
    """A document as HTML in UTF-8."""
    draft = Draft()
    try:
        # The beginning is what is read of a very long one.
        with contextlib.suppress(EnoughRead):
            _read(kind, body, content_type, draft)
        return draft.html()
    except DocumentFault:
        raise
    except MemoryError as error:
        raise too_large("it takes too much memory to read") from error
    except Exception as error:  # a file can make a library raise anything
        raise broken(f"{type(error).__name__}: {error}") from error


def _read(kind: str, body: bytes, content_type: str, draft: Draft) -> None:
    """Have its reader read it. Imported when it is needed: PDFium alone takes some megabytes."""
    match kind:
        case "pdf":
            from thresher.documents.pdf import read_pdf  # noqa: PLC0415

            read_pdf(body, draft)
        case "docx":
            from thresher.documents.office import read_docx  # noqa: PLC0415

            read_docx(body, draft)
        case "odt":
            from thresher.documents.office import read_odt  # noqa: PLC0415

            read_odt(body, draft)
        case "epub":
            from thresher.documents.epub import read_epub  # noqa: PLC0415

            read_epub(body, draft)
        case "rtf":
            from thresher.documents.rtf import read_rtf  # noqa: PLC0415

            read_rtf(body, draft)
        case "md":
            from thresher.documents.markdown import read_markdown  # noqa: PLC0415
            from thresher.parse.encoding import utf8  # noqa: PLC0415

            text = utf8(body, content_type).decode("utf-8", "replace")
            read_markdown(text[:MOST_CHARACTERS], draft)
        case _:
            raise broken(f"there is no reader of {kind}")


# ── the process ──


def answer_to(order: ReadOrder) -> ReadAnswer:
    """Read one document."""
    try:
        return ReadAnswer(page_of_document(order.kind, order.body, order.content_type))
    except DocumentFault as fault:
        return ReadAnswer(b"", fault.why, fault.detail)


def serve(line: socket.socket, seconds: float) -> None:
    """Answer orders until the other end is gone."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            frame = _received(line, int.from_bytes(_received(line, _LENGTH), "big"))
            # It counts the time that this process works. When it is over the system ends the process, whatever that is doing.
            signal.setitimer(signal.ITIMER_PROF, seconds)
            answer = msgspec.msgpack.encode(answer_to(decode_order(frame)))
            signal.setitimer(signal.ITIMER_PROF, 0)
            line.sendall(len(answer).to_bytes(_LENGTH, "big"))
            line.sendall(answer)


def _received(line: socket.socket, size: int) -> bytearray:
    found = bytearray(size)
    view, place = memoryview(found), 0
    while place < size:
        count = line.recv_into(view[place:])
        if not count:
            raise EOFError
        place += count
    return found


def _limit_memory(most: int) -> None:
    """Past it the system gives no more, and a bomb ends as a MemoryError."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Be a reader."""
    descriptor, seconds, memory = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    _limit_memory(memory)
    # Ctrl-C reaches every process of the terminal; whoever asks says what happens then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    serve(socket.socket(fileno=descriptor), seconds)


if __name__ == "__main__":
    main()
    os._exit(0)
