"""A web that stands still, fetched from without a socket: the same loop, parser and judge as a live crawl, at thousands of pages a second.

Replay(Recording.open(path))                      # what was recorded
Replay(WebPages(generate(size=2000)))             # a generated web
PoliteFetcher(Replay(web), Replay(web, types=())) # with its robots.txt obeyed
"""

from collections.abc import Collection, Sequence
from math import inf

from xxhash import xxh3_64_intdigest

from thresher.clock import Clock, SystemClock
from thresher.errors import BadInput
from thresher.fetch.body import declared_type, seen_type
from thresher.lab.webs.web_pages import Pages, denying
from thresher.model import Failed, Fetched, Refused, Response, Url

HTML = ("text/html", "application/xhtml+xml")
NOT_RECORDED = Failed("not-recorded", retry=False)
STAGED = Failed("staged-failure", retry=False)


class Replay:
    """A fetcher that asks a recording. The same url always gets the same answer, whatever was asked before."""

    def __init__(  # noqa: PLR0913 - each keyword is something that an experiment varies
        self,
        pages: Pages,
        *,
        deny: Sequence[str] = (),
        latency: float = 0.0,
        failures: float = 0.0,
        seed: int = 0,
        types: Collection[str] = HTML,
        max_bytes: int = 5 << 20,
        clock: Clock | None = None,
    ) -> None:
        """Say what to ask, and what may go wrong.

        Args:
            pages: a `Recording`, or any web that answers `read(url)`.
            deny: prefixes of urls to refuse, in addition to those that the recording leaves out; not charged, as with robots.txt.
            latency: seconds that each answer takes, on the clock.
            failures: the share of urls that fail, chosen by url and seed, so that they are the same ones in any order.
            seed: another seed, other failures.
            types: the content types to read, as in `[fetch]`; all if empty.
            max_bytes: the most that a body may have, as in `[fetch]`.
            clock: on which the latency passes.
        """
        if not 0 <= failures <= 1:
            raise BadInput(f"failures is {failures}, but must be a share from 0 to 1")
        if not 0 <= latency < inf:
            raise BadInput(f"latency is {latency}, but must be seconds from 0 on")
        self._pages = pages
        self._denied = denying((*pages.deny, *deny))
        self._latency, self._clock = latency, clock or SystemClock()
        self._failing, self._seed = int(failures * 2**64), seed
        self._types, self._max_bytes = frozenset(types), max_bytes

    async def fetch(self, url: Url) -> Fetched:
        """The answer as recorded; redirects are answers and are not followed."""
        if (rule := self._denied(url)) is not None:
            return Refused("denied", rule)
        if self._latency:
            await self._clock.sleep(self._latency)
        if self._failing and xxh3_64_intdigest(f"{self._seed} {url}".encode()) < self._failing:
            return STAGED
        response = self._pages.read(url)
        if response is None:
            return _without_robots(url) or NOT_RECORDED
        return passed(response, self._types, self._max_bytes)

    async def close(self) -> None:
        """Nothing to let go of: whoever opened the recording closes it."""


def passed(response: Response, types: Collection[str] = HTML, max_bytes: int = 5 << 20) -> Response | Refused | Failed:
    """The answer as the HTTP fetcher would have let it through: pages of the types wanted, not over the cap."""
    if 200 <= response.status < 300 and types:
        said = declared_type(response.header("content-type") or "")
        if said and said not in types:
            return Refused("content-type", said.encode("unicode_escape").decode()[:100], asked=True)
        if not said and response.body and (kind := seen_type(response.body)) not in types:
            return Refused("content-type", f"undeclared, looks like {kind}", asked=True)
    if max(len(response.body), len(response.raw)) > max_bytes:
        return Failed("too-large", f"more than {max_bytes} bytes", retry=False)
    return response


def _without_robots(url: Url) -> Response | None:
    """A host of which no robots.txt was recorded is a host without one: a failure would close it."""
    return Response(url, 404, (), b"", b"") if url.endswith("/robots.txt") and url.count("/") == 3 else None
