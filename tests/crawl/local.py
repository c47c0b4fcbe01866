"""A generated web on loopback, and `thresher` run against it as a real process."""

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import tomli_w
from warcio.archiveiterator import ArchiveIterator

from thresher.lab.webs.generated import GeneratedWeb


def crawl_file(path: Path, web: GeneratedWeb, port: int, **tables) -> Path:
    """A crawl file for the web as it is served on that port."""
    settings = {
        "topic": "iris, eye, pupil",
        "seeds": [next(web.urls(port))],
        "into": "crawl",
        "judge": {"name": "terms", "threshold": 0.1},
        "workers": 8,
        "polite": {"delay": 0, "allow_private": True} | tables.pop("polite", {}),
        "budget": {"dry_share": 0.0} | tables.pop("budget", {}),
        "fetch": {"resolve": dict.fromkeys(web.atlas.hosts, "127.0.0.1")} | tables.pop("fetch", {}),
        **tables,
    }
    path.write_text(tomli_w.dumps(settings), "utf-8")
    return path


def start(*arguments: object, files: int = 0) -> subprocess.Popen[bytes]:
    """`thresher …` as a process of its own, which may open so many files."""
    limited = ["bash", "-c", f'ulimit -n {files} && exec "$0" "$@"'] if files else []
    return subprocess.Popen(
        [*limited, sys.executable, "-m", "thresher", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def kill(process: subprocess.Popen[bytes]) -> None:
    """`kill -9`."""
    process.send_signal(signal.SIGKILL)
    process.communicate()


def finish(process: subprocess.Popen[bytes], seconds: float = 600) -> int:
    """Wait for its end; what it said is shown if it went wrong."""
    _, said = process.communicate(timeout=seconds)
    print(said.decode(errors="replace"))
    return process.returncode


def hands_of(brain: int) -> list[int]:
    """The process numbers of a crawl's hands."""
    children = Path(f"/proc/{brain}/task/{brain}/children")
    return [int(number) for number in children.read_text().split()] if children.exists() else []


def catalogued(folder: Path) -> list[str]:
    """The urls with an answer in the catalogue, as another process reads them."""
    if not (folder / "crawl.sqlite").exists():
        return []
    with closing(sqlite3.connect(f"file:{folder / 'crawl.sqlite'}?mode=ro", uri=True)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'visit'").fetchone():
            return []
        return [url for (url,) in connection.execute("SELECT url FROM visit WHERE status IS NOT NULL ORDER BY number")]


def archived(folder: Path) -> list[str]:
    """The urls with a response or revisit record in the WARC files, read to the end by warcio."""
    return [url for url, _ in _records(folder)]


def bodies(folder: Path) -> list[bytes]:
    """What those records hold."""
    return [body for _, body in _records(folder)]


def _records(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted((folder / "warc").glob("*.warc.gz")):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                body = record.content_stream().read()
                if record.rec_type in {"response", "revisit"}:
                    yield record.rec_headers.get_header("WARC-Target-URI"), body


def shown(folder: Path) -> dict[str, object]:
    """`thresher show --json`."""
    done = subprocess.run([sys.executable, "-m", "thresher", "show", folder, "--json"], capture_output=True, check=True)
    return json.loads(done.stdout)
