"""Typical mistakes: each gives one clear sentence and the right exit code, and leaves everything as it was.

A row is a command line, and words that its sentence must have: the thing, the place, the choices. In a row `{seed}` is a page that
answers, `{dead}` a port where no server listens. A real crawl lies in `done`; `locked` is one that another process crawls into.
"""

import fcntl
import random
import resource
import shutil
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.crawl.in_process import served, thresher

from thresher.cli import thresher as commands

TASKS = Path(__file__).parents[2] / "examples" / "tasks.toml"
FILES = {
    "empty.txt": "",
    "empty.csv": "",
    "mine.warc.gz": "mine",
    "topics.txt": "iris\n",
    "topics.latin1": b"caf\xe9\n",
    "other/mine.txt": "mine",
    "table.toml": 'topic = "iris"\n[budgt]\npages = 3\n',
    "key.toml": 'topic = "iris"\nseeds = ["http://a.example/"]\n[budget]\npagse = 3\n',
    "broken.toml": 'topic = "iris\n',
    "type.toml": 'topic = "iris"\nseeds = ["http://a.example/"]\n[budget]\npages = "three"\n',
    "seeds.toml": 'topic = "iris"\nseeds = "http://a.example/"\n',
    "latin1.toml": b'topic = "caf\xe9"\n',
    "seeds.txt": "http://a.example/\nnot a url\n",
    "broken.obo": "nonsense\n",
    "irises.obo": '[Term]\nid: I:1\nname: iris\ndef: "part of the eye" []\n\n[Term]\nid: I:2\nname: iris\ndef: "a plant" []\n',
    "bare.csv": "word\niris\n",
    "whole.toml": 'topic = "iris"\nseeds = ["http://a.example/"]\n[fetch]\nproxy = 3\n',
    "into.toml": 'topic = "iris"\nseeds = ["http://a.example/"]\ninto = 3\n',
    "engine.toml": 'topic = "iris"\nseeds = ["http://a.example/"]\n[search]\nengines = ["bing"]\n',
    "marked.toml": '\ufefftopic = "iris"\n[budgt]\npages = 3\n',
    "classes/Eye/a.html": "<p>The iris and the pupil.</p>",
    "classes/Bread/b.html": "<p>Flour and an oven.</p>",
}
WEB = {
    "/": (200, "<p>The iris of the eye. <a href=/a>iris</a></p>"),
    "/a": (200, "<p>The iris of the eye, and its pupil.</p>"),
    "/long": (200, "<p>The iris of the eye. " + " ".join(random.Random(0).choices("abcdefgh", k=400_000))),
}
NEW = "crawl --topic iris|eye --seed {seed} --into new"
QUIET = "crawl --topic iris|eye --into begun --quiet --delay 0"
NOBODY = "--set search.engines=['searxng'] --set search.searxng=http://127.0.0.1:{dead}"
RULES = "--taxonomy classes --target Eye --strategy interclass-rules --rules"

