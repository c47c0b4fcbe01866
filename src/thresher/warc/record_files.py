"""The WARC files of a crawl by their numbers, wherever it lives."""

from thresher.disk.crawl_home import Home
from thresher.disk.folder import CrawlFolder
from thresher.disk.found_rows import Read
from thresher.warc.files import warc_paths
from thresher.warc.reader import RecordFiles

_FILES = "SELECT id, name, size, coalesce(place, '') FROM warc"


def record_files(home: Home, read: Read) -> RecordFiles:
    """The files of a crawl, for `Playback`."""
    if isinstance(home, CrawlFolder):
        return warc_paths(read, home.warc)
    from thresher.warc.shared_files import SharedFile  # noqa: PLC0415 - psycopg is an extra

    return {row[0]: SharedFile(*row) for row in read(_FILES)}
