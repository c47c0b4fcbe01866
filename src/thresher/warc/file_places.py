"""Where the WARC files of a crawl with several workers lie: in a folder, or under an address of an S3-compatible store.

    /srv/crawls/iris        a folder that all workers see, or one on each machine
    s3://bucket/iris        a store; its credentials come from where Amazon's own tools look for them, and its server from AWS_ENDPOINT_URL

In the table `warc` a folder is called `file://MACHINE/folder`, since the same path is another folder on another machine. Where files wait
there to be moved into a store, the store's address stands behind a `#`.

Whether a place is there is told by a mark that is put into it before the first file. Where the mark cannot be seen, a disk may only be
unmounted, and nothing may be concluded from files that are missing.
"""

import os
import re
import socket
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar
from urllib.parse import quote, unquote, urlsplit

from thresher.errors import BadInput, Missing, NoAnswer, ThresherError
from thresher.install_hint import install_hint
from thresher.warc.growing_file import explained

_MARK = ".thresher-warcs"
_BUCKET = re.compile(r"[A-Za-z0-9][\w.-]{1,61}[A-Za-z0-9]", re.ASCII)
_PREFIX = re.compile(r"[\w!'()*./+=,:@ -]{0,500}", re.ASCII)
_PIECE = 16 << 20
"""What is sent of a long file at a time; two at once, so that memory stays bounded."""
_REFUSED = {"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "TokenRefreshRequired"}
_NO_RIGHT = {"AccessDenied", "403", "AllAccessDisabled", "AccountProblem", "MethodNotAllowed"}
_BEHIND_THE_END = {"InvalidRange", "416"}
T = TypeVar("T")


class WarcPlace(Protocol):
    """A folder or a store."""

    @property
    def name(self) -> str:
        """What it is called in the table `warc`."""

    def prepare(self) -> None:
        """Make it if it can be made, see whether it can be written to, and mark it."""

    def is_there(self) -> bool:
        """Whether it can be seen from here; NoAnswer or BadInput say why not, if that is known."""

    def sizes(self) -> dict[str, int]:
        """The files in it, and how long they are."""


class WarcFolder:
    """A folder of a machine."""

    def __init__(self, path: Path, machine: str = "") -> None:
        self.path, self.machine = path.absolute(), machine or this_machine()
        self.name = f"file://{self.machine}{quote(str(self.path))}"

    def prepare(self) -> None:
        """Make the folder and mark it as one of this machine's."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._mark.touch()
        except OSError as error:
            raise explained(error, self.path) from error

    def is_there(self) -> bool:
        """Whether this is the folder of that machine, and no other of the same path."""
        return self._mark.exists()

    def sizes(self) -> dict[str, int]:
        """The files in it, and how long they are."""
        with os.scandir(self.path) as entries:
            return {entry.name: entry.stat().st_size for entry in entries if entry.is_file()}

    @property
    def _mark(self) -> Path:
        return self.path / f"{_MARK}-{self.machine}"


class S3Store:
    """A part of a bucket: all that begins with a prefix. It keeps no credentials, and its name has none."""

    def __init__(self, bucket: str, prefix: str) -> None:
        self.bucket, self._under = bucket, "/".join(filter(None, (bucket, prefix)))
        self.name = f"s3://{self._under}"
        self._client: Any = None

    def prepare(self) -> None:
        """See whether files can be written here and read again."""
        self._do("write", lambda client: client.pipe_file(self._key(_MARK), b""))
        if self.size(_MARK) is None:
            raise NoAnswer(f"{self.name} does not have what was just written to it")

    def is_there(self) -> bool:
        """Whether the store answers, and is the one that was written to."""
        return self.size(_MARK) is not None

    def sizes(self) -> dict[str, int]:
        """The files in it, and how long they are."""
        found = self._do("list files", lambda client: client.find(self._under, maxdepth=1, detail=True, refresh=True))
        return {path.rpartition("/")[2]: int(each["size"]) for path, each in found.items()}

    def size(self, name: str) -> int | None:
        """How long a file is; None if there is none of that name."""
        try:
            return int(self._do("read", lambda client: client.info(self._key(name), refresh=True))["size"])
        except FileNotFoundError:
            return None

    def read(self, name: str, offset: int, length: int) -> bytes:
        """A range of a file, and no byte more."""
        found = self._do("read", lambda client: client.cat_file(self._key(name), start=offset, end=offset + length))
        return bytes(found)

    def take(self, path: Path) -> None:
        """Copy a file into the store, as a whole or not at all, and see that it is there."""
        whole = path.stat().st_size
        if self.size(path.name) != whole:
            pieces = {"chunksize": _PIECE, "max_concurrency": 2}
            self._do("write", lambda client: client.put_file(str(path), self._key(path.name), **pieces))
        if (found := self.size(path.name)) != whole:
            raise NoAnswer(f"{self.name} has {found} bytes of {path.name}, which has {whole}")

    def _key(self, name: str) -> str:
        return f"{self._under}/{name}"

    def _do(self, doing: str, call: Callable[[Any], T]) -> T:
        """Ask the store; what it says is told as one of our errors, but for a file that is not there."""
        s3fs, botocore = _libraries()
        try:
            if self._client is None:
                self._client = s3fs.S3FileSystem(**_CLIENT)
            return call(self._client)
        except (OSError, botocore.BotoCoreError, botocore.ClientError) as error:
            told = self._explained(error, doing, botocore)
            if told is None:
                raise
            raise told from error

    def _explained(self, error: Exception, doing: str, botocore: Any) -> ThresherError | None:
        """What went wrong. The words of the library are not repeated: they may have more of a request than should be shown."""
        code = _code(error)
        if code == "NoSuchBucket":
            return BadInput(f"{self.name}: there is no bucket {self.bucket}: make it first, or name another")
        if code in _REFUSED:
            return BadInput(
                f"{self.name}: the store refuses the credentials ({code}): see AWS_ACCESS_KEY_ID, AWS_PROFILE"
            )
        if code in _NO_RIGHT or isinstance(error, PermissionError):
            return BadInput(f"{self.name}: these credentials may not {doing} there ({code or 'no right'})")
        if isinstance(error, botocore.NoCredentialsError | botocore.PartialCredentialsError | botocore.ProfileNotFound):
            return Missing(
                f"{self.name} needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
            )
        if isinstance(error, FileNotFoundError) or code in _BEHIND_THE_END:
            return None
        server = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or "Amazon"
        return NoAnswer(f"{self.name} does not answer at {_without_login(server)}: {code or type(error).__name__}")


_CLIENT = {
    "skip_instance_cache": True,
    "use_listings_cache": False,
    # The library above it tries five times as well.
    "config_kwargs": {"connect_timeout": 10, "read_timeout": 60, "retries": {"max_attempts": 1}},
}


class FilePlace(NamedTuple):
    """What the table `warc` says of where a file lies."""

    at: WarcFolder | S3Store
    bound_for: S3Store | None = None
    """The store that it waits to be moved to."""

    @classmethod
    def of(cls, name: str) -> "FilePlace":
        """Read it."""
        at, _, bound_for = name.partition("#")
        later = _store(bound_for) if bound_for else None
        if at.startswith("s3://"):
            return cls(_store(at), later)
        parts = urlsplit(at)
        return cls(WarcFolder(Path(unquote(parts.path)), parts.netloc), later)


def place_of(written: str | Path) -> WarcFolder | S3Store:
    """The folder or the store that a person names."""
    text = str(written)
    scheme, found, _ = text.partition("://")
    if not found:
        return WarcFolder(Path(text).expanduser())
    if scheme != "s3":
        raise BadInput(f"WARC files go into a folder or to s3://BUCKET/PREFIX, but not to {scheme[:20]}://")
    return _store(text)


@lru_cache(maxsize=16)
def _store(address: str) -> S3Store:
    """One client for each store and process: it holds connections."""
    bucket, _, prefix = address.removeprefix("s3://").partition("/")
    if "@" in bucket:
        raise BadInput("the address of a store has no credentials: write s3://BUCKET/PREFIX, and set AWS_ACCESS_KEY_ID")
    if not _BUCKET.fullmatch(bucket) or not _PREFIX.fullmatch(prefix):
        raise BadInput(
            "the address of the store cannot be read: write s3://BUCKET/PREFIX, in ASCII and without ? and #"
        )
    _libraries()
    return S3Store(bucket, prefix.strip("/"))


def this_machine() -> str:
    """The name of the machine that we run on, as it can stand in an address."""
    plain = (sign if sign.isascii() and (sign.isalnum() or sign in "-.") else "-" for sign in socket.gethostname())
    return "".join(plain)[:60].lstrip("-.") or "localhost"


def _libraries() -> tuple[Any, Any]:
    try:
        import botocore.exceptions  # noqa: PLC0415 - an extra, and slow to load
        import s3fs  # noqa: PLC0415
    except ImportError as lacking:
        raise Missing(f"WARC files on s3:// need s3fs ({lacking}): {install_hint('s3')}") from lacking
    return s3fs, botocore.exceptions


def _code(error: BaseException | None) -> str:
    """The name that the store gave to what went wrong; the library above hides it in the cause."""
    while error is not None:
        answer = getattr(error, "response", None)
        if isinstance(answer, dict):
            return str(answer.get("Error", {}).get("Code", ""))[:40]
        error = error.__cause__
    return ""


def _without_login(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else url