MISTAKES = [
    # What to do
    ("crawll iris", 2, "'crawll'", "'crawl'", "--help"),
    ("lab rnu tasks.toml", 2, "'rnu'", "'run'"),
    ("crawl iris --strategey lin", 2, "'--strategey'", "'--strategy'"),
    ("crawl iris --page 5", 2, "'--page'", "Did you mean '--pages'?"),
    ("show", 2, "DIR", "thresher show --help"),
    ("search done", 2, "WORDS", "thresher search --help"),
    ("show a\udcff", 2, "not text", "UTF-8"),
    # What to look for
    ("crawl", 2, "no topic", "thresher crawl iris", "--topic"),
    ("crawl https://example.org/", 2, "web address", "--seed https://example.org/"),
    ("crawl --topics nowhere.txt", 2, "nowhere.txt", "list of topics", "No such file"),
    ("crawl --topics empty.txt", 2, "empty.txt", "names no topic", "one on each line"),
    ("crawl --topics topics.latin1", 2, "topics.latin1", "not UTF-8"),
    ("crawl iris --topics topics.txt", 2, "--topics", "'iris'", "into that file"),
    ("crawl --topics topics.txt --sense 2", 2, "--sense", "iris | 2"),
    ("crawl iris --topic eye --seed {seed}", 2, "'iris'", "--topic"),
    ("crawl iris --sense 99 --ontology irises.obo --seed {seed}", 2, "99", "'iris'"),
    (f"{NEW} --ontology wordnte", 2, "'wordnte'", "wordnet, mondo, hpo, umls"),
    (f"{NEW} --ontology broken.obo", 2, "broken.obo, line 1", "`tag: value`"),
    (f"{NEW} --terms nowhere.csv", 2, "nowhere.csv", "No such file"),
    (f"{NEW} --terms bare.csv", 2, "bare.csv, line 1", "`label`"),
    (f"{NEW} --language xx", 2, "'xx'", "dictionary", "languages.md"),
    (f"{NEW} --like nowhere.html", 2, "--like", "5 to 20"),
    (f"{NEW} --taxonomy nowhere --judge classifier", 2, "nowhere", "cannot be read"),
    (f"{NEW} --judge classifier", 2, "'classifier'", "--taxonomy", "--target"),
    (f"{NEW} --taxonomy classes --judge classifier --target Ey", 2, "'Ey'", "Eye"),
    (f"{NEW} {RULES} broken.toml", 2, "broken.toml, line 1"),
    (f"{NEW} {RULES} nowhere.toml", 2, "nowhere.toml", "cannot be read"),
    (f"{NEW} --target Eye", 2, "--target", "--taxonomy DIR"),
    (f"{NEW} --rules rules.toml", 2, "--rules", "--taxonomy DIR"),
    ("crawl ./iris", 2, "'./iris'", "neither a crawl file"),
    # Where to start
    ("crawl --topic iris --seed not|a|url", 2, "'not a url'", "white space"),
    ("crawl --topic iris --seed ftp://example.org/", 2, "ftp", "http and https"),
    ("crawl --topic iris --seeds nowhere.txt", 2, "nowhere.txt", "No such file"),
    ("crawl --topic iris --seeds empty.txt", 2, "empty.txt", "names no url"),
    ("crawl --topic iris --seeds other", 2, "other", "Is a directory"),
    ("crawl --topic iris --seeds seeds.txt", 2, "seeds.txt, line 2", "'not a url'"),
    ("crawl --topic iris --seeds ftp://example.org/list", 2, "ftp", "http and https"),
    # Parts and their keys
    (f"{NEW} --strategy best-frist", 2, "'best-frist'", "'best-first'", "installed: apprentice"),
    (f"{NEW} --judge term", 2, "'term'", "'terms'", "concepts"),
    (f"{NEW} --strategy best-first:frist=1", 2, "'best-first'", "'frist'"),
    (f"{NEW} --strategy lokman:profile", 2, "'profile'", "NAME:KEY=VALUE"),
    (f"{NEW} --strategy best-first:name=lin", 2, "'best-first:name=lin'", "two names"),
    (f"{NEW} --strategy=", 2, "no strategy ''", "installed: apprentice"),
    # The crawl file
    ("crawl whole.toml", 2, "[fetch]", "proxy is 3", "text"),
    (f"{NEW} --set frontier.quota=0", 2, "frontier", "quota is 0", "at least 1"),
    ("crawl into.toml", 2, "into.toml", "into is 3", "text"),
    ("crawl engine.toml", 2, "[search]", "'bing'", "wikipedia"),
    ("crawl marked.toml", 2, "marked.toml", "'budgt'", "'budget'"),
    ("crawl nowhere.toml", 2, "nowhere.toml", "No such file"),
    ("crawl table.toml", 2, "table.toml", "'budgt'", "'budget'"),
    ("crawl key.toml", 2, "[budget]", "'pagse'", "'pages'"),
    ("crawl broken.toml", 2, "broken.toml", "line 1"),
    ("crawl type.toml", 2, "[budget]", "pages", "'three'", "a whole number"),
    ("crawl seeds.toml", 2, "seeds", "a list of urls"),
    ("crawl latin1.toml", 2, "latin1.toml", "UTF-8"),
    (f"{NEW} --set budget.pages", 2, "budget.pages", "TABLE.KEY=VALUE"),
    (f"{NEW} --set budgt.pages=5", 2, "'budgt'", "'budget'"),
    # Numbers and names
    (f"{NEW} --pages -5", 2, "--pages", "-5"),
    (f"{NEW} --minutes nan", 2, "minutes", "nan", "a number"),
    (f"{NEW} --delay -1", 2, "delay", "-1", "0 or more"),
    (f"{NEW} --threshold 7", 2, "threshold", "7", "from 0 to 1"),
    (f"{NEW} --contact me", 2, "contact", "'me'", "mail address"),
    (f"{NEW} --minutes 0", 2, "minutes", "0", "more than 0"),
    (f"{NEW} --quota 0", 2, "--quota", "a whole number from 1 up"),
    (f"{NEW} --workers 5000", 2, "--workers", "a whole number from 1 to 1000"),
    ("revisit done --older-than nan", 2, "--older-than", "'nan'", "a number"),
    (f"{NEW} --include=", 2, "--include", "empty"),
    (f"{NEW} --domain *.example.org", 2, "--domain", "'*.example.org'", "; example.org as a domain"),
    (f"{NEW} --host ..", 2, "--host", "'..'", "example.org"),
    (f"{NEW} --domain http://x|y/", 2, "domain", "example.org"),
    (f"{NEW} --proxy nonsense", 2, "proxy", "'nonsense'", "http://127.0.0.1:3128"),
    (f"{NEW} --proxy http://127.0.0.1:99999", 2, "proxy", "99999", "http://127.0.0.1:3128"),
    (f"{NEW} --proxy http://127.0.0.1:{{dead}}", 2, "proxy", "cannot be reached", "refused"),
    # How lists of seeds are fetched: told before a server is asked
    *((f"crawl --topic iris|eye --seeds http://127.0.0.1:{{dead}}/list --into new --set {setting}", 2, *words) for setting, *words in (
        ("fetch.cookies=nowhere.txt", "cookies", "nowhere.txt"),
        ("fetch.proxies=3", "[fetch]", "proxies is 3"),
        ("fetch.proxy=socks9://a", "proxy", "'socks9://a'", "socks5"),
        ("fetch.prxy=1", "'prxy'", "'proxy'"),
        ("fetch.total=0", "total is 0", "more than 0"),
        ("fetch.hosts={'a.example'={auth='env:NOT_SET_ANYWHERE'}}", "NOT_SET_ANYWHERE"),
        ("fetch.headers={Authorization='x'}", "Authorization", "[fetch.hosts]"),
        ("browser.seconds=0", "[browser]", "seconds is 0"),
        ("documents.memory=1", "[documents]", "memory is 1", "from 128"),
        ("links.sitemaps=3", "[links]", "sitemaps is 3"),
    )),
    # Folders and files
    *((f"{command} nowhere {more}", 2, "nowhere is not there", "folder of a crawl") for command, more in (
        ("show", ""), ("search", "iris"), ("why", "http://a.example/"), ("label", ""), ("export", "--to warc"),
        ("revisit", ""), ("rejudge", ""), ("advise", ""), ("tell", "pause"),
    )),
    ("show doen", 2, "doen is not there", "did you mean 'done'?", "folder of a crawl"),
    ("show other", 2, "other", "no crawl.toml"),
    ("show empty.txt", 2, "empty.txt is a file", "folder of a crawl"),
    ("crawl other", 2, "'other'", "holds no crawl", "--into DIR"),
    ("crawl --topic iris --seed {seed} --into other", 2, "other", "mine.txt", "--into"),
    ("crawl --topic iris --seed {seed} --into empty.txt", 2, "--into", "'empty.txt' is a file"),
    ("crawl --topic iris|eye --seed {seed} --into /proc/new", 2, "/proc/new"),
    ("crawl done --topic bread", 2, "'iris eye'", "'bread'", "--into"),
    ("crawl locked --pages 9", 2, "locked", "in use", "process 4711"),
    ("revisit locked --now", 2, "locked", "when the crawl has stopped"),
    ("show damaged", 2, "damaged/crawl.sqlite", "not a database"),
    ("crawl damaged", 2, "damaged/crawl.sqlite", "not a database"),
    ("show newer", 2, "format 9999", "upgrade thresher"),
    (f"{NEW} --log nowhere/crawl.log", 2, "--log nowhere/crawl.log", "No such file"),
    (f"{NEW} --log done/crawl.toml", 2, "--log done/crawl.toml", "no log of a crawl"),
    # Results
    ("search done |", 2, "no word to look for"),
    ("why done http://", 2, "'http://'", "https://example.org/page"),
    ("export done --to exel", 2, "'exel'", "'parquet'"),
    ("export done --to warc --out mine.warc.gz", 2, "mine.warc.gz", "is there already", "--out"),
    ("export done --to parquet --out out.parquet", 2, "export to parquet", "pip install", "[export]"),
    ("show done --known nowhere.txt", 2, "nowhere.txt", "cannot be read"),
    ("rejudge done --judge nope", 2, "'nope'", "terms"),
    # Orders
    ("tell done", 2, "no order is given", "pause, go-on, stop, pages +N"),
    ("tell done puase", 2, "'puase'", "did you mean 'pause'?", "leave HOST"),
    ("tell done pause now", 2, "pause takes nothing more", "'now'"),
    ("tell done pages", 2, "pages takes how many more", "+500"),
    ("tell done pages 500", 2, "pages 500", "write +500"),
    ("tell done pages +many", 2, "pages", "'+many'", "+500"),
    ("tell done pages +1.5", 2, "1.5 more pages", "a whole number"),
    ("tell done minutes +0", 2, "0 more minutes", "above 0"),
    ("tell done leave", 2, "leave takes a host", "example.org"),
    ("tell done leave *.example.org", 2, "'*.example.org'", "a host such as example.org"),
    ("tell done first nowhere", 2, "'nowhere'", "http://"),
    ("tell done label {seed}", 2, "label takes the url", "yes, no or skip"),
    ("tell done label {seed} yess", 2, "'yess'", "did you mean 'yes'?", "yes, no or skip"),
    ("tell damaged pause", 2, "damaged/crawl.sqlite", "not a database"),
    ("tell newer pause", 2, "format 9999", "upgrade thresher"),
    (f"{NEW} --when-spent wait", 2, "--when-spent", "'wait'", "'pause'"),
    # The lab and taxonomies
    ("lab run nowhere.toml", 2, "nowhere.toml", "No such file"),
    ("lab run broken.toml", 2, "broken.toml", "task file", "line 1"),
    (f"lab run {TASKS} --task nope", 2, "'nope'", "the tasks: "),
    ("lab record --seed {seed}", 2, "'--into'", "thresher lab record --help"),
    ("lab record --seed {seed} --into new --warc nowhere/web.warc.gz", 2, "--warc", "nowhere is not a folder"),
    ("demo --into done", 2, "done is the folder of a crawl", "--into"),
    ("taxonomy learn empty.csv", 2, "'--into'", "thresher taxonomy learn --help"),
    ("lab serve empty.txt", 2, "empty.txt", "no recorded page"),
    ("taxonomy learn nowhere.csv --into learnt", 2, "nowhere.csv", "cannot be read"),
    ("taxonomy show other", 2, "other", "thresher taxonomy learn"),
    # The web
    (f"{QUIET} --seed http://127.0.0.1:{{dead}}/ --set frontier.give_up=1", 1, "connection-refused", "check host and port"),
    (f"crawl iris|eye --into none {NOBODY}", 1, "no search engine", "--seed URL", "--seeds FILE"),
    (f"{QUIET} --seeds http://127.0.0.1:{{dead}}/list.txt", 1, "list.txt", "robots-unavailable"),
    (f"{QUIET} --seed {{seed}}gone", 1, "http-404", "--seed URL"),
    (f"{QUIET} --seed {{seed}} --domain example.org", 1, "scope", "--domain"),
]  # fmt: skip


