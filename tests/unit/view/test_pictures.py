"""The pictures of the guide *Watch a crawl in a browser*: THRESHER_PICTURES=docs/pictures/watch makes them anew."""

import os
from pathlib import Path

import pytest
from tests.unit.lab.experiments import experiment
from tests.unit.results.watch.busy_web import BusyWeb, crawl
from tests.unit.view.window import SOON, browsing, opened

from thresher.lab.run.results_file import Results

SKILLS = {"breadth-first": 0.2, "apprentice": 0.6, "best-first": 0.4, "shark-search": 0.45, "oracle-greedy": 0.9}
PAGES = {
    "now": ("crawl/iris/now", "[aria-label='The best hosts'] tbody tr"),
    "map": ("crawl/iris/map", "[aria-label='What is fetched next'] tbody tr"),
    "trouble": ("crawl/iris/trouble", "[aria-label='Trouble by kind'] tbody tr"),
    "topic": ("crawl/iris/topic", "[aria-label='Words: speak for a link'] tbody tr"),
    "lab": ("lab/skills", "[aria-label='Two runs side by side'] tbody tr"),
}
SHOWN = Path(__file__).parents[3] / "docs" / "pictures" / "watch"


@pytest.mark.slow
def test_the_pictures_of_the_guide_can_be_made(tmp_path):
    into = Path(os.environ.get("THRESHER_PICTURES", tmp_path / "pictures"))
    crawl(tmp_path / "iris", BusyWeb(size=2000, hosts=40), budget={"pages": 500, "relevant": 400, "dry_share": 0.01})
    (tmp_path / "skills").mkdir()
    experiment(Results(tmp_path / "skills"), SKILLS, tasks=12, pages=200)
    with opened(tmp_path) as address, browsing() as (page, looked):
        page.set_default_timeout(SOON)
        page.goto(address)
        for name, (path, drawn) in PAGES.items():
            page.goto(f"{address.split('/?')[0]}/{path}")
            page.locator(drawn).first.wait_for()
            for _ in range(3 if name == "map" else 0):
                page.locator("button.tree-open[aria-expanded=false]").first.click()
                page.wait_for_timeout(800)
            page.evaluate("document.activeElement.blur()")
            page.wait_for_timeout(800)
            page.screenshot(path=into / f"{name}.png")
        assert looked.errors == []
    assert {path.stem for path in into.glob("*.png")} == PAGES.keys()


def test_the_guide_has_them_all():
    assert {path.stem for path in SHOWN.glob("*.png")} == PAGES.keys()
    guide = (SHOWN.parents[1] / "guides" / "watch.md").read_text("utf-8")
    assert all(f"../pictures/watch/{name}.png" in guide for name in PAGES)
