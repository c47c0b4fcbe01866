"""`--ontology umls`: a release on this machine, or the service, played back."""

import sys
from functools import partial
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from tests.unit.lab.task_files import eye_task
from tests.unit.online import uts_server
from tests.unit.ontology.readers.rrf_files import release

from thresher import knowledge
from thresher.assembly import assembled
from thresher.cli import thresher
from thresher.dialogue import Dialogue
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, Missing, NoAnswer
from thresher.knowledge import Knowledge, can_be_opened, installed_ontologies, needs
from thresher.lab.run.task_knowledge import needs as needs_of_task
from thresher.online import umls
from thresher.online.json_client import RequestPolicy
from thresher.online.umls_topics import umls_for
from thresher.ontology.known_ontologies import KNOWN
from thresher.settings import settle_settings
from thresher.start import prepare

KEY = uts_server.KEY
WANTED = {"topic": "bedwetting", "seeds": ["http://a.example/"], "knowledge": {"ontologies": ["umls"]}}
LOKMANS = {"nocturnal enuresis", "nocturnal incontinence of urine", "wets bed"}


class Listener(Dialogue):
    def __init__(self):
        self.told = []

    def notice(self, sentence):
        self.told.append(sentence)


@pytest.fixture(autouse=True)
def machine(tmp_path, monkeypatch):
    """A machine that has neither a key nor a release."""
    monkeypatch.setenv("THRESHER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("UMLS_META", raising=False)
    monkeypatch.delenv("UMLS_API_KEY", raising=False)
    monkeypatch.setitem(sys.modules, "keyring", None)


@pytest.fixture
def service(monkeypatch):
    with uts_server.in_the_background() as server:
        monkeypatch.setattr(umls, "BASE", server.base)
        monkeypatch.setattr(umls, "RequestPolicy", partial(RequestPolicy, spacing=0.0))
        monkeypatch.setenv("UMLS_API_KEY", KEY)
        yield server


def labels(topic, tier="synonym"):
    return {term.label.lower() for term in topic.terms if term.tier == tier}


def concepts(name="umls"):
    return needs("bedwetting", Knowledge(ontologies=[name]))["concepts"].make()


def test_the_service_gives_a_topic_the_names_of_the_thesis_table_3(service):
    assert labels(concepts()) >= LOKMANS
    assert labels(concepts(), "broader") == {"enuresis", "urinary incontinence"}


def test_a_release_on_this_machine_comes_before_the_service(service, tmp_path, monkeypatch):
    monkeypatch.setenv("UMLS_META", str(release(tmp_path)))
    assert labels(concepts()) >= LOKMANS
    assert service.asked.total() == 0


def test_a_release_counts_as_installed_and_the_service_is_asked_only_by_name(service, tmp_path, monkeypatch):
    # The others take seconds to read.
    monkeypatch.setattr(knowledge, "KNOWN", [each for each in KNOWN if each.name == "umls"])
    assert installed_ontologies([], ["bedwetting"]) == []
    assert service.asked.total() == 0
    monkeypatch.setenv("UMLS_META", str(release(tmp_path)))
    assert [each.name for each in installed_ontologies([], ["bedwetting"])] == ["umls"]


def test_a_release_that_is_not_there_is_an_error_that_names_the_place(tmp_path, monkeypatch):
    monkeypatch.setenv("UMLS_META", str(tmp_path / "nowhere"))
    with pytest.raises(BadInput, match=r"UMLS_META: .*nowhere: no MRCONSO\.RRF .* META of a UMLS release"):
        concepts()


@pytest.mark.parametrize("command", ["senses", "topic"])
def test_commands_about_words_take_the_name_and_tell_of_success_beside_their_output(service, command):
    done = CliRunner().invoke(thresher, [command, "bedwetting", "--ontology", "umls", "--json"])
    assert done.exit_code == 0
    assert "Nocturnal enuresis" in done.stdout
    assert "UMLS answered: 'bedwetting' is Nocturnal enuresis (C0270327); 5 names, 3 broader concepts" in done.stderr
    assert "UMLS answered" not in done.stdout


def test_a_crawl_is_told_of_success(service, tmp_path):
    listener = Listener()
    complete = prepare(WANTED, CrawlFolder(tmp_path / "crawl"), listener, by_sense=True, search=False)
    assert complete["knowledge"]["senses"] == ["C0270327"]
    assert listener.told[0].startswith("UMLS answered: 'bedwetting' is Nocturnal enuresis (C0270327)")


def test_a_crawl_for_a_topic_is_told_too_if_its_judge_asks(service, tmp_path):
    listener, wanted = Listener(), {**WANTED, "judge": "concepts"}
    prepare(wanted, CrawlFolder(tmp_path / "crawl"), listener, by_sense=False, search=False)
    assert [each[:44] for each in listener.told] == ["UMLS answered: 'bedwetting' is Nocturnal enu"]


def test_a_word_that_umls_does_not_have_is_looked_for_as_a_plain_word(service, tmp_path):
    listener, wanted = Listener(), {**WANTED, "topic": "thresher"}
    complete = prepare(wanted, CrawlFolder(tmp_path / "crawl"), listener, by_sense=True, search=False)
    assert "senses" not in complete["knowledge"]
    assert listener.told == [
        "UMLS answered: 'thresher' is not in MSH, SNOMEDCT_US",
        "'thresher' is not in umls: looking for the plain word",
    ]


async def test_no_file_of_a_crawl_and_none_of_the_cache_holds_the_key(service, tmp_path):
    folder = CrawlFolder(tmp_path / "crawl")
    wanted = {**WANTED, "judge": "concepts", "strategy": "lokman"}
    async with assembled(folder, settle_settings(folder, wanted, "here")):
        pass
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert {"crawl.toml"} <= {file.name for file in files}
    assert any(file.suffix == ".npz" for file in files)
    assert not [file for file in files if KEY.encode() in file.read_bytes()]


def test_the_table_of_a_crawl_file_has_no_place_for_a_key(tmp_path):
    wanted = {**WANTED, "knowledge": {"umls_key": KEY}}
    with pytest.raises(BadInput, match="umls_key"):
        prepare(wanted, CrawlFolder(tmp_path / "crawl"), Listener(), by_sense=False, search=False)


def test_a_topic_that_was_answered_needs_neither_the_key_nor_the_service_again(service, monkeypatch):
    first = concepts()
    asked = service.asked.total()
    monkeypatch.delenv("UMLS_API_KEY")
    told = []
    assert concepts() == first
    umls_for(["bedwetting"], told.append)
    assert told[0].startswith("UMLS, as it answered before: 'bedwetting' is Nocturnal enuresis")
    assert service.asked.total() == asked


def test_a_key_may_be_in_the_keyring_and_the_environment_comes_first(service, monkeypatch):
    kept = {("thresher", "UMLS_API_KEY"): KEY}
    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=lambda *name: kept.get(name)))
    monkeypatch.delenv("UMLS_API_KEY")
    assert can_be_opened("umls")
    assert labels(concepts()) >= LOKMANS
    monkeypatch.setenv("UMLS_API_KEY", "ffffffff-7d3b-4c55-9e21-4b1d2a7c8e90")
    with pytest.raises(BadInput, match="the API key is refused"):
        umls_for(["cold"])


