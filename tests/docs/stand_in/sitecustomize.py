"""Every Python process of a guide's example starts with this: the network is the local web, and a second takes a fiftieth of one.

Nothing else of Thresher is changed. A proxy that the example names itself is used as it stands. Modules are changed when they are first
imported, so that a command that fetches nothing starts as fast as ever.
"""

import functools
import importlib.machinery
import os
import sys
import time

WEB, SPEED = os.environ.get("GUIDE_WEB"), 50


def mend_http(module):
    fetcher = module.HttpFetcher
    start, fetch = fetcher.__init__, fetcher.fetch

    @functools.wraps(start)  # its signature is that of the table [fetch]
    def start_here(self, **options):
        start(self, **{**options, "proxy": options.get("proxy") or WEB})

    async def fetch_here(self, url, more=None):
        # There is no TLS here: what is asked for under https is answered as http would be, and keeps its name.
        answer = await fetch(self, url.replace("https:", "http:", 1), more)
        if hasattr(answer, "url"):
            object.__setattr__(answer, "url", url)
        return answer

    fetcher.__init__, fetcher.fetch = start_here, fetch_here


def mend_json_client(module):
    request = module.ClientSession._request

    async def request_here(self, method, url, **options):
        if url.host == "127.0.0.1":
            return await request(self, method, url, **options)
        return await request(self, method, url.with_scheme("http"), **{**options, "proxy": WEB})

    module.ClientSession._request = request_here


def mend_clock(module):
    began, sleep = float(os.environ["GUIDE_BEGAN"]), module.asyncio.sleep

    async def sleep_less(self, seconds):
        await sleep(seconds / SPEED)

    module.SystemClock.now = lambda self: began + (time.time() - began) * SPEED
    module.SystemClock.sleep = sleep_less


MENDED = {
    "thresher.fetch.http": mend_http,
    "thresher.online.json_client": mend_json_client,
    "thresher.clock": mend_clock,
}


class Mender:
    """Finds these modules as Python does, and changes them once they are read."""

    @staticmethod
    def find_spec(name, path, target=None):
        if name not in MENDED:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        execute = spec.loader.exec_module

        def execute_and_mend(module):
            execute(module)
            MENDED[name](module)

        spec.loader.exec_module = execute_and_mend
        return spec


if WEB:
    sys.modules["ddgs"] = None  # its client is not Python's, and would ask the real web
    ago, now = float(os.environ["GUIDE_AGO"]), time.time
    time.time = lambda: now() - ago  # for a crawl of last week
    sys.meta_path.insert(0, Mender)