WHO = "4711"
MOST_LINES = 2
"""A notice, such as which sense was taken, and the sentence."""


@pytest.fixture(scope="module")
def site():
    with served(WEB) as address:
        yield f"{address}/"


@pytest.fixture(scope="module")
def dead_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.fixture(scope="module")
def place(tmp_path_factory, site):
    """A folder with all that the mistakes are made with. They leave it as it is, so one is enough."""
    place = tmp_path_factory.mktemp("mistakes")
    for name, text in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    options = ["--seed", site, "--into", str(place / "done"), "--delay", "0", "--quiet"]
    done = CliRunner().invoke(commands, ["crawl", "--topic", "iris eye", "--sense", "none", *options])
    assert done.exit_code == 0, done.output
    for copy in ("locked", "damaged", "newer"):
        shutil.copytree(place / "done", place / copy)
    (place / "damaged" / "crawl.sqlite").write_bytes(b"garbage!" * 512)
    with closing(sqlite3.connect(place / "newer" / "crawl.sqlite")) as newer:
        newer.execute("PRAGMA user_version = 9999")
    with (place / "locked" / "crawl.lock").open("w") as lock:
        lock.write(WHO)
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield place


def kept(place):
    """Every file and what is in it, without what SQLite has for its readers."""
    files = (path for path in place.rglob("*") if path.is_file() and not path.name.endswith(("-shm", "-wal")))
    return {str(path.relative_to(place)): path.read_bytes() for path in files}


