"""Pages that stand on several hosts are found to be the same, whoever fetches them. One worker does what a crawl in a folder does."""

import itertools
from types import SimpleNamespace

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
from tests.crawl.local import catalogued, crawl_file, finish, start
from tests.crawl.together import shared_crawl

from thresher.lab.webs.generated import generate
from thresher.lab.webs.web_pages import WebAnswer

HOSTS = [f"mirror{number}.example" for number in range(8)]
PAGES = 12
NEAR = (100, 101, 102, 103, 105, 106, 107, 108, 109, 110, 113, 114)
"""Texts of which any two variants are near-duplicates. Of others it depends on which is kept first whether all are near to that one."""


class MirroredWeb:
    """Every host has the same pages `/e…`, nearly the same pages `/n…`, and an index of its own."""

    atlas = SimpleNamespace(hosts=HOSTS)

    def urls(self, port):
        names = ["", *(f"{kind}{number}" for kind in "en" for number in range(PAGES))]
        return (f"http://{host}:{port}/{name}" for host in HOSTS for name in names)

    def page(self, host, path):
        name, _, port = host.partition(":")
        if path == "/":
            links = [f"http://{other}:{port}/" for other in HOSTS]
            links += [f"/{kind}{number}" for kind in "en" for number in range(PAGES)]
            return _html(f"The iris at {name}", f"index of {name} " * 30, links)
        kind, number = path[1:2], path[2:]
        if kind not in "en" or not number.isdigit():
            return None
        if kind == "e":
            return _html(f"Iris {number}", _text(int(number)))
        return _html(f"Iris {number}", _text(NEAR[int(number)]) + f" seen at {name}")


def _text(number):
    words = (f"pupil{number}w{place * place % 1009} iris" for place in range(300))
    return "The iris and the pupil of the eye. " + " ".join(words)


def _html(title, text, links=()):
    listed = "".join(f'<li><a href="{link}">iris {link}</a>' for link in links)
    return WebAnswer(f"<!doctype html><html lang=en><title>{title}</title><p>{text}</p><ul>{listed}</ul>".encode())


def test_each_page_that_stands_on_several_hosts_is_fresh_once(postgres, schema, tmp_path):
    web = MirroredWeb()
    with shared_crawl(postgres, schema, web, tmp_path, workers=3, answer_delay=0.2) as crawl:
        crawl.begin_with(2)
        crawl.wait()
        crawl.check_all_were_fetched()
        crawl.check()
        rows = crawl.ask("SELECT split_part(url, '/', 4), fresh, relevant, duplicate_of, near FROM visit ORDER BY 1")
        groups = {name: list(each) for name, each in itertools.groupby(rows, lambda row: row[0]) if name}
        by_worker = crawl.ask("SELECT count(*) FROM visit GROUP BY file")
        print(f"{len(groups)} groups of {len(HOSTS)}, fetched by workers {by_worker}")
        assert len(by_worker) > 1
        assert len(groups) == 2 * PAGES
        assert {name: sum(fresh for _, fresh, *_ in each) for name, each in groups.items()} == dict.fromkeys(groups, 1)
        firsts = crawl.ask(
            "SELECT min(number), min(coalesce(duplicate_of, near)), max(coalesce(duplicate_of, near)) FROM visit "
            "WHERE split_part(url, '/', 4) <> '' GROUP BY split_part(url, '/', 4)"
        )
        assert all(first == least == most for first, least, most in firsts)


@pytest.mark.parametrize("strategy", ["best-first", pytest.param("apprentice", marks=pytest.mark.slow)])
def test_one_worker_makes_the_visits_of_a_crawl_in_a_folder_also_if_it_is_killed(postgres, schema, tmp_path, strategy):
    web = generate(size=200, hosts=8, seed=5)
    options = {"strategy": {"name": strategy}, "workers": 1, "budget": {"pages": 90}, "hands": {"count": 0}}
    with shared_crawl(postgres, schema, web, tmp_path, frontier={"lease": 600}, **options) as crawl:
        file = crawl_file(
            tmp_path / "folder.toml", web, crawl.server.port, frontier={"spread": 0, "lease": 600}, **options
        )
        assert finish(start("crawl", file, "--quiet")) == 0
        expected = catalogued(tmp_path / "crawl")
        before, crawl.server.delay = len(crawl.server.log), 0.03
        for after in (30, 60):
            crawl.begin() if after == 30 else crawl.go_on()
            crawl.until(lambda after=after: crawl.fetched() >= after)
            crawl.kill(crawl.workers[-1])
        crawl.go_on()
        crawl.wait()
        found = [url for _, url, _, status, _ in crawl.visits() if status is not None]
        crawl.server.log[:] = crawl.server.log[before:]  # without what the folder's crawl asked for
        assert len(expected) == 90
        assert found == expected
        crawl.check()
