"""Makes the window reachable: binds a socket, prints nothing, serves until it is told to stop."""

import os
import secrets
import socket
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path

from thresher.errors import BadInput, Missing
from thresher.install_hint import install_hint
from thresher.view.access import Guard
from thresher.view.shown_folders import Places

_LEAST_TOKEN = 16
_ANY = {"0.0.0.0", "::"}  # noqa: S104 - names of all addresses; binding them demands a token
_STYLE = Path(__file__).with_name("window.css")
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#2f7fb8"/>'
    '<path d="M3 12 6 8l3 2 4-6" fill="none" stroke="#fff" stroke-width="2"/></svg>'
)


@dataclass(frozen=True, slots=True)
class Opening:
    """Where the window listens, and who may look in."""

    host: str = "127.0.0.1"
    port: int = 0
    """0: a free one."""
    token: str | None = None
    """The one that somebody chose; None: a new one that nobody can guess."""

    def check(self) -> None:
        """Raise what would let strangers in."""
        if not self.host:
            raise BadInput("--host is empty: give an address of this machine, such as 127.0.0.1")
        if not _is_loopback(self.host) and self.token is None:
            raise BadInput(
                f"--host {self.host} lets other machines look in: choose a token for them with --token, at least {_LEAST_TOKEN} letters"
            )
        if self.token is not None and (len(self.token) < _LEAST_TOKEN or not _is_plain(self.token)):
            raise BadInput(f"--token must have at least {_LEAST_TOKEN} letters and digits, and no others but - and _")


def serve(places: Places, opening: Opening, ready: Callable[[str], None]) -> None:
    """Serve the window until SIGINT or SIGTERM. `ready` is told its address, with the token, once it can be opened."""
    opening.check()
    check_installed()
    listener = _listener(opening)
    with listener, tempfile.TemporaryDirectory(prefix="thresher-view-") as scratch:
        # NiceGUI keeps what pages store in a folder; it is asked for when NiceGUI is imported.
        os.environ["NICEGUI_STORAGE_PATH"] = scratch
        _serve(places, opening, listener, ready)


def check_installed() -> None:
    """Raise how to install what draws the window, if it is missing."""
    if find_spec("nicegui") is None:
        raise Missing(f"the window needs NiceGUI: {install_hint('view')}")


def _serve(places: Places, opening: Opening, listener: socket.socket, ready: Callable[[str], None]) -> None:
    import uvicorn  # noqa: PLC0415 - these two are part of the extra
    from fastapi import FastAPI  # noqa: PLC0415
    from nicegui import core, ui  # noqa: PLC0415 - it looks for its folder when it is imported

    from thresher.view.routes import register  # noqa: PLC0415 - as above

    port = listener.getsockname()[1]
    register(places)
    app = FastAPI(openapi_url=None)
    core.app.config.socket_io_js_transports = ["websocket"]  # which the guard knows; no second way in
    ui.add_css(_STYLE.read_text(encoding="utf-8"), shared=True)
    ui.run_with(app, title="Thresher", language="en-US", favicon=_ICON, dark=None, tailwind=False, binding_refresh_interval=None,
                reconnect_timeout=10, show_welcome_message=False)  # fmt: skip
    token = opening.token or secrets.token_urlsafe(24)
    guard = Guard(app, token, ["*"] if opening.host in _ANY else [_bracketed(opening.host)], port)
    config = uvicorn.Config(guard, log_level="warning", ws="wsproto", lifespan="on", timeout_graceful_shutdown=1)
    core.app.on_startup(lambda: ready(_address(opening.host, port, token)))
    uvicorn.Server(config).run(sockets=[listener])


def _address(host: str, port: int, token: str) -> str:
    """The address that opens the window, with the token in it."""
    return f"http://{'127.0.0.1' if host in _ANY else _bracketed(host)}:{port}/?token={token}"


def _listener(opening: Opening) -> socket.socket:
    family = socket.AF_INET6 if ":" in opening.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((opening.host, opening.port))
        listener.listen()  # now: whoever opens the address at once waits for a moment, and is not refused
    except (OSError, ValueError) as error:  # a name that is none is a UnicodeError
        listener.close()
        where = f"{opening.host}:{opening.port}" if opening.port else opening.host
        why = getattr(error, "strerror", None) or error
        raise BadInput(f"the window cannot listen on {where}: {why}; --host and --port choose another place") from error
    return listener


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _is_plain(token: str) -> bool:
    return token.isascii() and token.replace("-", "").replace("_", "").isalnum()


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
