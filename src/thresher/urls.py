"""Urls in one canonical form: parsing, joining and hosts. Only this file makes a `Url`.

Canonical is what the browsers' rules (WHATWG, by ada) give, without fragment, in one percent-encoding, without what only
tracks a visitor, and without user name and password: we log in nowhere, and what we keep must not tell. Nothing else goes that
could change the answer: parameters keep order and blanks, paths their slashes.

Laws: `canonical` is idempotent and never raises; `join(canonical(b), h) == canonical(whatwg_join(b, h))`.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

import ada_url
from xxhash import xxh3_64_intdigest

from thresher.model import Host, Url
from thresher.native import link_loops

# ── what goes ── the one list of parameters that tell the server who asks, not what is asked for; in lower case

_TRACKING = """
    gclid gclsrc gbraid wbraid dclid srsltid _ga _gl
    fbclid igshid igsh twclid ttclid li_fat_id epik msclkid yclid ysclid _openstat
    mc_cid mc_eid mkt_tok oly_anon_id oly_enc_id vero_id vero_conv wickedid rb_clickid ml_subscriber ml_subscriber_hash
    _hsenc _hsmi __hssc __hstc __hsfp hsctatracking
    pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid
"""
TRACKING = frozenset(_TRACKING.split())
TRACKING_PREFIXES = ("utm_", "mtm_", "hsa_", "aspsessionid")
SESSION = frozenset({"jsessionid", "phpsessid", "asp.net_sessionid", "oscsid", "cftoken"})
MAYBE_SESSION = frozenset({"sid", "sessid", "session", "sessionid", "session_id", "zenid"})
"""Names with other uses too: they go only if the value looks like an id."""

_ID = re.compile(r"(?=[A-Za-z]*+[0-9])[0-9A-Za-z]{16,}+")
# After `/.` or `/..` it stays: without it the segment would turn into a step up. ASP.NET's `/(S(…))/` stays altogether:
# it is a segment, so `../x` would lead elsewhere without it, and the server would redirect back to it for ever.
_PATH_SESSION = re.compile(r"(?<!/\.)(?<!/\.\.);(?:jsessionid|phpsessid)=[^;/]*+", re.IGNORECASE)

MASKED_LOGIN = "***@"
_LOGIN = re.compile(r"^(https?://)[^/]*@")  # ada puts a slash behind every host

# ── percent-encoding ──

_UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
_DECODED = {f"%{ord(character):02X}": character for character in _UNRESERVED}
# Not right behind a stray `%` or `%2`: `%2%65` decoded would be `%2e`, a new escape, which a second pass would decode.
# Only those that change: small letters, and unreserved characters. A page may be full of others, and each match costs a call.
_ESCAPE = re.compile(
    r"(?<!%)(?<!%[0-9A-Fa-f])%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f]|2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])"
)

# ── joining ──

# Measured: ada_url.join_url 2.2 µs, a match .4 µs. What matches and has no dot segments needs no resolving.
_PLAIN = re.compile(r"/?+[A-Za-z0-9][A-Za-z0-9_~/.-]*+")
_PLAIN_ABSOLUTE = re.compile(r"(https?://[A-Za-z0-9.:-]++/)((?:[A-Za-z0-9][A-Za-z0-9_~/.-]*+)?+)")
_ELSEWHERE = ("mailto:", "javascript:", "tel:", "data:")
_WEB = ("http://", "https://")
_REMEMBERED = 16_384
_LONGEST_REMEMBERED = 500
_MOST_JOINED, _MOST_CHARACTERS = 65_536, 8_000_000
_joined: dict[str, dict[str, Url]] = {}
_room = [_MOST_JOINED, _MOST_CHARACTERS]
"""How many answers, and how many characters, may still be remembered."""
_origins: dict[str, Url] = {}
_MOST_ORIGINS = 4096
_LONGEST_HOST = 260
"""With its port. No name is longer than 253 characters, so a longer one leads nowhere; and hosts are remembered in many places."""


def canonical(text: str) -> Url | None:
    """The one spelling of a url; None if it is not an http or https url."""
    try:
        return _tidy(ada_url.normalize_url(text))
    except ValueError:
        return None


def join(base: Url, href: str) -> Url | None:
    """Where a link on that page leads; None if not into the web."""
    return join_all(base, (href,))[0]


def join_all(base: Url, hrefs: Iterable[str]) -> list[Url | None]:
    """Where the links of a page lead, one answer a link."""
    origin = base[: base.index("/", 8) + 1]
    path = base.partition("?")[0]
    directory = path[: path.rindex("/") + 1]
    if link_loops is None:
        return _joined_one_by_one(base, origin, path, directory, hrefs)
    # To put a plain one together in C takes less time than to look for an earlier answer.
    every = list(hrefs)
    joined, left = link_loops.joined(origin, directory, every, _origins)
    if left:
        rest = _joined_one_by_one(base, origin, path, directory, [every[place] for place in left])
        for place, target in zip(left, rest, strict=True):
            joined[place] = target
    return joined


def _joined_one_by_one(base: Url, origin: str, path: str, directory: str, hrefs: Iterable[str]) -> list[Url | None]:
    """The same for any links. Sites repeat theirs page after page, so an answer is remembered under the part of the base it depends on."""
    joined: list[Url | None] = []
    last, known = "", _known_from("")
    for href in hrefs:
        first = href[:1]
        if first == "/":
            start = origin
        elif first in {"", "#"}:
            joined.append(base)
            continue
        elif first == "?":
            start = path
        elif href.startswith(_WEB):
            start = ""
        # Browsers drop white space and read `http:?x` as `?x`: here the answer depends on the whole base.
        elif first <= " " or (first in "hH" and ":" in href):
            start = base
        elif first == ".":
            start, href = _climbed(directory, href, len(origin))  # noqa: PLW2901 - the same link, told from further up
        else:
            start = directory
        if start != last:
            last, known = start, _known_from(start)
        found = known.get(href)
        joined.append((_resolved(start, href) if found is None else found) or None)
    return joined


def tells_a_login(text: str) -> bool:
    """Whether a url has a user name or a password before its host."""
    try:
        url = ada_url.URL(text)
    except ValueError:
        return False
    return bool(url.username or url.password)


def masked_login(text: str) -> str:
    """The text of a url with user name and password masked: `http://***@proxy:3128`."""
    scheme, divider, rest = text.partition("://")
    if not (divider and scheme.isalnum()):
        scheme, divider, rest = "", "", text
    _, at, place = rest.rpartition("@")
    return f"{scheme}{divider}{MASKED_LOGIN}{place}" if at else text


def host_of(url: Url) -> Host:
    """The host, with its port where that is not the scheme's own: `example.org`, `127.0.0.1:8080`, `[::1]`."""
    return Host(url.split("/", 3)[2])


