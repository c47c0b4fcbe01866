"""A judge that asks a service, while other pages are fetched: python examples/ask_a_service.py"""

import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import aiohttp

import thresher
from thresher.lab.webs.local_web import LocalWeb


class Service(BaseHTTPRequestHandler):
    """Stands for a model on another machine: a text comes in, a number from 0 to 1 goes out."""

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"])).lower()
        self.send_response_only(200)
        self.end_headers()
        self.wfile.write(str(min(1.0, text.count(b"pupil") / 6)).encode())


class AsksService:
    """Waits for the answer; up to as many pages as there are workers wait at the same time."""

    async def judge(self, page: thresher.Page) -> thresher.Judgement:
        async with aiohttp.ClientSession() as session, session.post(SERVICE, data=page.main.encode()) as answer:
            relevance = float(await answer.text())
        return thresher.Judgement(relevance, relevance >= 0.5, (thresher.Evidence("the service", "text", relevance),))


server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=server.serve_forever, daemon=True).start()
SERVICE = f"http://127.0.0.1:{server.server_port}"
topic, judge = thresher.Topic.of("iris eye pupil"), AsksService()
with LocalWeb() as web:
    crawl = thresher.Crawl.start(topic, seeds=web.seed, judge=judge, pages=60, into=tempfile.mkdtemp(), **web.settings)
    print(f"{crawl.run().message}; {crawl.tally.relevant} of them are relevant, says the service")
