"""What the hands of tests are made of: a web in a dictionary, and a parser that does what a page tells it to do."""

import asyncio
import os
import signal
import time

from thresher.errors import BadInput
from thresher.hands import HandParts
from thresher.model import Failed, Judgement, Later, Page, Refused, Response, Url

TALKS = {
    "refused": Refused("robots", "robots.txt"),
    "failed": Failed("timeout", "too slow", strain=True),
    "later": Later("robots-asked", 2.0, delay=1.5, sitemaps=(Url("http://a.example/map.xml"),)),
}


hoard = []


def spin():
    while True:
        pass


async def spinning():
    spin()


def die():
    os.kill(os.getpid(), signal.SIGSEGV)


OUTSIDE = {"spins-outside": spin, "dies-outside": die}
"""What happens in the process, but in no task: nobody can tell over which url."""


class Web:
    """Answers every url with its own path."""

    async def fetch(self, url):
        path = url.rpartition("/")[2]
        if path == "waits":
            await asyncio.sleep(30)
        if path == "slowly":
            await asyncio.sleep(0.1)
        if path == "unreachable":
            raise RuntimeError("no such page was expected")
        if path == "spins-in-fetch":
            spin()
        if path == "spins-in-a-task":
            await asyncio.create_task(spinning())
        if path in OUTSIDE:
            asyncio.get_running_loop().call_soon(OUTSIDE[path])
            await asyncio.sleep(30)
        if path in TALKS:
            return TALKS[path]
        return Response(Url(url), 404 if path == "missing" else 200, (), path.encode(), path.encode(), at=1.0)

    async def close(self):
        pass


class Obedient:
    """Spins, eats or hoards memory, dies or sleeps if a page says so."""

    def parse(self, response):
        match response.body.decode():
            case "spin":
                spin()
            case "eat":
                eaten = []
                while True:
                    eaten.append(bytearray(64 << 20))
            case "die":
                die()
            case text if text.startswith("hoard"):
                hoard.append(bytes(30 << 20).replace(b"\0", b"x"))
            case "sleep":
                time.sleep(30)
            case "raise":
                raise RuntimeError("no such page was expected")
        return Page(response.url, title=response.body.decode(), text=f"process {os.getpid()}")


class Fair:
    def judge(self, page):
        return Judgement(0.7, relevant=True)


def parts(text):
    if text == "broken":
        raise BadInput("the judge has no key 'treshold'")
    if text == "fat":
        hoard.append(bytes(200 << 20).replace(b"\0", b"x"))
    if text == "gone":
        os._exit(3)
    return HandParts(Web(), Obedient(), Fair())