def test_a_keyring_that_is_locked_holds_no_key(monkeypatch):
    def locked(*_):
        raise RuntimeError("locked")

    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=locked))
    assert not can_be_opened("umls")


def test_failure_names_its_cause_a_client_that_is_not_known(service, monkeypatch):
    monkeypatch.delenv("UMLS_API_KEY")
    with pytest.raises(
        BadInput, match=r"set UMLS_API_KEY in the environment, or run keyring set thresher UMLS_API_KEY"
    ):
        concepts()


def test_failure_names_its_cause_a_host_that_does_not_answer(service, monkeypatch, unused_tcp_port):
    monkeypatch.setattr(umls, "BASE", f"http://127.0.0.1:{unused_tcp_port}/rest")
    with pytest.raises(NoAnswer, match=f"UMLS: 127.0.0.1:{unused_tcp_port} cannot be reached"):
        concepts()


def test_failure_names_its_cause_an_address_that_is_none(service, monkeypatch):
    monkeypatch.setattr(umls, "BASE", "uts-ws,nlm.nih.gov")
    with pytest.raises(BadInput, match=r"UMLS: 'uts-ws,nlm\.nih\.gov' is no address of an API"):
        concepts()


def test_a_task_of_the_lab_may_name_it(service, tmp_path, monkeypatch):
    task = eye_task(tmp_path, topic="bedwetting", keywords="", sense="", ontologies=["umls"])
    assert labels(needs_of_task(task, None)["concepts"].make()) >= LOKMANS
    monkeypatch.delenv("UMLS_API_KEY")
    with pytest.raises(Missing, match="the ontology 'umls': set UMLS_META"):
        needs_of_task(task, None)["concepts"].make()


def test_the_list_of_ontologies_says_how_it_can_be_had(service, tmp_path, monkeypatch):
    listed = CliRunner().invoke(thresher, ["ontology", "--json"])
    assert '"asked": true' in listed.stdout
    monkeypatch.setenv("UMLS_META", str(release(tmp_path)))
    assert '"asked"' not in CliRunner().invoke(thresher, ["ontology", "--json"]).stdout