@lru_cache(_REMEMBERED)
def is_address(host: Host) -> bool:
    """Whether a host spells out an address, or this machine's own name, rather than a name to be looked up."""
    name = host.rsplit(":", 1)[0].rstrip(".") if not host.endswith("]") else host
    return name.startswith("[") or name.replace(".", "").isdigit() or name == "localhost" or name.endswith(".localhost")


def url_hash(url: Url) -> int:
    """64 bits that stand for the url, signed as SQLite wants them."""
    return xxh3_64_intdigest(url.encode()) - (1 << 63)


def _climbed(directory: str, href: str, root: int) -> tuple[str, str]:
    """The same link told from as far up as it climbs, so that pages of other directories find the same answer."""
    steps = 0
    while href.startswith("../", steps):
        steps += 3
    # What follows must be a path that goes on from there: `..//x` and `../http://x` would turn into something else.
    if not href[steps : steps + 1].isalnum() or ":" in href:
        return directory, href
    for _ in range(0, steps, 3):
        directory = directory[: directory.rindex("/", 0, -1) + 1] if len(directory) > root else directory
    return directory, href[steps:]


def _known_from(start: str) -> dict[str, Url]:
    """What is remembered of links that are told from there: each with its answer, which is empty if it does not lead into the web."""
    known = _joined.get(start)
    if known is None:
        known = {}
        if _short(start, ""):
            _make_room(len(start))
            _joined[start] = known
    return known


