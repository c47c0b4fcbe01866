"""The words of the crawl: plain frozen values that every stage speaks in.

Three numbers, never mixed: *relevance* (of a page, 0 to 1), *priority* (of a link; only the order matters) and *weight* (of a concept).
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, NewType

Url = NewType("Url", str)
"""A url in canonical form. Only `urls.py` makes one."""

Host = NewType("Host", str)
"""The unit of politeness: a host name, with its port where that is not the scheme's own."""

Merge = Literal["max", "sum", "first", "last"]
"""What becomes of a waiting url's priority when the url is met again (Lokman: `max` = GetGreater, `sum` = IncrementValues)."""

Sharing = Literal["nothing", "lessons", "one learner"]
"""What the strategies of several workers tell each other: nothing, what each of them learns, or all of it to one that learns for all."""

DROP = float("-inf")
"""The priority of a link that is not worth a visit: it never enters the frontier."""

SEED = 1e9
"""The priority of a seed: before any link."""

FIRST = 1e300
"""The priority of a url that a person puts first: before any other, and no link or strategy changes it."""

PAGE = "page"
"""The form of a page, and the outcome of a visit that brought one."""

LISTS = frozenset({"feed", "sitemap"})
"""Forms of what is read for its links alone: it is never harvest."""

READ = frozenset({PAGE, "redirect", *LISTS})
"""Outcomes of visits with which nothing is wrong."""

RESERVED = "reserved"
"""The form of a page that reserves text and data mining, and the fact that says by what."""


class Link(NamedTuple):
    """A link on a page. Its words are offsets into the page's text, so that sixty links cost no sixty copies."""

    source: Url
    target: Url
    text: str
    """The whole visible text of the source page, shared by all its links."""
    start: int
    """Where the anchor begins in `text`."""
    end: int
    """Where it ends."""
    heading: str = ""
    """The nearest heading above it."""
    position: int = 0
    """Its place among the page's links, from 0."""
    rel: str = ""
    """The rel attribute in lower case: `nofollow ugc`."""
    navigation: bool = False
    """Whether it stands in a menu, a header or a footer."""
    kind: str = ""
    """Where it was found, if not where a person would click: `feed`, `sitemap`, `next`, `json-ld` … Such a link has no words of its own
    unless its list gives it some."""

    @property
    def anchor(self) -> str:
        """The words one clicks on; for a picture its alternative text."""
        return " ".join(self.text[self.start : self.end].split())

    @property
    def nofollow(self) -> bool:
        """Whether the page asks not to vouch for the link. A feature to weigh, not an order."""
        return "nofollow" in self.rel

    def context(self, words: int = 10) -> str:
        """The anchor with so many words on each side, across inline markup."""
        before = self.text[max(0, self.start - 24 * words) : self.start]
        after = self.text[self.end : self.end + 24 * words]
        # Blanks only where the page has some: "past." must not become "past .".
        around = (
            " ".join(before.split()[-words:]),
            " " * before[-1:].isspace(),
            self.text[self.start : self.end],
            " " * after[:1].isspace(),
            " ".join(after.split()[:words]),
        )
        return " ".join("".join(around).split())


class Candidate(NamedTuple):
    """An unvisited url with a priority."""

    url: Url
    priority: float
    depth: int = 0
    """Links from a seed: a seed has depth 0."""
    parent: Url | None = None
    anchor: str = ""
    chain: tuple[Url, ...] = ()
    """The urls that redirected here, first one first."""


class Claim(NamedTuple):
    """A candidate lent to one worker until it settles it or the claim expires."""

    candidate: Candidate
    host: Host
    number: int
    """The frontier's own name for the url."""
    expires: float
    tries: int = 0
    """How often the url was tried before."""

    @property
    def url(self) -> Url:
        """The url that is lent."""
        return self.candidate.url


class Outcome(NamedTuple):
    """How a claim ended, as far as the frontier needs to know."""

    name: str
    """`page`, `redirect`, `http-404`, `timeout`, `robots` …"""
    final: bool = True
    """Whether the url is done with. If not, it waits again."""
    tried: bool = True
    """Whether this used up one of the url's tries."""
    strain: bool = False
    """Whether the host showed strain (429, 503, a timeout), so that it must be left alone for longer and longer."""
    rest: float | None = None
    """Seconds that the host asked for (`Retry-After`) or that we owe it."""
    delay: float | None = None
    """The host's own crawl-delay, if it was just learned; 0 takes an earlier one back, None leaves it."""
    alike: bool | None = None
    """Whether the page looks like others of its host, so that the host loses turns; None if there is no page to compare."""


Headers = tuple[tuple[bytes, bytes], ...]


BROWSER = "browser"
"""What a rendition is made by that shows a page as its scripts leave it."""

SHELL = "shell"
"""The name of a fact: `yes` if a page is empty without its scripts, and nobody ran them."""

RENDERED = "rendered"
"""The name of a fact: `yes` if a browser made the page of what came, else why it could not."""


class Rendition(NamedTuple):
    """An answer as a page: what a reader of documents, or a browser, made of it."""

    html: bytes
    """In UTF-8."""
    by: str
    """`pdf`, `docx` … or `browser`."""


