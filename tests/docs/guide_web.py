"""The web that the guides' examples crawl in tests: the one of the first crawl, Wikipedia's search, and a page for any other address.

Any other host is a small site on the iris of the eye that links to the web of the first crawl; so `https://example.org/` answers too.
"""

import gzip
import json
from urllib.parse import parse_qs, urlencode, urlsplit

from thresher.lab.webs.generated import generate
from thresher.lab.webs.local_web import SearchedWeb
from thresher.lab.webs.web_pages import WebAnswer

PORTAL = "http://weekendalmanac.example/"
WIKIPEDIA = ["https://en.wikipedia.org/wiki/Iris_(anatomy)", "https://en.wikipedia.org/wiki/Uvea"]
URLSET = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{}</urlset>"
INDEX = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{}</sitemapindex>"
ENTRY = "<url><loc>{}</loc></url>"
PART = "<sitemap><loc>{}</loc></sitemap>"
PAGE = """<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1>
<p>The iris of the eye widens and narrows the pupil. Behind the cornea, the iris gives the eye its colour. Page {title}.</p>
<ul><li><a href="{portal}">Weekend Almanac, on the iris and the eye</a><li><a href="/iris">The iris</a>
<li><a href="/eye">The eye</a></ul>"""


class GuideWeb:
    """Answers for every host that a guide names."""

    def __init__(self):
        self.searched = SearchedWeb(generate(size=150))  # small: advise crawls it fifty times
        self.hosts = frozenset(self.searched.web.atlas.hosts)

    def classes(self):
        """A table of classes with urls, as the guide on taxonomies has one: what the pages of the web are about."""
        nature = {"bees", "flower", "mountains"}
        rows = ((self.searched.web.topic_of(url), url) for url in self.searched.web.urls())
        named = [f"{'Nature' if topic in nature else 'Other'}/{topic},{url}" for topic, url in rows if topic]
        return "\n".join(["class,url", *named])

    def page(self, host, path):
        if host.partition(":")[0] in self.hosts:
            return self.searched.web.page(host, path)
        if path.startswith("/w/api.php?"):
            return self._wikipedia(parse_qs(urlsplit(path).query)["gsrsearch"][0])
        return self._listing(f"http://{host}", path) if path.endswith((".txt", ".xml", ".gz")) else _page(host, path)

    def _wikipedia(self, query):
        answer = self.searched.page("", f"/search?{urlencode({'q': query, 'pageno': 1})}")
        urls = [*WIKIPEDIA, *(each["url"] for each in json.loads(answer.body)["results"])]
        found = [{"index": rank, "fullurl": url} for rank, url in enumerate(urls, 1)]
        return WebAnswer(json.dumps({"query": {"pages": found}}).encode(), kind="application/json")

    def _listing(self, site, path):
        listed = {
            "/robots.txt": f"User-agent: *\nDisallow: /members/\nSitemap: {site}/sitemap.xml\n".encode(),
            "/sitemap.xml": INDEX.format(
                "".join(PART.format(f"{site}/{name}") for name in ("pages.xml.gz", "gone.xml"))
            ).encode(),
            "/pages.xml.gz": gzip.compress(
                URLSET.format("".join(ENTRY.format(f"{site}/{name}") for name in ("iris", "eye"))).encode()
            ),
        }
        body = listed.get(path)
        return WebAnswer(body, kind="text/plain" if path.endswith(".txt") else "application/xml") if body else None


def _page(host, path):
    return WebAnswer(PAGE.format(title=f"{host}{path}".replace("<", ""), portal=PORTAL).encode())
