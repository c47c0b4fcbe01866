"""Which urls belong to the crawl: allow and deny rules, depth, and guards against endless sites.

A deny rule always wins. If there are allow rules, a url must match one of them.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from thresher.endings import ending_of
from thresher.errors import BadInput
from thresher.model import Host, Link, Url
from thresher.patterns import Patterns
from thresher.remembered import Remembered
from thresher.urls import canonical, host_of

Rule = Callable[[Url], str | None]
"""The entry of a list that matches the url, or None."""


class ScopeRules:
    """The `[scope]` table of a crawl file; its keys are the keywords, all of them optional."""

    def __init__(  # noqa: PLR0913 - the keys of the table
        self,
        *,
        hosts: Sequence[str] = (),
        domains: Sequence[str] = (),
        prefixes: Sequence[str] = (),
        patterns: Sequence[str] = (),
        deny_hosts: Sequence[str] = (),
        deny_domains: Sequence[str] = (),
        deny_prefixes: Sequence[str] = (),
        deny_patterns: Sequence[str] = (),
        deny_endings: Sequence[str] = (),
        depth: int | None = 64,
        url_length: int = 2000,
        segments: int = 24,
        repeats: int = 3,
    ) -> None:
        """Set the rules.

        Args:
            hosts: Whole host names, with the port where it is not the scheme's own.
            domains: Names with everything below them: `example.org` is also `www.example.org`, on any port.
            prefixes: How a url begins: `https://example.org/docs/`.
            patterns: Regular expressions as RE2 reads them, searched for in the whole url.
            deny_hosts: Hosts to stay away from.
            deny_domains: Domains to stay away from.
            deny_prefixes: Prefixes to stay away from.
            deny_patterns: Patterns to stay away from.
            deny_endings: Endings of paths that lead to no page: `pdf`, `jpg`.
            depth: How many links from a seed; None for any number.
            url_length: Longer urls are traps.
            segments: Paths with more segments are traps.
            repeats: A path with the same segment more often than this is a trap: `/a/b/a/b/a/b/a/b`.
        """
        self._depth = _at_least("depth", 0, depth) if depth is not None else float("inf")
        self._length = _at_least("url_length", 1, url_length)
        self._segments = _at_least("segments", 1, segments)
        self._repeats = _at_least("repeats", 1, repeats)
        self._few_slashes = 2 + min(self._segments, self._repeats)
        self._allow = _rules("", hosts, domains, prefixes, patterns)
        self._deny = _rules("deny_", deny_hosts, deny_domains, deny_prefixes, deny_patterns)
        if _strings("deny_endings", deny_endings):
            self._deny.insert(0, _ending_rule("deny_endings", deny_endings))
        self._refused = Remembered(lambda url: self._refusal(url) is not None, column=Link._fields.index("target"))

    def refusal(self, url: Url, depth: int) -> str | None:
        """The rule that keeps the url out, in words; None if it is in scope."""
        if depth > self._depth:
            return f"depth {depth} is over {self._depth}"
        return self._refusal(url)

    def within(self, links: Sequence[Link], depth: int) -> list[Link]:
        """The links of a page that are in scope."""
        if depth > self._depth:
            return []
        # Pages of a site repeat their links: to look them up, all at once, takes a third of the time of asking every rule.
        return [link for link, refused in zip(links, self._refused.of(links), strict=True) if not refused]

    def _refusal(self, url: Url) -> str | None:
        if len(url) > self._length:
            return f"url_length {len(url)} is over {self._length}"
        if url.count("/") > self._few_slashes and (trap := self._trap(url)):
            return trap
        for rule in self._deny:
            if found := rule(url):
                return found
        for rule in self._allow:
            if rule(url):
                return None
        return "none of the allow rules" if self._allow else None

    def _trap(self, url: Url) -> str | None:
        """Why the path looks endless: it has too many segments, or one of them too often."""
        path = url.partition("?")[0].split("/")[3:]
        if len(path) > self._segments:
            return f"segments {len(path)} is over {self._segments}"
        if len(path) - len(set(path)) < self._repeats:
            return None
        most, times = Counter(path).most_common(1)[0]
        if times > self._repeats:
            return f"repeats {times} of {most!r} is over {self._repeats}"
        return None


def _rules(
    deny: str, hosts: Sequence[str], domains: Sequence[str], prefixes: Sequence[str], patterns: Sequence[str]
) -> list[Rule]:
    """A rule for each list that has entries, the cheap ones first."""
    makers = (
        (_prefix_rule, f"{deny}prefixes", prefixes),
        (_host_rule, f"{deny}hosts", hosts),
        (_domain_rule, f"{deny}domains", domains),
        (_pattern_rule, f"{deny}patterns", patterns),
    )
    return [maker(name, entries) for maker, name, entries in makers if _strings(name, entries)]


def _ending_rule(name: str, entries: Sequence[str]) -> Rule:
    endings = {entry.removeprefix(".").lower() for entry in entries}

    def rule(url: Url) -> str | None:
        ending = ending_of(url)
        return f"{name}: {ending}" if ending in endings else None

    return rule


def _host_rule(name: str, entries: Sequence[str]) -> Rule:
    hosts = {_host(name, entry) for entry in entries}

    def rule(url: Url) -> str | None:
        host = host_of(url)
        return f"{name}: {host}" if host in hosts else None

    return rule


def _domain_rule(name: str, entries: Sequence[str]) -> Rule:
    domains = {_host(name, entry).rstrip(".") for entry in entries}

    @lru_cache(16_384)
    def rule_of(host: Host) -> str | None:
        labels = _without_port(host).rstrip(".").split(".")
        names = (".".join(labels[start:]) for start in range(len(labels)))
        return next((f"{name}: {found}" for found in names if found in domains), None)

    return lambda url: rule_of(host_of(url))


def _prefix_rule(name: str, entries: Sequence[str]) -> Rule:
    prefixes = tuple(_prefix(name, entry) for entry in entries)

    def rule(url: Url) -> str | None:
        if not url.startswith(prefixes):
            return None
        return f"{name}: {next(prefix for prefix in prefixes if url.startswith(prefix))}"

    return rule


def _pattern_rule(name: str, entries: Sequence[str]) -> Rule:
    patterns = Patterns(f"scope: {name}", entries)

    def rule(url: Url) -> str | None:
        found = patterns.first_in(url)
        return found and f"{name}: {found}"

    return rule


def _strings(name: str, entries: Sequence[str]) -> Sequence[str]:
    if isinstance(entries, str) or not all(isinstance(entry, str) for entry in entries):
        raise BadInput(f"scope: {name}: {entries!r} is not a list of texts")
    if not all(map(str.strip, entries)):
        raise BadInput(f"scope: {name}: an empty text fits no url, or all of them: give a name, a url or a pattern")
    return entries


def _at_least(name: str, least: int, value: int) -> int:
    if not isinstance(value, int) or value < least:
        raise BadInput(f"scope: {name}: {value!r} is not a whole number from {least} up")
    return value


def _host(name: str, entry: str) -> Host:
    url = canonical(f"{'https' if entry.endswith(':443') else 'http'}://{entry}/")
    if url is None or set(entry) & set("/\\?#@*") or ".." in entry or not entry.strip("."):
        raise BadInput(f"scope: {name}: {entry!r} is not a host name such as example.org{_all_below(name, entry)}")
    host = host_of(url)
    if name.endswith("domains") and host != _without_port(host):
        raise BadInput(f"scope: {name}: {entry!r} has a port; a domain has none")
    return host


def _all_below(name: str, entry: str) -> str:
    """What to write instead of `*.example.org`."""
    bare = entry.removeprefix("*.")
    return f"; {bare} as a domain has all below it" if bare != entry and name.endswith("domains") else ""


def _prefix(name: str, entry: str) -> str:
    # The query stays as it is: `http://h/?utm_` in canonical form would be all of `http://h/`.
    path, mark, query = entry.partition("?")
    url = canonical(path)
    if url is None or "#" in entry:
        raise BadInput(f"scope: {name}: {entry!r} is not the beginning of a url such as https://example.org/docs/")
    return url + mark + query


def _without_port(host: Host) -> str:
    return host.partition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]
