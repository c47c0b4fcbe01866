"""The WARC files of one worker among several: it writes its own, and never another's.

Where the place is a folder, they are written there. A store cannot be appended to, and an object a page would be slow and dear: so for a
store they are written into a folder of the worker's machine first (the spool), and moved as soon as they are complete, which is when they
are large, some minutes old, or the worker ends. Until then the table `warc` says that they lie in the spool.
"""

from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from thresher.disk.atomic_file import sync
from thresher.errors import BadInput, LedgerLost, Missing
from thresher.model import Response
from thresher.warc.file_places import S3Store, WarcFolder
from thresher.warc.files import PREFIX, check_prefix
from thresher.warc.format import Earlier, Place, records, warcinfo
from thresher.warc.growing_file import FLUSH_BYTES, GrowingFile, file_name
from thresher.warc.shared_files import SharedFiles
from thresher.warc.shared_recovery import FileRows, put_in_order
from thresher.warc.uploads import Upload, Uploads
from thresher.warc.worker_locks import WorkerLock, new_worker


@dataclass(frozen=True)
class SharedWarcOptions:
    """How a worker writes its files."""

    prefix: str = PREFIX
    rotate_bytes: int = 1_000_000_000
    rotate_seconds: float = 300.0
    """After so long a file is complete, and goes to the store."""
    sync: bool = False
    """Whether each turn waits for the disk, so that a power cut takes nothing: for `durability = "safe"`."""
    patience: float = 60.0
    """How long a worker that ends waits for the store."""
    software: str = "Thresher"
    spool: Path | None = None
    """The folder in which files wait for a store: needed for one."""
    worker: str = field(default_factory=new_worker)
    """What the worker is called in the names of its files. No other may ever have the same."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        check_prefix(self.prefix)
        if self.rotate_bytes < 1 or self.rotate_seconds <= 0:
            raise BadInput("[store]: rotate_bytes must be at least 1, and rotate_seconds more than 0")


class SharedWarcWriter:
    """Appends responses to the worker's newest WARC file. `flush` must be called before each turn is sent."""

    def __init__(
        self,
        place: WarcFolder | S3Store,
        files: SharedFiles,
        tables: tuple[FileRows, ...],
        options: SharedWarcOptions | None = None,
    ) -> None:
        """Put in order what killed workers left in the folder, and begin."""
        self._files, self._options = files, options or SharedWarcOptions()
        self.worker = self._options.worker
        folder = _folder_of(place, self._options.spool)
        place.prepare()
        folder.prepare()
        self._folder = folder.path
        self._here = f"{folder.name}#{place.name}" if isinstance(place, S3Store) else folder.name
        self._locks = {self.worker: WorkerLock.taken(self._folder, self.worker, files.crawl)}
        self._uploads = Uploads(place) if isinstance(place, S3Store) else None
        self._uncopied: dict[str, int] = {}
        """How many files of each worker are still to be moved."""
        self._copied: list[Upload] = []
        self._file: GrowingFile | None = None
        self._serial, self._begun_at = 0, 0.0
        self.lost = sum(self._take_over(lock, tables) for lock in WorkerLock.of_the_dead(self._folder, files.crawl))
        """Pages of killed workers whose bodies were found missing."""

    def append(self, response: Response, at: float, digest: bytes, earlier: Earlier | None = None) -> Place:
        """Add a response and its request; a revisit record if the same bytes were kept earlier."""
        made = records(response, at, digest, earlier)
        if self._file is None:
            self._file = self._begun(at)
        place = self._file.add(made)
        if self._file.size >= self._options.rotate_bytes:
            self._write(self._file)
            self._complete()
        elif self._file.waiting > FLUSH_BYTES:
            self._write(self._file)
        return place

    def flush(self) -> None:
        """Hand everything to the operating system: with the turn that is sent next it is safe from kill -9."""
        if self._file is not None:
            self._write(self._file)
        self.tend()

    def tend(self) -> None:
        """See to files that are old, and to those that are in the store by now; now and then, also while no page comes."""
        if self._uploads is None:
            return
        if self._file is not None and monotonic() - self._begun_at >= self._options.rotate_seconds:
            self._write(self._file)
            self._complete()
        self._copied += self._uploads.copied()
        if self._copied:
            self._note_moved(self._uploads.store)

    def close(self) -> None:
        """End the file and wait a while for the store. To be called after the last turn is sent."""
        try:
            self.flush()
        finally:
            self._complete()
            if self._uploads is not None:
                self._uploads.close(self._options.patience)
                self.tend()
            for worker in list(self._locks):
                self._let_go(worker)

    def _take_over(self, lock: WorkerLock, tables: tuple[FileRows, ...]) -> int:
        self._locks[lock.worker] = lock
        left = put_in_order(self._folder, lock.worker, self._files, tables)
        if self._uploads is not None:
            for number, path in left.whole:
                self._upload(Upload(number, path, lock.worker))
        if not self._uncopied.get(lock.worker):
            self._let_go(lock.worker)
        return left.lost

    def _begun(self, at: float) -> GrowingFile:
        self._serial, self._begun_at = self._serial + 1, monotonic()
        name = file_name(self._options.prefix, at, self._serial, self.worker)
        file = GrowingFile(self._folder / name)
        try:
            file.number = self._files.begin(name, self._here)
        except BaseException:
            file.close()
            file.path.unlink(missing_ok=True)
            raise
        if self._options.sync:
            sync(self._folder)
        file.gather(warcinfo(name, at, self._options.software))
        return file

    def _write(self, file: GrowingFile) -> None:
        if file.write() and self._options.sync:
            file.sync()

    def _complete(self) -> None:
        """The file is as long as it will be."""
        if self._file is None:
            return
        file, self._file = self._file, None
        file.close()
        if self._uploads is not None:
            self._upload(Upload(file.number, file.path, self.worker))

    def _upload(self, upload: Upload) -> None:
        assert self._uploads is not None
        self._uncopied[upload.worker] = self._uncopied.get(upload.worker, 0) + 1
        self._uploads.add(upload)

    def _note_moved(self, store: S3Store) -> None:
        while self._copied:
            upload = self._copied[0]
            try:
                self._files.moved(upload.number, store.name)
            except LedgerLost:  # the next turn says so as well, and its patience is greater
                return
            self._copied.pop(0)
            upload.path.unlink(missing_ok=True)
            self._uncopied[upload.worker] -= 1
            if upload.worker != self.worker and not self._uncopied[upload.worker]:
                self._let_go(upload.worker)

    def _let_go(self, worker: str) -> None:
        """Of the lock: it stays for the next worker if files are left here that belong into the store."""
        lock = self._locks.pop(worker)
        if self._uncopied.get(worker):
            lock.release()
        else:
            lock.remove()


def _folder_of(place: WarcFolder | S3Store, spool: Path | None) -> WarcFolder:
    if isinstance(place, WarcFolder):
        return place
    if spool is None:
        raise Missing(f"files for {place.name} are gathered in a folder of this machine first: name one")
    return WarcFolder(spool)
