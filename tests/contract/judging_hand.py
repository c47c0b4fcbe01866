"""What the hands of contract tests are made of: pages such as the web gives, each at a number, and a judge by its name."""

from dataclasses import replace

from thresher import plugins
from thresher.hands import HandParts
from thresher.lab.webs.web_pages import WebPages
from thresher.model import Response, Url
from thresher.parse.html import HtmlParser
from thresher.testing import iris
from thresher.testing.strategy import odd_visits


def answers():
    """By url: the pages of a small web, and odd ones."""
    web = iris.web()
    found = [WebPages(web).read(url) for url in list(iris.pages(web))[:60]]
    found += [visit.fetched for visit in odd_visits()]
    pages = [each for each in found if isinstance(each, Response) and each.status == 200]
    urls = [Url(f"http://hand.example/{number}") for number in range(len(pages))]
    return {url: replace(each, url=url) for url, each in zip(urls, pages, strict=True)}


class Answering:
    """A fetcher of these."""

    def __init__(self):
        self.answers = answers()

    async def fetch(self, url):
        return self.answers[url]

    async def close(self):
        pass


def judge(name):
    return plugins.build("judge", name, {}, **iris.needs(iris.web()))


def parts(name):
    return HandParts(Answering(), HtmlParser(), judge(name))
