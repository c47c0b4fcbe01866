"""WARC files as others write them, for the tests of recorded webs."""

from io import BytesIO

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

HTML = ("Content-Type", "text/html; charset=utf-8")


class Others:
    """A WARC file in the making, by warcio."""

    def __init__(self, path, *, gzip=True):
        self._path = path
        self._file = path.open("wb")
        self._writer = WARCWriter(self._file, gzip=gzip)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def page(self, url, body=b"<p>hello", status="200 OK", headers=(HTML,), kind="response", **fields):
        head = StatusAndHeaders(status, list(headers), protocol="HTTP/1.1")
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        record = self._writer.create_warc_record(
            url, kind, payload=BytesIO(body), http_headers=head, warc_headers_dict=named
        )
        self._write(record)
        return record.rec_headers.get_header("WARC-Payload-Digest")

    def revisit(self, url, digest, refers, headers=(HTML,), status="200 OK"):
        head = StatusAndHeaders(status, list(headers), protocol="HTTP/1.1") if headers else None
        record = self._writer.create_revisit_record(url, digest, refers, "2026-01-01T00:00:00Z", http_headers=head)
        self._write(record)

    def other(self, url, kind, body=b"nothing of interest", content_type="text/plain"):
        record = self._writer.create_warc_record(url, kind, payload=BytesIO(body), warc_content_type=content_type)
        self._write(record)

    def _write(self, record):
        self._writer.write_record(record)
        # warcio leaves its temporary file open.
        record.raw_stream.close()

    def offset(self):
        return self._file.tell()


def web_of(path, pages, **options):
    """A WARC file of url → HTML."""
    with Others(path, **options) as made:
        for url, body in pages.items():
            made.page(url, body.encode())
    return path
