"""A web made from a seed, page by page when asked, so that fifty thousand pages cost no memory.

web = generate(size=2000, hosts=20, seed=7)
web.page("weekendalmanac.example:8080", "/").body     # links carry the port that was asked
web.topic_of("http://eyeclinic.example:8080/")        # 'eye': for those who measure, not for those who crawl
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any
from urllib.parse import urlsplit

from thresher.errors import BadInput
from thresher.lab.webs import page_html as layout
from thresher.lab.webs import prose
from thresher.lab.webs.atlas import Atlas
from thresher.lab.webs.page_html import Frame, Pointer
from thresher.lab.webs.vocabulary import LANGUAGES, Subject, Vocabulary, iris_vocabulary, translated
from thresher.lab.webs.web_pages import WebAnswer
from thresher.urls import canonical

_LEAST = {"size": 1, "links": 0, "words": 0, "crawl_delay": 0}
_SHARES = ("locality", "honesty", "mixed")


def check_shape(hosts: Sequence[str] | int, shape: Mapping[str, Any]) -> None:
    """Refuse a web that cannot be."""
    for key, least in _LEAST.items():
        if shape[key] is not None and not shape[key] >= least:
            raise BadInput(f"{key} is {shape[key]}, but must be {least} or more")
    for key in _SHARES:
        if not 0 <= shape[key] <= 1:
            raise BadInput(f"{key} is {shape[key]}, but must be a share from 0 to 1")
    if shape["language"] not in LANGUAGES:
        raise BadInput(f"language is {shape['language']!r}, but must be one of {', '.join(map(repr, LANGUAGES))}")
    _check_hosts(hosts, shape["size"])


def _check_hosts(hosts: Sequence[str] | int, size: int) -> None:
    names = [] if isinstance(hosts, int) else list(hosts)
    count = hosts if isinstance(hosts, int) else len(names)
    if not 1 <= count <= size:
        raise BadInput(f"{size} pages cannot have {count} hosts: give hosts from 1 to {size}, or a larger size")
    for host in names:
        if canonical(f"http://{host}/") != f"http://{host}/":
            raise BadInput(f"hosts: {host!r} is no name of a host, such as 'eyes.example'")
        if names.count(host) > 1:
            raise BadInput(f"hosts: {host!r} is there twice")


MENU_LENGTH = 7
GUARDED_EVERY = 4
"""One site in this many has a robots.txt with rules."""
GUARDED_PATH = "/members/"


def generate(  # noqa: PLR0913 - each keyword is a property of a web that an experiment varies
    size: int = 360,
    hosts: Sequence[str] | int = 12,
    topics: Sequence[Subject | str] | None = None,
    *,
    links: int = 18,
    words: int = 220,
    locality: float = 0.7,
    honesty: float = 0.75,
    seed: int = 0,
    crawl_delay: float | None = None,
    dressed: bool = False,
    mixed: float = 0.0,
    language: str = "hi",
) -> "GeneratedWeb":
    """A web of that many pages on so many hosts (or on those named), about the two irises and noise unless told.

    Topics are some of these by their names, or your own. Of its pages a share of `mixed` has titles, headings and the topic's terms in
    another language. The defaults are the web of the demo.
    """
    shares = {"locality": locality, "honesty": honesty, "mixed": mixed, "language": language}
    check_shape(hosts, {"size": size, "links": links, "words": words, "crawl_delay": crawl_delay, **shares})
    vocabulary = iris_vocabulary() if topics is None else iris_vocabulary().about(topics)
    foreign = translated(vocabulary, language) if mixed else None
    atlas = Atlas(size, hosts, vocabulary, seed, mixed=mixed, foreign=foreign)
    return GeneratedWeb(
        atlas, links=links, words=words, locality=locality, honesty=honesty, crawl_delay=crawl_delay, dressed=dressed
    )


class GeneratedWeb:
    """Pages as a pure function of the seed and a number."""

    def __init__(  # noqa: PLR0913 - see generate
        self,
        atlas: Atlas,
        *,
        links: int,
        words: int,
        locality: float,
        honesty: float,
        crawl_delay: float | None,
        dressed: bool,
    ) -> None:
        self.atlas = atlas
        self.links = links
        """Links a page has, menu included; a list of contents may need more."""
        self.words = words
        """Words of text an article has, about."""
        self.locality = locality
        """The share of links between pages that stay on the same topic."""
        self.honesty = honesty
        """The share of anchors that say what is behind them."""
        self.crawl_delay = crawl_delay
        self.dressed = dressed
        """Whether pages come in the markup of today rather than in plain tags."""

    def page(self, host: str, path: str) -> WebAnswer | None:
        """The page that stands there. Links to other hosts carry the port of the host that was asked."""
        name, colon, port = host.partition(":")
        if name not in self.atlas.hosts:
            return None
        if path == "/robots.txt":
            return WebAnswer(self._robots(name).encode(), kind="text/plain")
        if path == GUARDED_PATH and self._guarded(self.atlas.hosts.index(name)):
            return WebAnswer(b"<!doctype html><title>Members</title><p>This page is for members.")
        number = self.atlas.number(name, path)
        return None if number is None else WebAnswer(_Author(self, number, colon + port).write().encode())

    def url(self, number: int, port: int | None = None) -> str:
        """The address of a page."""
        host = self.atlas.hosts[self.atlas.place(number)[0]]
        return f"http://{host}{'' if port is None else f':{port}'}{self.atlas.path(number)}"

    def urls(self, port: int | None = None) -> Iterator[str]:
        """The addresses of all pages. All can be reached from the first by links that robots.txt allows."""
        return (self.url(number, port) for number in range(self.atlas.size))

    def topic_of(self, url: str) -> str | None:
        """What a page is really about; None if it is no page of this web."""
        parts = urlsplit(url)
        number = self.atlas.number(parts.hostname or "", parts.path or "/")
        return None if number is None else self.atlas.vocabulary.subjects[self.atlas.topic(number)].name

    def is_mixed(self, url: str) -> bool:
        """Whether it is a page with its important terms in another language: for those who measure."""
        parts = urlsplit(url)
        number = self.atlas.number(parts.hostname or "", parts.path or "/")
        return number is not None and self.atlas.is_mixed(number)

    def _guarded(self, site: int) -> bool:
        return site % GUARDED_EVERY == GUARDED_EVERY - 1

    def _robots(self, host: str) -> str:
        if not self._guarded(self.atlas.hosts.index(host)):
            return "User-agent: *\nDisallow:\n"
        delay = "" if self.crawl_delay is None else f"Crawl-delay: {self.crawl_delay:g}\n"
        return f"User-agent: *\nDisallow: {GUARDED_PATH}\n{delay}"


class _Author:
    """Writes one page. The order of its draws is fixed, so the page is too."""

    def __init__(self, web: GeneratedWeb, number: int, port: str) -> None:
        self.web = web
        self.atlas = web.atlas
        self.number = number
        self.port = port
        self.site, self.local = self.atlas.place(number)
        self.random = Random(self.atlas.dice("page", number))  # noqa: S311 - a reproducible page, not a secret
        self.vocabulary: Vocabulary = self.atlas.words(number)
        self.subject = self.vocabulary.subjects[self.atlas.topic(number)]
        self.menu = self._menu()

    def write(self) -> str:
        frame = Frame(self.atlas.site_name(self.site), self.menu, self._footer())
        lines = self._lines(self.web.words)
        html = layout.document(frame, self.atlas.title(self.number), lines[0], self._kind()(lines))
        return layout.dressed(html) if self.web.dressed else html

    def _kind(self) -> Callable[[list[str]], str]:
        if self.local == 0:
            return self._home
        return self._section if self.local <= self.atlas.section_count(self.site) else self._article

    def _home(self, lines: list[str]) -> str:
        contents = [self._pointer(section) for section in self.atlas.sections(self.site)]
        friends = [self._pointer(home) for home in self.atlas.friends(self.site)]
        members = [Pointer(GUARDED_PATH, "Members")] if self.web._guarded(self.site) else []  # noqa: SLF001 - the author is the web's own hand
        welcome = (
            self.vocabulary.welcome if self.site == 0 else f"Welcome to {self.atlas.site_name(self.site)}: {lines[0]}"
        )
        drawn = self._drawn(len(contents) + len(friends))
        blocks = (
            layout.paragraph(welcome),
            layout.link_list("Contents", contents + members),
            layout.link_list("Friends of this site", friends),
            self._text(lines[: len(lines) // 3], drawn[:2]),
            layout.link_list("Elsewhere", self._pointers(drawn[2:])),
        )
        return "\n".join(blocks)

    def _section(self, lines: list[str]) -> str:
        articles = self.atlas.articles(self.number)
        teasers = prose.sentences(self.subject, self.vocabulary.common, self.random, len(articles))
        entries = [
            layout.teaser(self.atlas.title(at), line, self._pointer(at))
            for at, line in zip(articles, teasers, strict=True)
        ]
        drawn = self._drawn(len(articles))
        text = self._text(lines[: len(lines) // 2], drawn[:2])
        return "\n".join([text, *entries, layout.link_list("See also", self._pointers(drawn[2:]))])

    def _article(self, lines: list[str]) -> str:
        section = self.atlas.section(self.number)
        drawn = self._drawn(2)
        siblings = [other for other in self.atlas.articles(section) if other > self.number][:1]
        crumb = f"<p>{Pointer(self._href(section), self.atlas.title(section))}</p>"
        text = self._text(lines, drawn[: len(drawn) // 2])
        return (
            f"{crumb}\n{text}\n{layout.link_list('See also', self._pointers([*siblings, *drawn[len(drawn) // 2 :]]))}"
        )

    def _text(self, lines: list[str], targets: list[int]) -> str:
        """Paragraphs with a heading now and then; the first ones end with a link until all are placed."""
        common, blocks, waiting = self.vocabulary.common, [], list(reversed(targets))
        for place, text in enumerate(prose.paragraphs(lines, self.random)):
            if place % 3 == 2:
                blocks.append(layout.heading(prose.heading(self.subject, common, self.random)))
            pointer = self._pointer(waiting.pop()) if waiting else None
            blocks.append(layout.paragraph(text, self.random.choice(common.mentions), pointer))
        rest = [self._pointer(target) for target in reversed(waiting)]
        return "\n".join([*blocks, layout.link_list("Related", rest)])

    def _lines(self, words: int) -> list[str]:
        count = max(1, round(words * (0.7 + 0.6 * self.random.random()) / prose.WORDS_A_SENTENCE))
        return prose.sentences(self.subject, self.vocabulary.common, self.random, count)

    def _drawn(self, taken: int) -> list[int]:
        """Other pages to link to: of the same topic as the locality says, else any."""
        peers, wanted = self.atlas.peers(self.atlas.topic(self.number)), max(0, self.web.links - taken - len(self.menu))
        near = min(len(peers), sum(self.random.random() < self.web.locality for _ in range(wanted)))
        far = self.random.sample(range(self.atlas.size), min(self.atlas.size, wanted - near))
        drawn = sorted({*self.random.sample(peers, near), *far} - {self.number})
        self.random.shuffle(drawn)
        return drawn

    def _menu(self) -> list[Pointer]:
        chosen = self.atlas.sections(self.site)[:MENU_LENGTH]
        return [Pointer("/", "Home"), *(Pointer(self._href(section), self.atlas.title(section)) for section in chosen)]

    def _footer(self) -> str:
        # Every page names every topic, so that a judge that reads footers is fooled.
        labels = [subject.label.lower() for subject in self.vocabulary.subjects]
        site = self.atlas.site_name(self.site)
        return f"{site}. Our network also writes about {', '.join(labels[:-1])} and {labels[-1]}."

    def _pointers(self, numbers: Sequence[int]) -> list[Pointer]:
        return [self._pointer(number) for number in numbers]

    def _pointer(self, number: int) -> Pointer:
        honest = self.random.random() < self.web.honesty
        return Pointer(
            self._href(number),
            self.atlas.title(number) if honest else self.random.choice(self.vocabulary.common.generic),
        )

    def _href(self, number: int) -> str:
        site, path = self.atlas.place(number)[0], self.atlas.path(number)
        return path if site == self.site else f"http://{self.atlas.hosts[site]}{self.port}{path}"
