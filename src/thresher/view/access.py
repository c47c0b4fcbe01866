"""Who may see the window: the token once in its address, then a cookie; from pages of this window alone.

A page on the web can make the browser of this machine ask `127.0.0.1` for anything, and can point a name of its own at it. So each
request must name this machine as its host, must come from a page of this window if it says where it comes from, and must bring the
token. A socket must say where it comes from: NiceGUI itself would open one for any page.
"""

import hmac
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from thresher.urls import is_address

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

TOKEN = "token"  # noqa: S105 - the name of it
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_POLICY_VIOLATION = 1008
# Vue makes its templates as the page is drawn, hence `unsafe-eval`. What counts is that nothing can be asked of another host.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " font-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_ALWAYS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


class Guard:
    """Asks for the token, and looks where a request comes from, before an app sees it."""

    def __init__(self, app: App, token: str, hosts: Iterable[str], port: int) -> None:
        """Guard an app that listens on that port under the names of `hosts`; `*` stands for any IP address."""
        self._app, self._token = app, token.encode()
        self._cookie = f"thresher-{port}"  # cookies know no ports, and there may be two windows
        named = {*_LOOPBACK, *hosts}
        self._any_address = "*" in named
        self._hosts, self._port = {f"{host}:{port}".lower() for host in named}, port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif why := self._refusal(scope):
            await _refuse(scope, receive, send, why)
        elif scope["type"] == "http" and TOKEN in dict(_query(scope)):
            await self._welcome(scope, send)
        else:
            await self._app(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> str | None:
        """Why it may not pass."""
        host, origin = _header(scope, b"host"), _header(scope, b"origin")
        if host is None or not self._is_ours(host):
            return "This window is opened by the address that `thresher view` printed, and by no other name."
        if origin is not None and origin.lower() != f"http://{host}".lower():
            return "Another page asked for this window. Only its own pages may."
        if origin is None and (scope["type"] == "websocket" or scope["method"] not in {"GET", "HEAD"}):
            return "It does not say which page it comes from."
        if not self._has_token(scope):
            return "The token is missing or wrong. Open the whole address that `thresher view` printed, with its token."
        return None

    def _is_ours(self, host: str) -> bool:
        name = host.lower().removesuffix(f":{self._port}")
        return host.lower() in self._hosts or (self._any_address and is_address(name))

    def _has_token(self, scope: Scope) -> bool:
        given = [value for name, value in _query(scope) if name == TOKEN] if scope["type"] == "http" else []
        # Not by Python's reader of cookies: it gives up at the first that it cannot read, and those of other servers here come along.
        cookies = (each.partition("=") for each in (_header(scope, b"cookie") or "").split(";"))
        given += [value.strip() for name, _, value in cookies if name.strip() == self._cookie]
        return any(hmac.compare_digest(each.encode(errors="replace"), self._token) for each in given)

    async def _welcome(self, scope: Scope, send: Send) -> None:
        """Take the token out of the address, so that it stays in no history, and give it as a cookie instead."""
        rest = urlencode([pair for pair in _query(scope) if pair[0] != TOKEN])
        # `Lax`, so that a link in a terminal or a notebook works; the origin of everything else is looked at.
        cookie = f"{self._cookie}={self._token.decode()}; Path=/; HttpOnly; SameSite=Lax"
        path = "/" + scope["path"].lstrip("/\\")  # `//other.host` would lead elsewhere
        headers = [
            (b"location", f"{quote(path)}{'?' * bool(rest)}{rest}".encode()),
            (b"set-cookie", cookie.encode()),
            (b"cache-control", b"no-store"),
            *_ALWAYS,
        ]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)


def _header(scope: Scope, name: bytes) -> str | None:
    """The one header of that name; of several, none can be trusted."""
    found = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return found[0] if len(found) == 1 else "" if found else None


async def _refuse(scope: Scope, receive: Receive, send: Send, why: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": why})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"), *_ALWAYS]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": why.encode() + b"\n"})


def _with_headers(send: Send) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *_ALWAYS]
        await send(message)

    return sent
