"""A small web on two kinds of iris, and a SearXNG for it, on this machine alone: python examples/local_search.py 8888"""

import argparse
import json
import re
from collections import Counter
from urllib.parse import parse_qs, urlsplit

from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.serve import serve_until_stopped
from thresher.lab.webs.web_pages import WebAnswer


class SearchedWeb:
    """The web when asked as a proxy, a search engine when asked for /search."""

    def __init__(self, web: GeneratedWeb) -> None:
        self.web = web
        pages = ((url, web.page(urlsplit(url).netloc, urlsplit(url).path)) for url in web.urls())
        self.words = {url: re.findall(r"\w+", page.body.decode().lower()) for url, page in pages if page}

    def page(self, host: str, path: str) -> WebAnswer | None:
        if not path.startswith("/search?"):
            return self.web.page(host, path)
        asked = parse_qs(urlsplit(path).query)
        wanted, last = asked["q"][0].lower().split(), 10 * int(asked["pageno"][0])
        hits = Counter({url: sum(map(words.count, wanted)) for url, words in self.words.items()})
        found = [{"url": url, "engines": ["local"]} for url, count in hits.most_common() if count]
        return WebAnswer(json.dumps({"results": found[last - 10 : last]}).encode(), kind="application/json")


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("port", type=int, help="where to listen; 0 for any port that is free")
serve_until_stopped(SearchedWeb(generate()), parser.parse_args().port)
