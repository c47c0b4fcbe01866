"""CPU time of one fetch over TLS: our HTTP/1.1 against clients that speak HTTP/2, one request at a time, from nginx on loopback.

    python benchmarks/http2_speed.py [--smoke]

A crawler asks a host once at a time and pauses in between, so this measures what a crawl would pay, and no multiplexing. Clients that
are not installed are left out: `pip install 'httpx[http2]' niquests pycurl`. Without nginx nothing is measured, and it says so.
"""

import argparse
import asyncio
import resource
import shutil
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import trustme
from aiohttp import connector

from thresher.fetch import HttpFetcher
from thresher.model import Response, Url

PORT = 18_443
PAGE = "<!doctype html><title>iris</title>" + "<p>The iris of the eye, its pupil and its colour.</p>" * 400
CONF = """
daemon off; master_process off; pid nginx.pid; error_log error.log;
events {{ worker_connections 64; }}
http {{
  default_type text/html; access_log off; keepalive_requests 100000;
  client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
  server {{ listen 127.0.0.1:{port} ssl http2; ssl_certificate cert.pem; ssl_certificate_key key.pem; root www; }}
}}
"""
Fetch = Callable[[str, int, Path], None]


@contextmanager
def server(program: str) -> Iterator[Path]:
    """The server, and the file of whom to trust."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        authority = trustme.CA()
        certificate = authority.issue_cert("127.0.0.1")
        certificate.private_key_pem.write_to_path(folder / "key.pem")
        certificate.cert_chain_pems[0].write_to_path(folder / "cert.pem")
        authority.cert_pem.write_to_path(folder / "ca.pem")
        (folder / "www").mkdir()
        (folder / "www" / "index.html").write_text(PAGE)
        (folder / "nginx.conf").write_text(CONF.format(port=PORT))
        command = [program, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as running:
            time.sleep(1.0)
            yield folder / "ca.pem"
            running.terminate()


def ours(url: str, times: int, trust: Path) -> None:
    connector._SSL_CONTEXT_VERIFIED = ssl.create_default_context(cafile=trust)  # noqa: SLF001 - no other way

    async def run() -> None:
        fetcher = HttpFetcher()
        for _ in range(times):
            answer = await fetcher.fetch(Url(url))
            assert isinstance(answer, Response), answer
        await fetcher.close()

    with suppress(ImportError):
        import uvloop  # noqa: PLC0415 - as in a crawl

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(run())
    return asyncio.run(run())


def by_httpx(*, http2: bool) -> Fetch:
    def fetch(url: str, times: int, trust: Path) -> None:
        import httpx  # noqa: PLC0415

        async def run() -> None:
            async with httpx.AsyncClient(http2=http2, verify=ssl.create_default_context(cafile=trust)) as client:
                for _ in range(times):
                    answer = await client.get(url)
                    assert answer.http_version == ("HTTP/2" if http2 else "HTTP/1.1"), answer.http_version

        asyncio.run(run())

    return fetch


def by_niquests(url: str, times: int, trust: Path) -> None:
    import niquests  # noqa: PLC0415

    async def run() -> None:
        async with niquests.AsyncSession() as session:
            for _ in range(times):
                answer = await session.get(url, verify=str(trust))
                assert answer.http_version == 20, answer.http_version
                assert answer.content

    asyncio.run(run())


def by_curl(*, http2: bool) -> Fetch:
    def fetch(url: str, times: int, trust: Path) -> None:
        import pycurl  # noqa: PLC0415

        version = pycurl.CURL_HTTP_VERSION_2_0 if http2 else pycurl.CURL_HTTP_VERSION_1_1
        curl = pycurl.Curl()
        curl.setopt(curl.URL, url)
        curl.setopt(curl.CAINFO, str(trust))
        curl.setopt(curl.HTTP_VERSION, version)
        for _ in range(times):
            body = BytesIO()
            curl.setopt(curl.WRITEDATA, body)
            curl.perform()
            assert curl.getinfo(pycurl.INFO_HTTP_VERSION) == version
        curl.close()

    return fetch


CLIENTS: dict[str, tuple[str, Fetch]] = {
    "thresher, HTTP/1.1": ("aiohttp", ours),
    "httpx, HTTP/1.1": ("httpx", by_httpx(http2=False)),
    "httpx, HTTP/2": ("h2", by_httpx(http2=True)),
    "niquests, HTTP/2": ("niquests", by_niquests),
    "pycurl, HTTP/1.1, blocking": ("pycurl", by_curl(http2=False)),
    "pycurl, HTTP/2, blocking": ("pycurl", by_curl(http2=True)),
}


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(fetch: Fetch, times: int, rounds: int, trust: Path) -> float:
    """Milliseconds of CPU time a fetch, the least of several rounds; what a first request costs is taken off."""
    url, least = f"https://127.0.0.1:{PORT}/", float("inf")
    for _ in range(rounds):
        begun = cpu()
        fetch(url, 1, trust)
        first = cpu() - begun
        begun = cpu()
        fetch(url, times + 1, trust)
        least = min(least, (cpu() - begun - first) / times * 1000)
    return least


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--smoke", action="store_true", help="a few requests, to see that it runs")
    smoke = options.parse_args().smoke
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
    if program is None:
        print("nginx is not installed, so nothing was measured: apt-get install nginx-light")
        return
    with server(program) as trust:
        for name, (package, fetch) in CLIENTS.items():
            if find_spec(package) is None:
                print(f"{name:30} {package} is not installed")
                continue
            took = measured(fetch, 20 if smoke else 1000, 1 if smoke else 5, trust)
            print(f"{name:30} {took:.3f} ms of CPU time a fetch")


if __name__ == "__main__":
    main()
