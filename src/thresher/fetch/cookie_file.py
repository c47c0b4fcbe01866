"""A file of cookies in Netscape's format, as extensions of browsers and curl write it. What is wrong is told by its line, not its text."""

import math
from collections.abc import Iterator
from pathlib import Path

from thresher.errors import BadInput
from thresher.fetch.cookies import MOST_BYTES, Cookie, is_public_suffix
from thresher.urls import canonical, host_of

SESSION = "session"
"""In the place of a file: no cookies at first, and those that servers set are kept."""
_MOST = 4 << 20
_MOST_COOKIES = 5_000
_HTTP_ONLY = "#HttpOnly_"
_FIELDS = "domain, subdomains, path, secure, expiry, name and value, with tabs between them"
_TRUTH = {"TRUE": True, "FALSE": False}


def read_cookie_file(path: Path, now: float) -> list[Cookie]:
    """The cookies of a file that have not expired."""
    found = [_cookie(line, f"{path}, line {number}") for number, line in _lines(path)]
    if len(found) > _MOST_COOKIES:
        raise BadInput(
            f"{path} has {len(found):,} cookies, more than {_MOST_COOKIES:,}: export those of the sites you need"
        )
    if not found:
        raise BadInput(f"{path} has no cookies: export them in Netscape's format ({_FIELDS})")
    alive = [cookie for cookie in found if cookie.expires is None or cookie.expires > now]
    if not alive:
        raise BadInput(f"{path}: all cookies ({len(found)}) have expired: log in and export them again")
    return alive


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"cannot read the cookies in {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not a file of cookies: its byte {error.start:,} is not UTF-8") from None
    if len(data) > _MOST:
        raise BadInput(f"{path} is not a file of cookies: it has more than {_MOST:,} bytes")
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r").removeprefix(_HTTP_ONLY)  # noqa: PLW2901 - the same line
        if line.strip() and not line.startswith("#"):
            yield number, line


def _cookie(line: str, where: str) -> Cookie:
    fields = line.split("\t")
    if len(fields) == 6:  # an empty value, and an editor that took away the last tab
        fields.append("")
    if len(fields) != 7:
        raise BadInput(f"{where} has {len(fields)} fields, but a cookie has 7: {_FIELDS}")
    domain, below, path, secure, expiry, name, value = fields
    if below.upper() not in _TRUTH or secure.upper() not in _TRUTH:
        raise BadInput(f"{where}: the second and the fourth field must be TRUE or FALSE")
    if not path.startswith("/"):
        raise BadInput(f"{where}: the third field must be a path, such as /")
    if len(name) + len(value) > MOST_BYTES or any(c < " " or c in "\x7f;" for c in name + value):
        raise BadInput(f"{where}: name and value must have at most {MOST_BYTES} characters, no ';' and no controls")
    everywhere = _TRUTH[below.upper()]
    return Cookie(
        name,
        value,
        _domain(domain, where, everywhere=everywhere),
        host_only=not everywhere,
        path=path,
        secure=_TRUTH[secure.upper()],
        expires=_expiry(expiry, where),
    )


def _domain(text: str, where: str, *, everywhere: bool) -> str:
    name = text.removeprefix(".")
    url = canonical(f"https://{name}/")
    # As long as a host and no more: neither a port nor a path nor a login.
    if url is None or url.count("/") != 3 or "@" in name or ":" in name.rpartition("]")[2]:
        raise BadInput(f"{where}: the first field must be a host or a domain, such as .example.org")
    domain = host_of(url)
    if everywhere and is_public_suffix(domain):
        raise BadInput(
            f"{where}: {domain} is no domain of one owner, so a cookie for all below it would go to strangers"
        )
    return domain


def _expiry(text: str, where: str) -> float | None:
    try:
        when = float(text or 0)
    except ValueError:
        when = math.nan
    if not math.isfinite(when):
        raise BadInput(f"{where}: the fifth field must be a time in seconds since 1970, or 0")
    # Extensions write -1 or 0 for a cookie that ends with the browser.
    return when if when > 0 else None
