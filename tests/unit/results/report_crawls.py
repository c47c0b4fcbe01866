"""Crawls for tests of reports: one with all that a report tells of, and one whose pages attack whoever reads it."""

import asyncio
import sqlite3
from contextlib import closing

from tests.unit.results.changing_web import IRIS, MUSCLES, PIGMENT, ChangingWeb, Served, crawled, page, serving

MARK = "ranFromTheReport"
RUN = f"window.{MARK}=1"
ATTACKS = (
    f"<script>{RUN}</script>",
    f"<img src=x onerror='{RUN}'>",
    f'"><svg onload="{RUN}">',
    f"</title></style></script><script>{RUN}</script>",
    f"<iframe srcdoc='<script>parent.{MARK}=1</script>'></iframe>",
    f"javascript:{RUN}",
    "<style>body{display:none}</style><link rel=stylesheet href=http://127.0.0.1:9/x.css>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'><base href=http://127.0.0.1:9/>",
    "\u202e\u2066turned\u2069\u200f\u061c around\x1b[2J\x00\x07",
    "&lt;script&gt; &amp;#60; ]]> --> <!-- {{7*7}} ${7*7}",
    "x" * 300_000,
)
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\x1b\x07"


def well_behaved():
    """A root, pages on topic and off it, one that is gone, one that robots.txt forbids, one that names a licence, one that is a copy."""
    licence = '<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">'
    pages = {
        "/": Served(page(links=("/muscles", "/pigment", "/copy", "/bread", "/gone", "/members/list"))),
        "/muscles": Served(page(MUSCLES, ("/deep",), title="Muscles").replace("<title>", f"{licence}<title>")),
        "/pigment": Served(
            page(PIGMENT, title="Pigment").replace("<title>", '<meta name="robots" content="noindex, noai"><title>')
        ),
        "/copy": Served(
            page(PIGMENT, title="Pigment").replace("<title>", '<meta name="robots" content="noindex, noai"><title>')
        ),
        "/deep": Served(page(f"{IRIS} {IRIS} Deep down.", title="Deep")),
        "/bread": Served(page("Flour, water and salt.", title="Bread")),
    }
    return ChangingWeb(pages, robots="User-agent: *\nDisallow: /members/\n")


def crawl(folder, web=None, **tables):
    """Crawl a web into a folder."""

    async def go():
        async with serving(web or well_behaved()) as served:
            await crawled(folder, served, **tables)
            return served.base

    return asyncio.run(go())


def hostile(folder):
    """A crawl whose catalogue holds attacks in all that a report shows: written into it, since a crawl would not let all of them in."""
    crawl(folder)
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as database:
        numbers = [number for (number,) in database.execute("SELECT number FROM visit ORDER BY number")]
        for place, number in enumerate(numbers):
            attack = ATTACKS[place % len(ATTACKS)]
            evidence = (
                '[["'
                + attack[:400].replace("\\", "\\\\").replace('"', '\\"').translate(dict.fromkeys(range(32), " "))
                + '","text",3.0]]'
            )
            database.execute(
                "UPDATE visit SET title = ?, anchor = ?, detail = ?, evidence = ?, host = ?, facts = json_object('licence', ?)"
                " WHERE number = ?",
                (attack, attack, attack, evidence, f"{attack[:60]}.example", attack[:300], number),
            )
        for number, url in zip(
            numbers[1:],
            (f"javascript:{RUN}", f"data:text/html,<script>{RUN}</script>", f'http://x.example/"onmouseover="{RUN}'),
            strict=False,
        ):
            database.execute(
                "UPDATE visit SET url = ?, url_hash = ?, outcome = 'page', relevance = .9, relevant = 1 WHERE number = ?",
                (url, number, number),
            )
        database.execute("UPDATE host SET name = ?, waiting = 5", (ATTACKS[1],))
        for place, attack in enumerate(ATTACKS, 9_000):
            database.execute(
                "INSERT INTO origin (seq, depth, url, anchor, parent) VALUES (?, 1, ?, ?, ?)",
                (place, attack, attack, attack),
            )
            database.execute("INSERT INTO best_waiting VALUES (1, -9.0, ?)", (place,))
        database.commit()
    return folder
