"""The documentation web: manuals from Debian's packages, each a host of its own, and a portal page that links to all of them.

    record(folder)      # downloads the packages and writes web.warc.gz there; `CannotDownload` where Debian's packages cannot be had

The pages are those of the packages, with the links as they are: many lead out of the web, to pages that do not answer.
"""

import gzip
import io
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


class Manual(NamedTuple):
    """One manual: the package it is in, the folder of its pages in it, and its first page."""

    package: str
    folder: str
    first: str
    about: str


MANUALS = {
    "python": Manual("python3.11-doc", "usr/share/doc/python3.11/html", "index.html", "Python"),
    "postgresql": Manual("postgresql-doc-15", "usr/share/doc/postgresql-doc-15/html", "index.html", "PostgreSQL"),
    "apache": Manual("apache2-doc", "usr/share/doc/apache2-doc/manual", "en/index.html", "Apache HTTP server"),
    "git": Manual("git-doc", "usr/share/doc/git-doc", "index.html", "Git"),
    "sqlite": Manual("sqlite3-doc", "usr/share/doc/sqlite3", "index.html", "SQLite"),
    "libstdcxx": Manual("libstdc++-12-doc", "usr/share/doc/gcc-12-base/libstdc++", "index.html", "GNU C++ library"),
    "django": Manual("python-django-doc", "usr/share/doc/python-django-doc/html", "index.html", "Django"),
    "sqlalchemy": Manual(
        "python-sqlalchemy-doc", "usr/share/doc/python-sqlalchemy-doc/html", "index.html", "SQLAlchemy"
    ),
    "nodejs": Manual("nodejs-doc", "usr/share/doc/nodejs/api", "index.html", "Node.js"),
    "cmake": Manual("cmake-doc", "usr/share/doc/cmake-data/html", "index.html", "CMake"),
    "erlang": Manual("erlang-doc", "usr/share/doc/erlang-doc", "doc/index.html", "Erlang"),
    "postfix": Manual("postfix-doc", "usr/share/doc/postfix/html", "index.html", "Postfix"),
    "exim": Manual("exim4-doc-html", "usr/share/doc/exim4-doc-html/spec_html", "index.html", "Exim"),
    "bind": Manual("bind9-doc", "usr/share/doc/bind9-doc/arm", "index.html", "BIND"),
    "zsh": Manual("zsh-doc", "usr/share/doc/zsh-common/html", "index.html", "Z shell"),
    "rust": Manual("rust-doc", "usr/share/doc/rust-doc/html", "index.html", "Rust"),
    "glib": Manual("libglib2.0-doc", "usr/share/gtk-doc/html", "glib/index.html", "GLib"),
    "valgrind": Manual("valgrind", "usr/share/doc/valgrind/html", "index.html", "Valgrind"),
    "reference": Manual("debian-reference-en", "usr/share/debian-reference", "index.en.html", "Debian reference"),
    "policy": Manual("debian-policy", "usr/share/doc/debian-policy", "policy.html/index.html", "Debian policy"),
    "developers": Manual("developers-reference", "usr/share/developers-reference", "index.html", "Debian developers"),
}
PORTAL = "http://portal.test/"


class CannotDownload(Exception):
    """Debian's packages cannot be had on this machine."""


def record(folder: Path) -> Path:
    """The web as one WARC file; it is made once."""
    warc = folder / "web.warc.gz"
    if not warc.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unpacked = _unpack(folder)
        begun = folder / "web.part"
        with begun.open("wb") as file:
            writer = WARCWriter(file, gzip=True)
            for url, body in _pages(unpacked):
                _write(writer, url, body)
        begun.rename(warc)
        shutil.rmtree(unpacked)
    return warc


def _unpack(folder: Path) -> Path:
    names = [manual.package for manual in MANUALS.values()]
    try:
        subprocess.run(["apt-get", "download", "-qq", *names], cwd=folder, check=True, capture_output=True)
        for file in folder.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", file, folder / "unpacked"], check=True, capture_output=True)
            file.unlink()
    except (OSError, subprocess.CalledProcessError) as error:
        raise CannotDownload(getattr(error, "stderr", b"").decode(errors="replace") or str(error)) from error
    return folder / "unpacked"


def _pages(unpacked: Path) -> Iterator[tuple[str, bytes]]:
    yield PORTAL, _portal().encode()
    for host, manual in MANUALS.items():
        root = unpacked / manual.folder
        for file in sorted(root.rglob("*.html*")):
            if file.is_file() and file.resolve().is_relative_to(unpacked.resolve()):
                name, body = file.relative_to(root).as_posix(), file.read_bytes()
                if name.endswith(".gz"):
                    name, body = name.removesuffix(".gz"), gzip.decompress(body)
                yield f"http://{host}.test/{name}", body
                if name == "index.html" or name.endswith("/index.html"):
                    yield f"http://{host}.test/{name.removesuffix('index.html')}", body


def _portal() -> str:
    links = "".join(
        f'<li><a href="http://{host}.test/{manual.first}">{manual.about} documentation</a></li>'
        for host, manual in MANUALS.items()
    )
    return f"<!doctype html><title>Documentation</title><h1>Documentation</h1><ul>{links}</ul>"


def _write(writer: WARCWriter, url: str, body: bytes) -> None:
    head = StatusAndHeaders(
        "200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(body)))], protocol="HTTP/1.1"
    )
    writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head))
