"""What of a robots.txt concerns one robot: a single group of rules, whatever else the file holds.

A group is read once, however many robots it names and however many groups there are, so that time and memory grow with
the file and not with robots times rules. Lines are read as RFC 9309 and Google's parser read them:

- a robot is named by its product token, the letters, `-` and `_` that the value begins with, in any case:
  `Thresher/0.1` and `thresher bot` name `thresher`, `thresherbot` does not;
- `*` names all, also with a blank and more behind it;
- all groups that name us count as one, and only if there is none the groups for all do;
- only a rule ends the naming of robots, and is for all that were named. An unknown line, a blank one or a sitemap does
  not, nor does a delay, which the RFC does not know. It is for those named before it: who is named behind it shares
  the rules but not the delay, and a second delay is for these alone;
- the usual misspellings count (`Disalow`, `useragent`), and so does a missing colon.
"""

import re
from typing import NamedTuple

_AGENT, _SITEMAP = "User-agent", "Sitemap"
_DELAYS = ("Crawl-delay", "Request-rate")
_FIELDS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), _AGENT),
    **dict.fromkeys(("sitemap", "site-map"), _SITEMAP),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "Disallow"),
    "allow": "Allow",
    **dict.fromkeys(("crawl-delay", "crawl delay"), "Crawl-delay"),
    **dict.fromkeys(("request-rate", "request rate"), "Request-rate"),
}
# What stands before the colon need only begin so: `Disallowed: /x` is a rule. Where the colon is missing there must be
# exactly two words. No part gives back what it took.
_LINE = re.compile(
    rf"^[^\S\n]*+(?P<field>{'|'.join(_FIELDS)})"
    r"(?:[^:#\n]*+:(?P<value>[^#\n]*+)|[^\S\n]++(?P<word>[^\s#]++)[^\S\n]*+(?=#|$))",
    re.IGNORECASE | re.MULTILINE | re.ASCII,
)
_TOKEN = re.compile(r"[A-Za-z_-]*+")


class RobotsGroup(NamedTuple):
    """What a robots.txt says to one robot."""

    rules: str
    """As a robots.txt with one group, for all; empty if nothing is asked of the robot."""
    sitemaps: tuple[str, ...]
    """As they are spelled, in order, each once. They belong to no group."""


def group_for(agent: str, text: str) -> RobotsGroup:
    """The rules for a robot, and the sitemaps."""
    reading = _Reading(_token(agent))
    for line in _LINE.finditer("\n".join(text.splitlines())):
        reading.take(_FIELDS[line["field"].lower()], (line["value"] or line["word"] or "").strip())
    rules = reading.to_us if reading.named else reading.to_all
    return RobotsGroup("\n".join(["User-agent: *", *rules]) if rules else "", tuple(reading.sitemaps))


class _Naming:
    """Whom lines of one kind are for: the robots that were named since such lines last came."""

    def __init__(self) -> None:
        self.lines: dict[str, None] | None = None
        """Where the lines go; None if they are for others."""
        self.ended = False

    def add(self, lines: dict[str, None] | None, *, us: bool) -> None:
        """One more robot is named, with what is said to it. What is said to us and to all is said to us."""
        if self.ended:
            self.lines, self.ended = None, False
        if us or self.lines is None:
            self.lines = lines

    def say(self, line: str) -> None:
        """A line to the robots that are named. Of several delays the last counts."""
        if self.lines is not None:
            self.lines.pop(line, None)
            self.lines[line] = None


class _Reading:
    """What was read so far. The rules are keys of a dict: what a file repeats is held once."""

    def __init__(self, us: str) -> None:
        self._us = us
        self.named = False
        """Whether any group names us."""
        self.to_us: dict[str, None] = {}
        self.to_all: dict[str, None] = {}
        self.sitemaps: dict[str, None] = {}
        self._ruled, self._delayed = _Naming(), _Naming()

    def take(self, field: str, value: str) -> None:
        """One line that means something."""
        if field == _AGENT:
            self._name(value)
        elif field != _SITEMAP:
            self._say(field, value)
        elif value:
            self.sitemaps[value] = None

    def _name(self, robot: str) -> None:
        us = bool(self._us) and _token(robot) == self._us
        everyone = robot.startswith("*") and not robot[1:2].strip()
        self.named = self.named or us
        for each in (self._ruled, self._delayed):
            each.add(self.to_us if us else self.to_all if everyone else None, us=us)

    def _say(self, field: str, value: str) -> None:
        delay = field in _DELAYS
        self._delayed.ended, self._ruled.ended = True, self._ruled.ended or not delay
        if value:
            (self._delayed if delay else self._ruled).say(f"{field}: {value}")


def _token(agent: str) -> str:
    """The product token: `thresher` of `Thresher/0.1`."""
    found = _TOKEN.match(agent)
    return found[0].lower() if found else ""
