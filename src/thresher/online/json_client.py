"""Ask a JSON API politely, and never show a word of its key.

The UMLS service (`uts.py`) and the search engines (`engines/`) both ask through `JsonClient`. A request goes out under our name, some time
after the one before; an answer has a limited size; a machine that is busy is asked again where the policy says so; an answer may be kept on
disk for a while. What goes wrong is an error with the API's name and the cause. A key is sent encrypted, or to this machine, and nowhere
else: redirects are not followed, and no message and no file holds a key.
"""

import asyncio
import ipaddress
import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import quote, quote_plus, urlencode

import xxhash
from aiohttp import ClientConnectorError, ClientError, ClientResponse, ClientSession, ClientTimeout, DummyCookieJar
from yarl import URL

from thresher.disk.atomic_file import write_whole
from thresher.errors import BadInput, NoAnswer
from thresher.outcomes import seconds_to_wait

USER_AGENT = f"Thresher/{version('thresher')}"
MOST_BYTES = 8 << 20
"""Of one answer; a page of 200 entries of UMLS has some 200 KB."""
LONGEST_WAIT = 60.0
"""Seconds; a machine that asks us to wait longer is not waited for."""
Question = Mapping[str, str | int]
_AT_ONCE = 4
_EXCERPT = 200
# Google reports a bad key with status 400 or 403, Brave with 422.
_BAD_KEY = re.compile(r"SUBSCRIPTION_TOKEN_INVALID|API_KEY_INVALID|API key not valid|keyInvalid")
_LIMIT = re.compile(r"rate.?limit|dailyLimit|quota|RESOURCE_EXHAUSTED", re.IGNORECASE)


class RequestPolicy(NamedTuple):
    """How often, how fast and how much to ask."""

    tries: int = 3
    pause: float = 1.0
    """Seconds before the second try, doubled before each further one, where the other side does not say how long."""
    spacing: float = 0.06
    """Seconds between the starts of two requests: NLM allows 20 a second."""
    timeout: float = 30.0
    max_age: float = 24 * 3600.0
    """Seconds for which an answer is kept on disk: NLM recommends 12 to 24 hours."""
    most_bytes: int = MOST_BYTES


