"""A run that receives no page: it is noticed that no host answers, and told why no page came and what to check."""

from collections import Counter
from contextlib import closing

from thresher.budget import Stop
from thresher.crawl import CrawlLoop
from thresher.disk.crawl_home import Home
from thresher.events import Event, HostBackedOff, PageVisited
from thresher.model import Refused, Response
from thresher.results.plain_text import one_line, shorten
from thresher.store.totals import counts, errors
from thresher.store.visits import first_troubles, open_catalogue

SILENT = "silent"
"""Why a crawl stopped: no host has answered."""
_NO_ANSWER = {"dns", "connection-refused", "unreachable", "timeout", "reset", "proxy"}
_PATIENCE = 30.0
_TRIES = 3
_LONGEST = 300
_OFFLINE = (
    "check that this machine is online and may reach the web (a firewall? a proxy, to be named with --proxy URL?)"
)
# What to do about the most frequent outcome.
_CHECK = {
    "dns": "check how the hosts of the seeds are spelt, and that this machine is online and can look up names (DNS)",
    "connection-refused": "no server listens there: check host and port of the seeds",
    "proxy": "check that the proxy of --proxy works",
    "tls": "check the certificate of the host, or start at another one",
    "robots": "robots.txt of these hosts keeps crawlers away: start elsewhere with --seed URL",
    "scope": "the seeds are outside of the scope of this crawl: check --domain, --depth and [scope]",
    "private-address": "if you mean a machine of your own network, add --allow-private",
    "bad-port": "check the port of the seeds",
    "content-type": "start at HTML pages with --seed URL",
    "robots-unavailable": "the hosts are in trouble: try again later, or start elsewhere with --seed URL",
}
_OTHER = "open the seeds in a browser, and start at pages that answer with --seed URL"


class AnswerWatch:
    """A watcher that counts what came in this run, and stops a crawl that no host answers. Without it, giving up takes 21 minutes."""

    def __init__(self) -> None:
        self.pages = self.answers = self.failures = 0
        self.outcomes = Counter[str]()
        """How the tries ended that got no answer."""
        self.first = ""
        """The first of them."""

    def attach(self, crawl: CrawlLoop) -> None:
        """Watch this crawl."""
        self._crawl, self._began = crawl, crawl.clock.now()
        crawl.watchers.append(self)

    def __call__(self, event: Event) -> None:
        """Take note of an event."""
        match event:
            case PageVisited(visit=visit):
                self.pages += visit.page is not None
                self.answers += isinstance(visit.fetched, Response | Refused) and visit.asked
            case HostBackedOff(host=host, why=why, detail=detail):
                self._note(host, detail if why == "robots-unavailable" and detail else why, detail)
            case _:
                pass

    def _note(self, host: str, name: str, detail: str) -> None:
        if name not in _NO_ANSWER:
            self.answers += name.startswith("http-")
            return
        self.failures += 1
        self.outcomes[name] += 1
        self.first = self.first or _told(host, name, "" if detail == name else detail)
        if not self.answers:
            self._stop_if_dead()

    def _stop_if_dead(self) -> None:
        """A host gets three tries. Of a crawl that goes on with thousands of hosts, not all need be tried."""
        crawl = self._crawl
        most = _TRIES * min(max(crawl.frontier.census().hosts, 1), crawl.workers)
        seconds = crawl.clock.now() - self._began
        if self.failures >= most and seconds >= _PATIENCE:
            crawl.stop(SILENT, f"no host has answered for {seconds:.0f} seconds; run the same command to continue")


def why_no_page(folder: Home, watch: AnswerWatch, stop: Stop) -> str:
    """Why no page came and what to check, in one sentence. Empty if the crawl has pages, unless this run met a dead network."""
    if watch.pages:
        return ""
    with closing(open_catalogue(folder)) as catalogue:
        pages = counts(catalogue.execute).pages
        ended = Counter(errors(catalogue.execute))
        firsts = [_told(*each) for each in first_troubles(catalogue.execute, limit=1)]
    if pages:
        return no_answer(watch)
    if ended:
        return _sentence("", ended, *firsts) + _anew(folder, ended)
    return _sentence("", watch.outcomes, watch.first) if watch.failures else f"no page was received: {stop.message}"


def no_answer(watch: AnswerWatch) -> str:
    """Why no host answered in this run; empty if one did, or if none was asked."""
    dead = watch.failures and not watch.answers
    return _sentence(" in this run", watch.outcomes, watch.first) if dead else ""


def _sentence(when: str, ended: Counter[str], first: str) -> str:
    most, _ = ended.most_common(1)[0]
    how = ", ".join(f"{name} {count:,}" for name, count in ended.most_common(3))
    return f"no page was received{when}: {how}; the first was {first}; {_advice(most)}"


def _anew(folder: Home, ended: Counter[str]) -> str:
    """These urls are settled, so that the same command would ask none of them again."""
    gone = ended.most_common(1)[0][0] in _NO_ANSWER
    return f"; then remove the folder {folder.path} and start again" if gone else ""


def _advice(outcome: str) -> str:
    return _CHECK.get(outcome) or (_OFFLINE if outcome in _NO_ANSWER else _OTHER)


def _told(place: str, outcome: str, detail: str) -> str:
    said = f": {one_line(detail)}" if detail else ""
    return shorten(f"{one_line(place)} ({outcome}{said})", _LONGEST)
