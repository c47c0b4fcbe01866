"""The map of a generated web: which page stands where, is called what, and is about what.

Pages are numbers. A site is a run of numbers: its home page, its sections (hubs), then its articles, dealt to the
sections in turn. Every page can be reached from page 0: a home page links to its sections and to the homes of up to
three further sites, a section to its articles.
"""

import re
from array import array
from collections.abc import Sequence
from functools import cached_property
from math import isqrt

from xxhash import xxh3_64_intdigest

from thresher.lab.webs import prose
from thresher.lab.webs.vocabulary import Vocabulary

FRIENDS = 3
"""Homes of other sites that a home page links to."""
THEME_SHARE = 0.75
"""The share of a site's sections that are on the site's own theme."""
SECTION_SHARE = 0.9
"""The share of a section's articles that are on the section's topic."""


class Atlas:
    """Where each page stands and what it is about: the same arguments always give the same map."""

    def __init__(  # noqa: PLR0913 - the last two are seldom given
        self,
        size: int,
        hosts: Sequence[str] | int,
        vocabulary: Vocabulary,
        seed: int = 0,
        *,
        mixed: float = 0.0,
        foreign: Vocabulary | None = None,
    ) -> None:
        """Lay out a web; `mixed` is the share of its pages that are written with the foreign words."""
        self.size = size
        self.vocabulary = vocabulary
        self.seed = seed
        self.mixed = mixed
        self.foreign = foreign
        self.hosts = named_hosts(hosts, vocabulary) if isinstance(hosts, int) else tuple(hosts)
        self._site_by_host = {host: site for site, host in enumerate(self.hosts)}
        self._small, self._larger = divmod(size, len(self.hosts))
        # A page names sixty others, and each is named by sixty: remembering them takes some 300 bytes a page and
        # writes a page of 63 links in 1.3 ms instead of 2.4.
        self._titles: dict[int, str] = {}
        self._paths: dict[int, str] = {}

    def first(self, site: int) -> int:
        """The number of a site's home page."""
        return site * self._small + min(site, self._larger)

    def count(self, site: int) -> int:
        """How many pages a site has."""
        return self._small + (site < self._larger)

    def section_count(self, site: int) -> int:
        """How many sections a site has: about as many as each has articles."""
        return isqrt(max(0, self.count(site) - 1))

    def place(self, number: int) -> tuple[int, int]:
        """The site of a page, and its place there: 0 is the home page, then come the sections."""
        of_larger = (self._small + 1) * self._larger
        if number < of_larger:
            return divmod(number, self._small + 1)
        site, local = divmod(number - of_larger, self._small)
        return site + self._larger, local

    def section(self, number: int) -> int:
        """The section that an article belongs to, as a page number; for others the page itself."""
        site, local = self.place(number)
        sections = self.section_count(site)
        return number if local <= sections else self.first(site) + 1 + (local - 1) % sections

    def sections(self, site: int) -> range:
        """The sections of a site."""
        return range(self.first(site) + 1, self.first(site) + 1 + self.section_count(site))

    def articles(self, section: int) -> range:
        """The articles of a section."""
        site, local = self.place(section)
        step = self.section_count(site)
        return range(section + step, self.first(site) + self.count(site), step) if 0 < local <= step else range(0)

    def friends(self, site: int) -> list[int]:
        """The home pages of further sites that a site's home page links to."""
        first = site * FRIENDS + 1
        return [self.first(other) for other in range(first, min(first + FRIENDS, len(self.hosts)))]

    def topic(self, number: int) -> int:
        """What a page is really about, as a place in the vocabulary. No part of the page says so."""
        return self._topics[number]

    def peers(self, topic: int) -> Sequence[int]:
        """The pages about a topic."""
        return self._peers[topic]

    def is_mixed(self, number: int) -> bool:
        """Whether a page has its important terms in the other language. It then has them too in the same web with a larger share."""
        return number in self._mixed

    def words(self, number: int) -> Vocabulary:
        """The words a page is written with."""
        return self.foreign if self.foreign and self.is_mixed(number) else self.vocabulary

    def site_name(self, site: int) -> str:
        """What a site calls itself."""
        return self.vocabulary.portal if site == 0 else _site_name(self.vocabulary, site)

    def title(self, number: int) -> str:
        """What a page is called, without its site's name."""
        if number not in self._titles:
            self._titles[number] = self._made_title(number)
        return self._titles[number]

    def path(self, number: int) -> str:
        """Where a page stands on its host: `/`, `/3-treatment/`, `/3-treatment/the-pupil-explained-27.html`."""
        if number not in self._paths:
            self._paths[number] = self._made_path(number)
        return self._paths[number]

    def number(self, host: str, path: str) -> int | None:
        """The page that stands there, if any."""
        site = self._site_by_host.get(host)
        found = _LOCAL.fullmatch(path)
        if site is None or found is None:
            return None
        local = int(found["article"] or found["section"] or 0)
        number = self.first(site) + local
        return number if local < self.count(site) and self.path(number) == path else None

    def dice(self, purpose: str, number: int) -> int:
        """64 bits that depend on nothing but the seed, the purpose and the number."""
        return xxh3_64_intdigest(f"{purpose} {number}".encode(), self.seed)

    def chance(self, purpose: str, number: int) -> float:
        """The same from 0 up to 1."""
        return self.dice(purpose, number) / 2**64

    def _made_title(self, number: int) -> str:
        site, local = self.place(number)
        if local == 0:
            return self.site_name(site)
        words = self.words(number)
        subject = words.subjects[self.topic(number)]
        if local <= self.section_count(site):
            part, which = divmod(local - 1, len(subject.sections))
            return subject.sections[which] + (f", part {part + 1}" if part else "")
        return prose.title(subject, words.common, self.dice("title", number))

    def _made_path(self, number: int) -> str:
        local = self.place(number)[1]
        if local == 0:
            return "/"
        section = self.section(number)
        folder = f"/{self.place(section)[1]}-{_slug(self.title(section))}/"
        return folder if section == number else f"{folder}{_slug(self.title(number))}-{local}.html"

    @cached_property
    def _mixed(self) -> frozenset[int]:
        # A count and not a chance for each: the share is what an experiment says.
        drawn = sorted(range(self.size), key=lambda number: self.dice("mixed", number)) if self.mixed else []
        return frozenset(drawn[: round(self.mixed * self.size)])

    @cached_property
    def _topics(self) -> bytearray:
        topics = bytearray(self.size)
        for number in range(self.size):
            topics[number] = self._draw_topic(number, topics)
        return topics

    def _draw_topic(self, number: int, topics: bytearray) -> int:
        site, local = self.place(number)
        if local == 0:
            return _theme(self.vocabulary, site)
        section = self.section(number)
        if section != number:
            kept, own = SECTION_SHARE, topics[section]
        else:
            kept, own = THEME_SHARE if site else 0.0, _theme(self.vocabulary, site)
        return own if self.chance("keep", number) < kept else self.dice("topic", number) % len(self.vocabulary.subjects)

    @cached_property
    def _peers(self) -> list[Sequence[int]]:
        peers: list[array[int]] = [array("I") for _ in self.vocabulary.subjects]
        for number, topic in enumerate(self._topics):
            peers[topic].append(number)
        return list(peers)