class _Busy(Exception):
    """The machine is busy: ask again, after `wait` seconds if it said so."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


class JsonClient:
    """Asks one API. Use it in `async with`."""

    def __init__(  # noqa: PLR0913 - all but two have defaults, and each is a different thing
        self,
        name: str,
        base: str,
        *,
        key: str = "",
        key_field: str = "",
        user_agent: str = USER_AGENT,
        policy: RequestPolicy | None = None,
        kept: Path | None = None,
        may_be_absent: bool = False,
    ) -> None:
        """Say whom to ask and how.

        Args:
            name: what the API is called in messages.
            base: its address, such as `https://uts-ws.nlm.nih.gov/rest`.
            key: the API key, if it wants one.
            key_field: the field of a question that the key is sent in; where it is empty, whoever asks sends the key in a header.
            user_agent: who we say we are.
            policy: how often, how fast and how much to ask.
            kept: a folder for answers; without one they are not kept.
            may_be_absent: status 404 means that there is nothing (`ask` gives None), not that something is wrong.
        """
        self.name, self._base, self._key = name, checked_address(name, base, key), key
        self._own_fields = {key_field: key} if key_field else {}
        self._headers = {"User-Agent": user_agent, "Accept": "application/json"}
        self._policy, self._kept, self._may_be_absent = policy or RequestPolicy(), kept, may_be_absent
        self._turn = asyncio.Lock()
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._session: ClientSession | None = None

    async def __aenter__(self) -> Self:
        timeout = ClientTimeout(total=self._policy.timeout)
        # The proxy that the environment names is the way out of many hospitals; a machine of our own needs none.
        proxied = URL(self._base).scheme == "https"
        self._session = ClientSession(
            timeout=timeout, headers=self._headers, cookie_jar=DummyCookieJar(), trust_env=proxied
        )
        return self

    async def __aexit__(self, *exception: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def ask(self, path: str, question: Question, headers: Mapping[str, str] | None = None) -> Any:
        """The JSON object at a path; None where there is nothing, if that may be."""
        query = f"{self._base}{path}?{urlencode(sorted(question.items()))}"
        file = self._kept / f"{xxhash.xxh3_128_hexdigest(query.encode())}.json" if self._kept else None
        kept = _read(file, query, self._policy.max_age) if file else None
        if kept is not None:
            return kept["answer"]
        url = URL(f"{self._base}{path}?{urlencode({**question, **self._own_fields})}", encoded=True)
        async with self._at_once:
            answer = await self._retried(url, headers or {})
        if file:
            _write(file, {"query": query, "answer": answer})
        return answer

    def no_answer(self, why: str) -> NoAnswer:
        """The error that names the API."""
        return NoAnswer(f"{self.name}: {why}")

    def odd(self, what: object) -> NoAnswer:
        """The error for an answer that is JSON, but not as documented."""
        return self.no_answer(f"an answer that is not as documented: {ascii(what)[:80]}")

    # ── asking ──

    async def _retried(self, url: URL, headers: Mapping[str, str]) -> Any:
        pause, tries = self._policy.pause, self._policy.tries
        for number in range(1, tries + 1):
            try:
                return await self._once(url, headers)
            except _Busy as busy:
                wait = pause if busy.wait is None else busy.wait
                if number == tries or wait > LONGEST_WAIT:
                    raise self.no_answer(f"{busy} (try {number} of {tries})" if tries > 1 else str(busy)) from None
            await asyncio.sleep(wait)
            pause *= 2
        raise AssertionError  # the last try returns or raises

    async def _once(self, url: URL, headers: Mapping[str, str]) -> Any:
        assert self._session is not None, "use `async with`"
        async with self._turn:
            await asyncio.sleep(self._policy.spacing)
        try:
            async with self._session.get(url, headers=headers, allow_redirects=False) as response:
                return self._understood(response, await _whole_body(response, self._policy.most_bytes))
        except ClientConnectorError as error:
            reason = self._masked(error.strerror or str(error))
            problem: Exception = self.no_answer(f"{url.authority} cannot be reached: {reason}")
        except TimeoutError:
            problem = _Busy(f"no answer within {self._policy.timeout:g} s")
        except ClientError as error:
            problem = _Busy(f"the connection broke ({type(error).__name__})")
        # Raised out here so that it does not carry the library's error, which may hold the url, and with it the key.
        raise problem

    # ── understanding ──

    def _understood(self, response: ClientResponse, body: bytes | None) -> Any:
        if body is None:
            raise self.no_answer(f"an answer of more than {self._policy.most_bytes:,} bytes")
        # Masked before anything is cut off: half a key would not be recognised.
        text = self._masked(body.decode("utf-8", "replace"))
        if response.status == 404 and self._may_be_absent:
            return None
        if response.status != 200:
            raise self._refusal(response, text)
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError):
            raise self.no_answer(f"the answer is not JSON{_saying(text)}") from None
        if not isinstance(answer, dict):
            raise self.odd(answer)
        return answer

    def _refusal(self, response: ClientResponse, text: str) -> Exception:
        status, says = response.status, f" (status {response.status}){_saying(text)}"
        wait = seconds_to_wait(response.headers.get("Retry-After", ""), time.time())
        asks = "" if wait is None else f"; it asks to wait {wait:.0f} s"
        if status == 429 or (400 <= status < 500 and _LIMIT.search(text)):
            return _Busy(f"the limit of requests is reached{asks}{says}", wait)
        if self._key and (status in {401, 403} or (400 <= status < 500 and _BAD_KEY.search(text))):
            return BadInput(f"{self.name}: the API key is refused{says}")
        if status in {401, 403}:
            return self.no_answer(f"we are refused{says}")
        if 300 <= status < 400:
            where = self._masked(response.headers.get("Location", "nowhere"))
            return self.no_answer(f"sends us elsewhere, to {where[:_EXCERPT]}")
        if status >= 500:
            return _Busy(f"out of order{asks}{says}", wait)
        return self.no_answer(f"rejects the question{says}")

    def _masked(self, text: str) -> str:
        for secret in {self._key, quote(self._key, safe=""), quote_plus(self._key)} - {""}:
            text = text.replace(secret, "***")
        return text


def checked_address(name: str, base: str, key: str) -> str:
    """The address of an API, without a slash at its end; one that would show the key to others is refused."""
    try:
        url = URL(base)
    except ValueError:
        url = URL()
    if url.scheme not in {"http", "https"} or not url.host:
        raise BadInput(f"{name}: {base!r} is no address of an API: https://HOST/PATH")
    if key and url.scheme == "http" and not _is_here(url.host):
        raise BadInput(f"{name}: to {base!r} the API key would travel unencrypted; use https")
    return base.rstrip("/")


def _is_here(host: str) -> bool:
    """Whether a host is this very machine, so that nothing sent to it can be overheard."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _whole_body(response: ClientResponse, most: int) -> bytes | None:
    """The whole answer, or None if it has more than `most` bytes."""
    body = bytearray()
    async for chunk in response.content.iter_chunked(1 << 16):
        body += chunk
        if len(body) > most:
            return None
    return bytes(body)


def _saying(text: str) -> str:
    """The first words of an answer, without control characters."""
    shown = " ".join("".join(char if char.isprintable() else " " for char in text[:_EXCERPT]).split())
    return f": {shown}" if shown else ""


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
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(entry))