@pytest.mark.parametrize(("line", "code", "words"), [(line, code, words) for line, code, *words in MISTAKES])
def test_a_mistake_is_one_sentence_that_helps(place, site, dead_port, monkeypatch, capsys, line, code, words):
    monkeypatch.chdir(place)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    before = kept(place)
    line = line.replace("{seed}", site).replace("{dead}", str(dead_port))
    done = thresher(monkeypatch, capsys, *(each.replace("|", " ") for each in line.split()))
    assert done.code == code, done.err
    assert done.out == ""
    # Lines that are set in are the choices that the sentence announces.
    *notices, sentence = (each for each in done.err.splitlines() if not each.startswith("  "))
    assert len(notices) < MOST_LINES, done.err
    assert sentence.startswith("thresher: ")
    assert sentence.count("--help") <= 1, sentence
    for word in words:
        assert word in sentence, f"{word} is not named in: {sentence}"
    assert "Traceback" not in done.err
    made = {name for name in kept(place) if name not in before}
    if code == 1 and made:  # a crawl that began is kept: more seeds may be given to it
        shutil.rmtree(place / Path(made.pop()).parts[0])
    assert kept(place) == before


def test_there_are_at_least_forty_five_of_them_and_no_two_are_the_same():
    assert len({line for line, *_ in MISTAKES}) == len(MISTAKES) >= 45


def test_a_topic_may_be_longer_than_any_name_of_a_file(site, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    long = "the coloured ring around the pupil of the eye " * 10
    done = thresher(
        monkeypatch, capsys, "crawl", long, "--sense", "none", "--seed", site, "--pages", 1, "--into", "my eye"
    )
    assert done.code == 0, done.err
    # What can be copied into a shell as it stands, in the right number.
    assert "Stopped: the one page of the budget is fetched." in done.err
    assert done.err.endswith("Next: thresher show 'my eye'\n")
    assert "; 1 host; " in thresher(monkeypatch, capsys, "show", "my eye").out


def test_a_full_disk_under_a_crawl_is_one_sentence(site, monkeypatch, capsys, tmp_path):
    """No file may be longer than 200 kB: to whoever writes pages it is as if the disk were full."""
    monkeypatch.chdir(tmp_path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
    try:
        done = thresher(monkeypatch, capsys, *f"{QUIET} --seed {site}long".replace("iris|eye", "iris").split())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "no room left" in done.err