_LOCAL = re.compile(r"/(?:(?P<section>\d{1,9})-[a-z0-9-]+/(?:[a-z0-9-]+-(?P<article>\d{1,9})\.html)?)?")


def named_hosts(count: int, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Hosts with readable names: `weekendalmanac.example`, `harbourlog.example` … Site 0 is the portal."""
    names = [vocabulary.portal, *(_site_name(vocabulary, site) for site in range(1, count))]
    return tuple(_slug(name).replace("-", "") + ".example" for name in names)


def loopback_hosts(count: int) -> tuple[str, ...]:
    """Hosts that need no DNS: 127.0.0.1, 127.0.0.2 … (macOS answers on the first only)."""
    return tuple(f"127.0.{number // 250}.{number % 250 + 1}" for number in range(count))


def _theme(vocabulary: Vocabulary, site: int) -> int:
    # Site 0, the portal, has no theme of its own; its home page speaks of the first topic.
    return max(0, site - 1) % len(vocabulary.subjects)


def _site_name(vocabulary: Vocabulary, site: int) -> str:
    names = vocabulary.subjects[_theme(vocabulary, site)].sites
    turn = (site - 1) // len(vocabulary.subjects)
    return names[turn % len(names)] + (f" {turn // len(names) + 1}" if turn >= len(names) else "")


def _slug(words: str) -> str:
    # A title in other letters leaves nothing to read in an address.
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") or "page"