@dataclass(frozen=True, slots=True)
class Response:
    """A complete HTTP answer, of whatever status."""

    url: Url
    status: int
    headers: Headers
    """As received, in order."""
    body: bytes
    """The content, with its encoding (gzip, br, zstd) undone."""
    raw: bytes
    """The content as received: what a WARC file keeps."""
    request: bytes = b""
    """The head of the request as it was sent."""
    at: float = 0.0
    """When the request went out, in seconds since 1970."""
    elapsed: float = 0.0
    address: str = ""
    """The IP address that answered."""
    rendition: Rendition | None = None
    """What is read in the place of the body, if that is no page by itself."""
    notes: tuple[tuple[str, str], ...] = ()
    """What happened to it on the way here, by name; they become facts of its page."""

    def header(self, name: str) -> str | None:
        """The first header of that name, in any case of letters."""
        wanted = name.lower().encode()
        for key, value in self.headers:
            if key.lower() == wanted:
                return value.decode("latin-1")
        return None


@dataclass(frozen=True, slots=True)
class Refused:
    """We may not, or do not want to: final."""

    why: str
    """`robots`, `private-address`, `content-type` …"""
    detail: str = ""
    asked: bool = False
    """Whether a request was made before it was refused (a content type is known only then)."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Not this time: the web did something wrong."""

    why: str
    """`timeout`, `dns`, `connection-refused`, `bad-encoding` …"""
    detail: str = ""
    retry: bool = True
    """Whether another try can help."""
    strain: bool = False
    """Whether the host should be left alone for a while."""


@dataclass(frozen=True, slots=True)
class Later:
    """Not now: try again after so many seconds."""

    why: str
    """`robots-asked` (first robots.txt, then the page), `robots-unavailable`, `hand-lost`."""
    seconds: float | None
    """None if a request may have been made: then the host gets its usual pause."""
    delay: float | None = None
    """The host's crawl-delay, if robots.txt was just read: 0 if it asks for none. None if it was not read."""
    strain: bool = False
    """Whether the host should be left alone for longer and longer."""
    detail: str = ""
    """What stands in the way: `dns`, `connection-refused`, `http-503` …"""
    sitemaps: tuple[Url, ...] = ()
    """Those that robots.txt names, if it was just read."""


Fetched = Response | Refused | Failed | Later


@dataclass(frozen=True, slots=True)
class Page:
    """What a person would see of a response, and where it leads."""

    url: Url
    title: str = ""
    description: str = ""
    language: str = ""
    """As the page declares it: `en`, `hi`; empty if it does not."""
    text: str = ""
    """All visible text. Links point into it."""
    main: str = ""
    """The text without menus, headers and footers."""
    headings: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    canonical: Url | None = None
    """What the page calls its own address."""
    refresh: Url | None = None
    """Where a meta refresh leads."""
    follow: bool = True
    """False if the page or its `X-Robots-Tag` says nofollow."""
    index: bool = True
    """False if it says noindex."""
    bold: tuple[str, ...] = ()
    """What stands in `b` and `strong`."""
    form: str = PAGE
    """What it is: a page to be judged and counted, a list of links (`feed`, `sitemap`), or a page that says that there is none."""
    facts: tuple[tuple[str, str], ...] = ()
    """What else is known of it, by name: `author`, `published`, `licence` …"""

    def fact(self, name: str) -> str:
        """One of the facts; empty if it is not known."""
        return next((value for key, value in self.facts if key == name), "")


class LabelledPage(NamedTuple):
    """A page that a person judged."""

    page: Page
    relevant: bool


class Evidence(NamedTuple):
    """One reason for a judgement or a priority: what was found, where, and how much it adds."""

    what: str
    where: str
    amount: float
    """Below zero if it speaks against."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Is the page on topic, how much, and why."""

    relevance: float
    """From 0 to 1."""
    relevant: bool
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Visit:
    """One turn of the loop: what was claimed, what came back, what we made of it."""

    claim: Claim
    number: int
    """Visit number in the crawl, from 1, across restarts."""
    at: float
    fetched: Fetched
    outcome: Outcome
    page: Page | None = None
    judgement: Judgement | None = None

    @property
    def url(self) -> Url:
        """The url that was visited."""
        return self.claim.candidate.url

    @property
    def asked(self) -> bool:
        """Whether a request went out, so that the visit is charged to the budget."""
        return not isinstance(self.fetched, Later) and getattr(self.fetched, "asked", True)


class Kept(NamedTuple):
    """What the store found out while keeping a visit."""

    duplicate_of: Url | None = None
    """A page kept before with the very same bytes."""
    near: Url | None = None
    """A page kept before with nearly the same text."""
    alike: bool = False
    """Whether it looks like one of the last pages of its host, without being so near to it."""

    @property
    def fresh(self) -> bool:
        """Whether the page counts as harvest."""
        return self.duplicate_of is None and self.near is None


Standing = Literal["unknown", "waiting", "closed", "claimed", "settled"]
"""How a url stands in the frontier; `closed` if it waits on a host that is not asked any more."""


class Census(NamedTuple):
    """The frontier in figures."""

    waiting: int = 0
    claimed: int = 0
    settled: int = 0
    hosts: int = 0
    """Hosts with waiting urls."""
    resting: int = 0
    """Of these, hosts that must be left alone for now."""
    closed: int = 0
    """Urls that wait on hosts which will not be asked again: their quota is used up or they gave no answer too often."""
    best: float | None = None
    """The highest waiting priority."""
