"""The whole way by the command line alone: a word, its sense, seeds, the crawl, and all that one does with what it brought."""

import importlib.util
import json
import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.crawl.irises import SearchedWeb, at_a_terminal, command, searching, served, write_ontology

FLOWERS = "http://hivenotes.example/1-bearded-irises/the-dwarf-iris-explained-4.html"
"""The first page that the search engine names."""


def thresher(*arguments):
    done = subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "COLUMNS": "100"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_from_a_word_to_a_collection_by_the_command_line_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_ontology(tmp_path)
    web = SearchedWeb()
    with served(web) as server:
        choose_the_eye(server.port)
        look(web.web)
        best = search()
        ask_why(best)
        ask_why_not(FLOWERS)
        judge_by_hand(web.web)
        go_on()
        take_away(web.web)
        look_again()


def choose_the_eye(port):
    assert re.search(
        r"1 .*The coloured ring of the eye\. +\(also iris of the eye\)",
        thresher("senses", "iris", "--ontology", "irises.obo"),
    )
    asked = ["crawl", "iris", "--ontology", "irises.obo", *searching(port, pages=40)]
    code, said = at_a_terminal(*asked, answers=["1\n"])
    assert code == 0, said
    told = [
        "iris: 2 senses",
        "Which one?",
        "Looking for iris; also iris of the eye",
        "seeds for 'iris'",
        "Stopped: all 40",
    ]
    assert [said.index(each) for each in told] == sorted(said.index(each) for each in told)
    assert "Next: thresher show iris" in said


def look(web):
    said = thresher("show", "iris")
    assert re.search(r"^40 fetched, \d+ relevant, harvest \d", said, re.MULTILINE)
    assert "█" in said
    assert "judged by concepts and sense" in said
    assert "Best pages" in said
    assert re.search(r"exact +iris \d+", said)
    known = json.loads(thresher("show", "iris", "--json"))
    assert known["relevant"] >= 5
    assert {web.topic_of(each["url"]) for each in known["best"]} == {"eye"}, "the sense told eyes from flowers"
    assert "example" in thresher("show", "iris", "--tree")
    thresher("show", "iris", "--plot", "harvest.svg")
    assert ET.parse("harvest.svg").getroot().tag.endswith("svg")


def search():
    said = thresher("search", "iris", "pupil", "light")
    assert re.search(r"^\d+ pages? ha(s|ve) pupil light$", said, re.MULTILINE)
    found = json.loads(thresher("search", "iris", "pupil", "light", "--json"))["found"]
    assert all("pupil" in each["snippet"].lower() or "light" in each["snippet"].lower() for each in found)
    return found[0]["url"]


def ask_why(url):
    said = thresher("why", "iris", url)
    assert "It was fetched, as visit" in said
    assert "a seed, depth 0" in said
    assert "judged relevant." in said
    relevance, concepts, sense = verdicts(url)
    assert relevance == pytest.approx((concepts + sense) / 2, abs=0.001)
    assert min(concepts, sense) > 0.5
    assert re.search(r"relevance 0\.\d\d  judge\s(concepts|sense)\s[\d.]+, .*iris\s+\(exact\)", said, re.DOTALL)
    assert "No kept page links to it" in thresher("why", "iris", "http://eyeclinic.example/nowhere")


def ask_why_not(url):
    said = thresher("why", "iris", url)
    assert "judged not relevant." in said
    assert "(text: F:1)" in said, "words around it speak for the flower"
    relevance, concepts, sense = verdicts(url)
    assert sense < relevance < 0.5 < concepts, "the word alone would have let it pass"


def verdicts(url):
    """The relevance of a page, and what each of the two judges said of it."""
    page = json.loads(thresher("why", "iris", url, "--json"))["way"][-1]
    said = {each["what"]: each["amount"] for each in page["evidence"] if each["where"] == "judge"}
    return page["relevance"], said["concepts"], said["sense"]


def judge_by_hand(web):
    def key(question):
        (url,) = re.findall(r"^http\S+$", question, re.MULTILINE)
        return "y" if web.topic_of(url) == "eye" else "n"

    code, said = at_a_terminal("label", "iris", "--limit", 30, answers=key)
    assert code == 0, said
    assert "30 labelled now, 30 in all" in said
    assert re.search(r"^before +0\.\d+", said, re.MULTILINE)
    assert "Your labels have taught a classifier" in said
    assert len(json.loads(thresher("label", "iris", "--json"))["labels"]) == 30


def go_on():
    said = thresher("crawl", "iris", "--pages", "60")
    assert "senses" not in said
    assert "60 pages fetched" in said
    best = json.loads(thresher("show", "iris", "--json"))["best"][0]["url"]
    assert "the labels" in json.dumps(json.loads(thresher("why", "iris", best, "--json"))["way"][-1]["evidence"])


def take_away(web):
    relevant = json.loads(thresher("show", "iris", "--json"))["relevant"]
    assert re.search(
        rf"^{relevant} pages from \d+ hosts", thresher("export", "iris", "--to", "warc", "--relevant"), re.MULTILINE
    )
    assert "iris" in Path("iris-warc/README.md").read_text("utf-8")
    if importlib.util.find_spec("trafilatura"):
        thresher("export", "iris", "--to", "jsonl", "--relevant")
        rows = [json.loads(line) for line in Path("iris-jsonl/pages.jsonl").read_text("utf-8").splitlines()]
        assert len(rows) == relevant
        assert all(row["url"].startswith("http://") and row["text"] and row["relevance"] > 0 for row in rows)
        assert {web.topic_of(row["url"]) for row in rows} == {"eye"}
    if importlib.util.find_spec("trafilatura") and importlib.util.find_spec("pyarrow"):
        thresher("export", "iris", "--to", "parquet", "--relevant")
        from pyarrow import parquet  # noqa: PLC0415 - an extra

        (path,) = Path("iris-parquet").glob("*.parquet")
        assert parquet.read_table(path).num_rows == relevant


def look_again():
    assert "Nothing is due" in thresher("revisit", "iris")
    said = thresher("revisit", "iris", "--now", "--limit", 5)
    assert re.search(r"5 +unchanged \(same content\)", said)
