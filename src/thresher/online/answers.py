"""Ask a JSON API that wants a key: kept on disk, retried politely, and never a word of the key anywhere."""

import asyncio
import email.utils
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import quote, quote_plus, urlencode

import xxhash
from aiohttp import ClientConnectorError, ClientError, ClientResponse, ClientSession, ClientTimeout, DummyCookieJar
from yarl import URL

from thresher.errors import BadInput, NoAnswer
from thresher.online.wire import is_here, whole_body

MOST_BYTES = 8 << 20
"""Of one answer; a page of 200 entries has some 200 KB."""
LONGEST_WAIT = 60.0
"""Seconds; a machine that asks us to wait longer is not waited for."""
_AT_ONCE = 4
_EXCERPT = 200


class Manners(NamedTuple):
    """How to ask."""

    tries: int = 3
    pause: float = 1.0
    """Seconds before the second try, doubled before each further one, where the other side does not say how long."""
    spacing: float = 0.06
    """Seconds between the starts of two requests: NLM allows 20 a second."""
    timeout: float = 30.0
    max_age: float = 24 * 3600.0
    """Seconds for which an answer is kept: NLM recommends 12 to 24 hours."""


class _Busy(Exception):
    """Ask again, after that many seconds if it said so."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


class Answers:
    """The answers of one machine. Use it in `async with`."""

    def __init__(self, base: str, key: str, kept: Path, manners: Manners) -> None:
        """Ask under `base`, such as `https://uts-ws.nlm.nih.gov/rest`, and keep answers in a folder."""
        self._base, self._key, self._kept, self._manners = _checked(base), key, kept, manners
        self.host = URL(base).authority
        self._turn = asyncio.Lock()
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._session: ClientSession | None = None

    async def __aenter__(self) -> Self:
        timeout = ClientTimeout(total=self._manners.timeout)
        # The proxy that the environment names is the way out of many hospitals; a machine of our own needs none.
        proxied = URL(self._base).scheme == "https"
        self._session = ClientSession(timeout=timeout, cookie_jar=DummyCookieJar(), trust_env=proxied)
        return self

    async def __aexit__(self, *exception: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def ask(self, path: str, **question: str | int) -> Any:
        """The JSON at a path; None where there is nothing (404)."""
        query = f"{self._base}{path}?{urlencode(sorted(question.items()))}"
        file = self._kept / f"{xxhash.xxh3_128_hexdigest(query.encode())}.json"
        kept = _read(file, query, self._manners.max_age)
        if kept is not None:
            return kept["answer"]
        async with self._at_once:
            answer = await self._retried(path, question)
        _write(file, {"query": query, "answer": answer})
        return answer

    async def _retried(self, path: str, question: Mapping[str, str | int]) -> Any:
        pause = self._manners.pause
        for left in reversed(range(self._manners.tries)):
            try:
                return await self._once(path, question)
            except _Busy as busy:
                wait = pause if busy.wait is None else busy.wait
                if not left or wait > LONGEST_WAIT:
                    asks = f"; it asks to wait {wait:.0f} s" if wait > LONGEST_WAIT else ""
                    raise NoAnswer(
                        f"{self.host}: {busy} (try {self._manners.tries - left} of {self._manners.tries}){asks}"
                    ) from None
            await asyncio.sleep(wait)
            pause *= 2
        raise AssertionError  # the last try returns or raises

    async def _once(self, path: str, question: Mapping[str, str | int]) -> Any:
        assert self._session is not None, "use `async with`"
        await self._my_turn()
        query = urlencode({**question, "apiKey": self._key})
        url = URL(f"{self._base}{path}?{query}", encoded=True)
        try:
            async with self._session.get(url, allow_redirects=False) as response:
                return self._understood(response, await whole_body(response, MOST_BYTES))
        except ClientConnectorError as error:
            problem: Exception = NoAnswer(f"{self.host} cannot be reached: {self._masked(_reason(error))}")
        except TimeoutError:
            problem = _Busy(f"no answer within {self._manners.timeout:g} s")
        except ClientError as error:
            problem = _Busy(f"the connection broke ({type(error).__name__})")
        # Raised out here so that it does not carry the library's error, which may hold the url, and with it the key.
        raise problem

    def _understood(self, response: ClientResponse, body: bytes | None) -> Any:
        if body is None:
            raise NoAnswer(f"{self.host}: an answer of more than {MOST_BYTES:,} bytes")
        text = self._masked(body.decode("utf-8", "replace"))
        status, says = response.status, f": {excerpt}" if (excerpt := _excerpt(text)) else ""
        if status == 404:
            return None
        if status in {401, 403}:
            raise BadInput(f"{self.host} refuses the API key (status {status}){says}")
        if status == 429 or status >= 500:
            raise _Busy(
                f"{'too many requests' if status == 429 else 'out of order'} (status {status})", _wait(response)
            )
        if 300 <= status < 400:
            where = self._masked(response.headers.get("Location", "nowhere"))
            raise NoAnswer(f"{self.host} sends us elsewhere ({where[:_EXCERPT]}), where the API key must not go")
        if status != 200:
            raise NoAnswer(f"{self.host}: status {status}{says}")
        return self._parsed(text, says)

    def _parsed(self, text: str, says: str) -> Any:
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError):
            raise NoAnswer(f"{self.host}: the answer is not JSON{says}") from None
        if not isinstance(answer, dict):
            raise NoAnswer(f"{self.host}: the answer is JSON of another kind{says}")
        return answer

    async def _my_turn(self) -> None:
        async with self._turn:
            await asyncio.sleep(self._manners.spacing)

    def _masked(self, text: str) -> str:
        for secret in {self._key, quote(self._key, safe=""), quote_plus(self._key)}:
            text = text.replace(secret, "***")
        return text


def _checked(base: str) -> str:
    url = URL(base)
    if url.scheme not in {"http", "https"} or not url.host:
        raise BadInput(f"{base!r} is no address of an API: https://HOST/PATH")
    if url.scheme == "http" and not is_here(url.host):
        raise BadInput(f"{base!r}: the API key would travel unencrypted; use https")
    return base.rstrip("/")


def _reason(error: ClientConnectorError) -> str:
    return getattr(error, "strerror", None) or str(error)


def _wait(response: ClientResponse) -> float | None:
    """What Retry-After says: seconds, or a date."""
    said = response.headers.get("Retry-After", "")
    if said.isdecimal():
        return float(said[:9])
    try:
        return max(0.0, email.utils.parsedate_to_datetime(said).timestamp() - time.time())
    except ValueError:
        return None


def _excerpt(text: str) -> str:
    """The first words of an answer, without what a terminal would take for orders."""
    return " ".join("".join(char if char.isprintable() else " " for char in text[:_EXCERPT]).split())


def _read(file: Path, query: str, max_age: float) -> dict[str, Any] | None:
    try:
        if time.time() - file.stat().st_mtime > max_age:
            return None
        kept = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return kept if isinstance(kept, dict) and kept.get("query") == query and "answer" in kept else None


def _write(file: Path, entry: Mapping[str, Any]) -> None:
    """Whole or not at all. A cache that cannot be written only costs time."""
    fresh = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps(entry), encoding="utf-8")
        fresh.replace(file)
    except OSError:
        fresh.unlink(missing_ok=True)
