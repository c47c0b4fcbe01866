"""Example pages are read from files and web addresses, and reach the judge."""

import pytest
from tests.unit.results.changing_web import ChangingWeb, Served, page, serving

from thresher.dialogue import Dialogue
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, NoAnswer
from thresher.knowledge import Knowledge, needs, part
from thresher.model import Page, Url
from thresher.seed.example_pages import _texts, example_texts
from thresher.seed.polite_download import DownloadOptions
from thresher.settings import settle_settings
from thresher.start import prepare

NOW = DownloadOptions(delay=0.0)
ENCODER = "tests.unit.judge.test_meaning:WORD_BAG"
SEED = Url("http://a.example/")
SEEDS = {"topic": "iris", "seeds": [SEED]}


@pytest.fixture
def files(tmp_path):
    """Five pages on the iris of the eye, one of them plain text."""
    paths = [tmp_path / f"{number}.html" for number in range(4)]
    for number, path in enumerate(paths):
        path.write_text(page(f"The iris of the eye and its pupil, number {number}, in a few more words."), "utf-8")
    (tmp_path / "plain.txt").write_text("Plain words on the iris of the eye, a little more of them.", "utf-8")
    return [str(path) for path in (*paths, tmp_path / "plain.txt")]


def test_files_are_read_as_pages_or_as_plain_text(files):
    texts = example_texts(files, NOW)
    assert texts[0].startswith("Iris of the eye. The iris of the eye and its pupil, number 0")
    assert texts[4].startswith("Plain words on the iris")


async def test_addresses_are_fetched_and_redirects_followed():
    web = ChangingWeb({"/a": Served(page()), "/b": Served("", status=301, location="/a")})
    async with serving(web) as served:
        first, second = await _texts([f"{served.base}/a", f"{served.base}/b"], NOW)
    assert first == second
    assert first.startswith("Iris of the eye. The iris of the eye, its pupil")


async def test_an_address_that_gives_no_page_is_named():
    async with serving(ChangingWeb({})) as served:
        with pytest.raises(NoAnswer, match=r"--like http://127\.0\.0\.1:\d+/a: status 404; save the page"):
            await _texts([f"{served.base}/a"], NOW)


def test_a_file_that_is_not_there_or_says_nothing_is_named(files, tmp_path):
    with pytest.raises(
        BadInput, match=r"--like nowhere\.html: No such file or directory; name a file, or a web address"
    ):
        example_texts([*files, "nowhere.html"], NOW)
    (tmp_path / "empty.html").write_text("<p>Iris")
    with pytest.raises(BadInput, match=r"empty\.html: there is hardly any text in it: 'Iris'"):
        example_texts([*files, str(tmp_path / "empty.html")], NOW)


@pytest.mark.parametrize("count", [1, 4, 21])
def test_too_few_or_too_many_are_refused(count):
    with pytest.raises(BadInput, match=f"names {count} different pages, but it takes 5 to 20"):
        example_texts([f"{number}.html" for number in range(count)], NOW)


def prepared(tmp_path, **wanted):
    return prepare({**SEEDS, **wanted}, CrawlFolder(tmp_path / "crawl"), Dialogue(), by_sense=False, search=False)


def test_what_they_say_is_kept_in_the_settings_and_the_judge_is_the_one_that_reads_them(files, tmp_path):
    complete = prepared(tmp_path, knowledge={"like": files}, judge={"threshold": 0.4})
    assert complete["judge"] == {"name": "meaning", "threshold": 0.4}
    assert len(complete["knowledge"]["examples"]) == 5
    settings = settle_settings(CrawlFolder(tmp_path / "crawl"), complete, "here")
    known = Knowledge(**settings.knowledge)
    judge = part("judge", {**settings.judge, "encoder": ENCODER}, needs(settings.topic, known))
    on_topic, other = Page(SEED, main="The pupil of an eye. The iris of an eye."), Page(SEED, main="A garden. Bread.")
    assert judge.judge(on_topic).evidence[0].amount > judge.judge(other).evidence[0].amount == 0.0


def test_a_crawl_goes_on_with_the_same_examples_and_refuses_others(files, tmp_path):
    folder = CrawlFolder(tmp_path / "crawl")
    folder.path.mkdir()
    folder.write_settings(settle_settings(folder, prepared(tmp_path, knowledge={"like": files}), "here").as_toml())
    for path in files:
        (tmp_path / path).unlink()  # what they said was kept
    same = settle_settings(folder, prepared(tmp_path, knowledge={"like": files}), "here")
    assert len(same.knowledge["examples"]) == 5
    with pytest.raises(BadInput, match=r"is a crawl with knowledge\.like"):
        settle_settings(folder, prepared(tmp_path, knowledge={"like": files[:-1]}), "here")


def test_a_judge_that_reads_no_examples_is_refused_beside_them(files, tmp_path):
    with pytest.raises(
        BadInput, match=r"--like is for a judge that reads example pages \(combine, meaning\), but the judge is terms"
    ):
        prepared(tmp_path, knowledge={"like": files}, judge="terms")


def test_examples_that_nobody_has_read_are_an_error():
    with pytest.raises(BadInput, match=r"knowledge\.like names pages that were not read"):
        part("judge", {"name": "meaning", "encoder": ENCODER}, needs("iris", Knowledge(like=("a.html",))))
