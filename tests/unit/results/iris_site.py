"""A site of a dozen pages on the iris, crawled for real over loopback: what the tests of searching and asking why look at."""

import asyncio
from pathlib import Path

from tests.assembling import opened

from thresher.lab.webs.serve import serve
from thresher.lab.webs.web_pages import WebAnswer

SEED = "http://iris.example/"
TERMS = 'label,relation,weight\niris,exact,15\nrainbow membrane,synonym,12\n"虹膜",synonym,12\neye,broader,8\n'
_IRIS = "<p>The iris is a thin ring in the eye. The iris widens and narrows the pupil, and gives the eye its colour."


def page(title: str, text: str, *links: tuple[str, str], head: str = "") -> WebAnswer:
    anchors = "".join(f'<p><a href="{href}">{words}</a></p>' for href, words in links)
    return WebAnswer(
        f"<!doctype html><html lang=en><title>{title}</title>{head}<h1>{title}</h1>{text}{anchors}".encode(),
        kind="text/html; charset=utf-8",
    )


class IrisSite:
    """Pages by path on two hosts."""

    def __init__(self) -> None:
        self.pages = {
            "/": page(
                "The iris of the eye",
                _IRIS,
                ("/pupil", "how the pupil of the eye works"),
                ("/old", "an old page on the iris"),
                ("/copy", "the same again"),
                ("/members/list", "members"),
                ("/garden", "our garden"),
                ("/quiet", "a quiet page of the iris"),
                ("http://other.example/eye", "another site on the eye"),
                ("/gone", "gone"),
                ("/languages", "the iris in other languages"),
            ),
            "/pupil": page(
                "Pupils", "<p>A pupil is the hole in the iris of an eye. Naïve readers drink café.", ("/lens", "lens")
            ),
            "/lens": page("The lens", "<p>Behind the iris of the eye lies the lens. The lens refracts light."),
            "/old": WebAnswer(b"", 301, headers=(("Location", "/new"),)),
            "/new": page(
                "A new page",
                "<p>Where the old one on the iris of the eye went. Rainbow membrane is a name nobody uses.",
            ),
            "/copy": page("The lens", "<p>Behind the iris of the eye lies the lens. The lens refracts light."),
            "/members/list": page("Members", "<p>iris eye"),
            "/garden": page("Garden", "<p>Tulips and roses, a spade and a hose.", ("/shed", "the shed")),
            "/shed": page("Shed", "<p>A spade.", ("/rake", "rake")),
            "/quiet": page(
                "Quiet",
                "<p>The iris of a quiet eye.",
                ("/hidden", "hidden"),
                head='<meta name=robots content="nofollow">',
            ),
            "/languages": page("Languages", "<p>iris eye: 眼睛里的虹膜是圆的。 बीमारियों और आँखों की बात। радужка глаза."),
        }

    def page(self, host: str, path: str) -> WebAnswer | None:
        if path == "/robots.txt":
            return WebAnswer(b"User-agent: *\nDisallow: /members/\n", kind="text/plain")
        return self.pages.get(path)


def crawl(into: Path, site: IrisSite | None = None, topic: str = "iris, eye", seeds=(SEED,), **tables) -> Path:
    """Crawl the site into a folder, one page at a time, so that the order is always the same."""
    return asyncio.run(_crawl(into, site or IrisSite(), topic, seeds, tables))


async def _crawl(into: Path, site: IrisSite, topic: str, seeds, tables: dict) -> Path:
    async with serve(site) as server:
        wanted = {
            "workers": 1,
            "polite": {"delay": 0.0},
            "fetch": {"proxy": f"http://127.0.0.1:{server.port}"},
            "scope": {"deny_hosts": ["other.example"]},
            "strategy": {"name": "shark-search", "depth": 1},
            "judge": {"name": "terms", "threshold": 0.3},
            **tables,
        }
        async with opened(into, topic, seeds, **wanted) as running:
            await running.run()
    return into


def with_terms(folder: Path) -> dict:
    """The keys of a crawl that knows other names of the iris."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "terms.csv"
    path.write_text(TERMS, "utf-8")
    return {"judge": {"name": "concepts"}, "knowledge": {"terms": str(path), "ontologies": [str(path)]}}