def _resolved(start: str, href: str) -> Url:
    """The answer, remembered if it is short."""
    found = _resolve(start, href) or Url("")
    if _short(start, href):
        _make_room(len(href) + len(found))
        _joined.setdefault(start, {})[href] = found
    return found


def _short(start: str, href: str) -> bool:
    # A character that is not ASCII takes up to twelve in the answer.
    return len(start) + len(href) * (1 if href.isascii() else 12) <= _LONGEST_REMEMBERED


def _make_room(characters: int) -> None:
    """Count one more answer, of so many characters; where there is no room for it, all others are forgotten."""
    _room[0] -= 1
    _room[1] -= characters
    if min(_room) < 0:
        forget_joined()


def forget_joined() -> None:
    """Forget all answers of `join_all`."""
    _joined.clear()
    _origins.clear()
    _room[:] = _MOST_JOINED, _MOST_CHARACTERS


def _resolve(start: str, href: str) -> Url | None:
    if not start and (plain := _PLAIN_ABSOLUTE.fullmatch(href)) and "/." not in plain[2]:
        origin = _origin(plain[1])
        return Url(origin + plain[2]) if origin else None
    if start and _PLAIN.fullmatch(href) and "/." not in href:
        return Url((start[:-1] if href[0] == "/" else start) + href)
    if href.startswith(_ELSEWHERE):
        return None
    try:
        return _tidy(ada_url.join_url(start, href) if start else ada_url.normalize_url(href))
    except ValueError:
        return None


def _origin(written: str) -> Url:
    """The one spelling of a scheme and a host; empty if they are none. Remembered if it is short."""
    known = _origins.get(written)
    if known is None:
        known = canonical(written) or Url("")
        if len(written) <= _LONGEST_REMEMBERED:
            if len(_origins) >= _MOST_ORIGINS:
                _origins.clear()
            _origins[written] = known
    return known


def _tidy(url: str) -> Url | None:
    """The canonical form of what ada made."""
    if not url.startswith(_WEB):
        return None
    if "@" in url:
        url = _LOGIN.sub(r"\1", url)
    if url.find("/", 8, 9 + _LONGEST_HOST) < 0:
        return None
    if not ("?" in url or "%" in url or ";" in url or "#" in url):
        return Url(url)
    if "%" in url:
        url = _ESCAPE.sub(_one_escape, url)
    path, _, query = url.partition("#")[0].partition("?")
    if ";" in path:
        slash = path.index("/", 8)  # a host may have a semicolon too
        path = path[:slash] + _PATH_SESSION.sub("", path[slash:])
    query = _without_trackers(query)
    return Url(f"{path}?{query}" if query else path)


def _one_escape(escape: re.Match[str]) -> str:
    upper = escape[0].upper()
    return _DECODED.get(upper, upper)


def _without_trackers(query: str) -> str:
    parameters = query.split("&")
    kept = [parameter for parameter in parameters if not _tracks(parameter)]
    if len(kept) == len(parameters):
        return query
    # ColdFusion's session is a pair. `cfid` alone may be anything.
    if any(parameter[:8].lower() == "cftoken=" for parameter in parameters):
        kept = [parameter for parameter in kept if parameter[:5].lower() != "cfid="]
    return "&".join(kept)


def _tracks(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    name = name.lower()
    if name in TRACKING or name in SESSION or name.startswith(TRACKING_PREFIXES):
        return True
    return name in MAYBE_SESSION and _ID.fullmatch(value) is not None
