"""Ask a search engine's JSON API once; whatever goes wrong is told with the engine's name, and without a word of the key."""

import json
import re
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any
from urllib.parse import quote, quote_plus, urlencode

from aiohttp import ClientConnectorError, ClientError, ClientResponse, ClientSession, ClientTimeout, DummyCookieJar
from yarl import URL

from thresher.errors import BadInput, Missing, NoAnswer, ThresherError
from thresher.online.wire import is_here, whole_body

USER_AGENT = f"Thresher/{version('thresher')}"
TIMEOUT = 15.0
"""Seconds that an engine may take to answer."""
MOST_BYTES = 4 << 20
"""Of one answer; a page of results has some 100 KB."""
_EXCERPT = 200
# Google says so with status 400 or 403, Brave with 422.
_KEY = re.compile(r"SUBSCRIPTION_TOKEN_INVALID|API_KEY_INVALID|API key not valid|keyInvalid")
_LIMIT = re.compile(r"rate.?limit|dailyLimit|quota|RESOURCE_EXHAUSTED", re.IGNORECASE)


class Api:
    """One engine's API: a question goes out, an object comes back."""

    def __init__(self, engine: str, base: str, *, user_agent: str, timeout: float, secret: str = "") -> None:
        self._engine, self._base, self._secret = engine, _checked(engine, base, secret), secret
        self._timeout = ClientTimeout(total=timeout)
        self._headers = {"User-Agent": user_agent, "Accept": "application/json"}

    async def ask(self, question: Mapping[str, str | int], headers: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The object that answers the question."""
        url = URL(f"{self._base}?{urlencode(question)}", encoded=True)
        try:
            # The proxy that the environment names is the way out of many networks; a machine of our own needs none.
            async with (
                ClientSession(
                    timeout=self._timeout, cookie_jar=DummyCookieJar(), trust_env=url.scheme == "https"
                ) as session,
                session.get(url, headers={**self._headers, **(headers or {})}, allow_redirects=False) as response,
            ):
                return self._understood(response, await whole_body(response, MOST_BYTES))
        except ClientConnectorError as error:
            problem: ThresherError = self.no_answer(f"{url.authority} cannot be reached: {error.strerror or 'no way'}")
        except TimeoutError:
            problem = self.no_answer(f"no answer within {self._timeout.total:g} s")
        except ClientError as error:
            problem = self.no_answer(f"the connection broke ({type(error).__name__})")
        # Raised out here so that it does not carry the library's error, which may hold the url, and with it the key.
        raise problem

    def no_answer(self, why: str) -> NoAnswer:
        """The error that names the engine."""
        return NoAnswer(f"{self._engine}: {why}")

    def odd(self, what: object) -> NoAnswer:
        """The error for an answer that is JSON, but not as documented."""
        return self.no_answer(f"an answer that is not as documented: {ascii(what)[:80]}")

    def _understood(self, response: ClientResponse, body: bytes | None) -> dict[str, Any]:
        if body is None:
            raise self.no_answer(f"an answer of more than {MOST_BYTES:,} bytes")
        # Before anything is cut off: half a key would not be known for one.
        text = self._masked(body.decode("utf-8", "replace"))
        if response.status != 200:
            raise self._refusal(response, text)
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError):
            raise self.no_answer(f"the answer is not JSON{_saying(text)}") from None
        if not isinstance(answer, dict):
            raise self.odd(answer)
        return answer

    def _refusal(self, response: ClientResponse, text: str) -> ThresherError:
        status, says = response.status, f" (status {response.status}){_saying(text)}"
        if status == 429 or (400 <= status < 500 and _LIMIT.search(text)):
            asked = response.headers.get("Retry-After", "")
            wait = f"; it asks to wait {asked[:9]} s" if asked.isdecimal() else ""
            return self.no_answer(f"the limit of requests is reached{wait}{says}")
        if self._secret and (status in {401, 403} or (400 <= status < 500 and _KEY.search(text))):
            return BadInput(f"{self._engine}: the API key is refused{says}")
        if status in {401, 403}:
            return self.no_answer(f"we are refused{says}")
        if 300 <= status < 400:
            where = self._masked(response.headers.get("Location", "nowhere"))
            return self.no_answer(f"sends us elsewhere, to {where[:_EXCERPT]}")
        return self.no_answer(f"{'out of order' if status >= 500 else 'does not want the question'}{says}")

    def _masked(self, text: str) -> str:
        secrets = {self._secret, quote(self._secret, safe=""), quote_plus(self._secret)} - {""}
        for secret in secrets:
            text = text.replace(secret, "***")
        return text


def key_of(engine: str, key: str, where: str, what: str = "an API key") -> str:
    """The key as it can be sent; what is missing is said with where to put it."""
    key = key.strip()
    if not key:
        raise Missing(f"{engine}: wants {what}: {where}")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BadInput(f"{engine}: that is not {what}, which has no blanks and ASCII alone: {where}")
    return key


def texts(api: Api, entries: object, field: str) -> list[str]:
    """What a list of objects has under a field."""
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise api.odd(entries)
    return [value for entry in entries if isinstance(value := entry.get(field), str)]


def _checked(engine: str, base: str, secret: str) -> str:
    try:
        url = URL(base)
    except ValueError:
        url = URL()
    if url.scheme not in {"http", "https"} or not url.host:
        raise BadInput(f"{engine}: {base!r} is no address of an API: https://HOST/PATH")
    if secret and url.scheme == "http" and not is_here(url.host):
        raise BadInput(f"{engine}: to {base!r} the API key would travel unencrypted; use https")
    return base.rstrip("/")


def _saying(text: str) -> str:
    """The first words of an answer, without what a terminal would take for orders."""
    shown = " ".join("".join(char if char.isprintable() else " " for char in text[:_EXCERPT]).split())
    return f": {shown}" if shown else ""
