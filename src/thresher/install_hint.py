"""How to add an extra to this very installation: from a clone by its folder, from an index by name.

pip writes down where a package came from (PEP 610, `direct_url.json`). A clone that was never installed is known by the files around it.
"""

import json
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

_PACKAGE = "thresher"


def install_hint(extra: str) -> str:
    """The command that brings an extra.

    Like `pip install 'thresher[search]'`; in a clone `pip install '.[search]'`, with `-e` if it is installed so.
    """
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415 - slow, and seldom needed

    try:
        written = distribution(_PACKAGE).read_text("direct_url.json")
    except PackageNotFoundError:
        return _of_folder(_clone_around(Path(__file__)), extra)
    return _of_origin(_parsed(written), extra)


def _parsed(written: str | None) -> dict[str, Any]:
    """What pip wrote down; nothing if the package came from an index, or if it makes no sense."""
    try:
        origin = json.loads(written or "{}")
    except ValueError:
        return {}
    return origin if isinstance(origin, dict) else {}


def _of_origin(origin: dict[str, Any], extra: str) -> str:
    url = str(origin.get("url", ""))
    if "dir_info" in origin and isinstance(origin["dir_info"], dict):
        folder = Path(unquote(urlsplit(url).path))
        editable = bool(origin["dir_info"].get("editable"))
        return _of_folder(folder if _is_clone(folder) else None, extra, editable=editable)
    if isinstance(vcs := origin.get("vcs_info"), dict):
        return f"pip install '{_PACKAGE}[{extra}] @ {vcs.get('vcs', 'git')}+{_without_password(url)}'"
    # A wheel file that was built from a clone is often gone; what is on the web stays there.
    if url.startswith("https://"):
        return f"pip install '{_PACKAGE}[{extra}] @ {_without_password(url)}'"
    return _by_name(extra)


def _of_folder(folder: Path | None, extra: str, *, editable: bool = False) -> str:
    """From the source folder: a dot if we stand in it, else its path."""
    if folder is None:
        return _by_name(extra)
    place = "." if _here() == folder.resolve() else str(folder)
    named = f"'.[{extra}]'" if place == "." else shlex.quote(f"{place}[{extra}]")
    return f"pip install {'-e ' * editable}{named}"


def _by_name(extra: str) -> str:
    return f"pip install '{_PACKAGE}[{extra}]'"


def _here() -> Path | None:
    try:
        return Path.cwd()
    except OSError:  # somebody removed the folder that we stand in
        return None


def _clone_around(module: Path) -> Path | None:
    """The clone that a module is part of: `CLONE/src/thresher/module.py`."""
    folder = module.resolve().parents[2]
    return folder if _is_clone(folder) else None


def _is_clone(folder: Path) -> bool:
    return (folder / "pyproject.toml").is_file() and (folder / "src" / _PACKAGE).is_dir()


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
