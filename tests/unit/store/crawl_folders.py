"""A crawl folder to keep pages in, and two foreign readers of its WARC files."""

import io
import warnings
from contextlib import closing, contextmanager

import pytest
from warcio.archiveiterator import ArchiveIterator

from thresher.disk.ledger import Ledger
from thresher.store.catalogue import Catalogue

with warnings.catch_warnings():
    # FastWARC 1.1 complains of its own old names while it is imported.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator as FastIterator


class Folder:
    """A crawl folder that can be opened again and again."""

    def __init__(self, path):
        self.path, self.warc = path, path / "warc"

    @contextmanager
    def opened(self, **options):
        ledger = Ledger(self.path / "crawl.sqlite", commit_every=1e9)
        with closing(ledger), closing(Catalogue(ledger, self.warc, **options)) as store:
            yield store, ledger

    def files(self):
        return sorted(self.warc.glob("*.warc.gz"))

    def records(self):
        """(type, target, payload) of every record, as warcio reads it; digests are checked."""
        return [record for path in self.files() for record in _with_warcio(path)]

    def records_again(self):
        """The same as FastWARC reads it."""
        return [record for path in self.files() for record in _with_fastwarc(path)]


def _with_warcio(path):
    with path.open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            yield record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), record.raw_stream.read()


def _with_fastwarc(path):
    for record in FastIterator(io.BytesIO(path.read_bytes()), parse_http=True):
        yield str(record.record_type), record.headers.get("WARC-Target-URI"), record.reader.read()


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)
