import pytest

from thresher import plugins
from thresher.assembly import assembled
from thresher.classify.link_rules import InterclassRules
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, Missing
from thresher.knowledge import NEEDS, Knowledge, anchored, needs
from thresher.model import DROP, Candidate, Claim, Host, Link, Outcome, Page, Url, Visit
from thresher.settings import Settings, settle_settings
from thresher.strategy.context_ontology import ContextOntology


@pytest.fixture
def zoo(tmp_path):
    for label, text in {"cats": "purr whiskers mouse", "dogs": "bark bone leash"}.items():
        (tmp_path / "zoo" / label).mkdir(parents=True)
        (tmp_path / "zoo" / label / "one.html").write_text(f"<title>{label}</title><p>{text}</p>")
    return tmp_path / "zoo"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "terms.csv"
    path.write_text("label,relation,weight\nbedwetting,exact,\nnocturnal enuresis,synonym,\nincontinence,broader,2\n")
    return str(path)


@pytest.fixture
def ontology(tmp_path):
    path = tmp_path / "ontology.csv"
    path.write_text("label,relation\nbedwetting,exact\nurology,broader\n")
    return str(path)


def made(name, text="bedwetting", **keys):
    return needs(text, Knowledge(**keys))[name].make()


def test_everything_a_part_can_ask_for_has_a_name_for_people():
    assert needs("iris", Knowledge()).keys() == NEEDS.keys()


def test_a_topic_is_its_words():
    assert dict(made("topic", "the iris of the eye").labels) == {"iris": 1.0, "eye": 1.0}


def test_concepts_come_from_ontologies_and_a_table_of_ones_own_with_its_weights(table, ontology):
    labels = made("concepts", terms=table, ontologies=[ontology]).labels
    assert labels["urology"] == 8.0
    assert labels["bedwetting"] == 15.0
    assert labels["nocturnal enuresis"] == 12.0
    assert labels["incontinence"] == 2.0


def test_a_table_of_ones_own_is_the_importance_table(table, ontology):
    # What has no weight gets one from 0 to 1, as in Kumar and Vig's table, and what has one keeps it.
    assert made("importance", terms=table, ontologies=[ontology]) == {
        "bedwetting": 1.0,
        "nocturnal enuresis": pytest.approx(1 / 1.1),
        "incontinence": 2.0,
    }


def test_with_a_table_without_weights_one_hit_does_not_pass_the_threshold_of_kumar_and_vig(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("label,relation\niris,exact\npupil,synonym\neye,broader\ncornea,context\n")
    strategy = ContextOntology(made("importance", "iris", terms=str(path), ontologies=[]))
    page = Url("http://a.example/")
    visit = Visit(Claim(Candidate(page, 1.0), Host("a.example"), 1, 9.0), 1, 0.0, None, Outcome("page"), Page(page))
    texts = ["the iris", "iris " * 5, "iris " * 6]
    links = [Link(page, Url(f"http://a.example/{len(text)}"), text, 0, len(text)) for text in texts]
    assert strategy.score(visit, links) == [DROP, DROP, 6.0]


def test_a_table_says_what_an_ambiguous_word_means_and_nobody_asks(tmp_path):
    path, two = tmp_path / "mine.csv", tmp_path / "two.obo"
    path.write_text("label,relation\niris,exact\npupil,synonym\n")
    two.write_text('[Term]\nid: E:1\nname: iris\n\n[Term]\nid: F:1\nname: iris\nsynonym: "flag" EXACT []\n')
    topic = made("concepts", "iris", terms=str(path), ontologies=[str(two)])
    assert dict(topic.labels) == {"iris": 15.0, "pupil": 12.0}
    assert "'iris' has 2 meanings and none was chosen: only the table of terms says what is meant" in topic.notes
    chosen = made("concepts", "iris", terms=str(path), ontologies=[str(two)], senses=["F:1"])
    assert "flag" in chosen.labels


def test_a_taxonomy_is_learnt_from_folders_of_pages(zoo):
    taxonomy = made("taxonomy", taxonomy=str(zoo), targets=["cats"])
    assert taxonomy.classifier.best("it purrs: purr, purr, whiskers") == "cats"
    assert taxonomy.rules is None


def test_a_taxonomy_has_rules_if_a_file_of_them_is_named(zoo, tmp_path):
    InterclassRules([("cats", "dogs")]).save(tmp_path / "rules.toml")
    taxonomy = made("taxonomy", taxonomy=str(zoo), targets=["cats"], rules=str(tmp_path / "rules.toml"))
    assert taxonomy.rules.probability("cats", "dogs") == 1.0


def test_a_class_that_nobody_learnt_is_an_error_that_lists_the_classes(zoo):
    with pytest.raises(BadInput, match="no class 'birds'; the classes: cats, dogs"):
        made("taxonomy", taxonomy=str(zoo), targets=["birds"])


def test_a_taxonomy_without_a_target_asks_which_class_is_sought(zoo):
    with pytest.raises(BadInput, match=r"which classes are sought.* --target CLASS, one or more of cats, dogs"):
        made("taxonomy", taxonomy=str(zoo))


def test_a_language_without_a_dictionary_is_an_error():
    with pytest.raises(BadInput, match="no dictionary from 'xx' to English"):
        made("transcriptor", languages=["xx"])


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("soft-focus", "strategy 'soft-focus' needs a taxonomy: give --taxonomy FOLDER"),
        ("oracle-greedy", "strategy 'oracle-greedy' needs labels of a recorded web: it works only in the lab"),
    ],
)
def test_a_strategy_without_what_it_needs_says_how_to_give_it(name, how):
    with pytest.raises(Missing, match=how):
        plugins.build("strategy", name, {}, **needs("iris", Knowledge()))


def test_what_a_part_can_do_without_stays_at_its_default():
    def part(topic, taxonomy=None):
        return topic.name, taxonomy

    assert plugins.construct(part, {}, "part", **needs("iris", Knowledge())) == ("iris", None)


def test_nothing_is_made_that_nobody_asks_for():
    def part(topic):
        return topic.name

    assert plugins.construct(part, {}, "part", **needs("iris", Knowledge(taxonomy="no such folder"))) == "iris"


def test_judge_and_strategy_share_what_is_made(zoo):
    taxonomy = needs("cats", Knowledge(taxonomy=str(zoo), targets=["cats"]))["taxonomy"]
    assert taxonomy.make() is taxonomy.make()


def test_paths_are_made_absolute_and_names_are_not(tmp_path):
    table = {"ontologies": ["wordnet", "my.obo"], "terms": "t.csv", "targets": ["cats"], "rules": ""}
    whole = anchored(table, tmp_path)
    assert whole["ontologies"] == ["wordnet", str(tmp_path / "my.obo")]
    assert whole["terms"] == str(tmp_path / "t.csv")
    assert (whole["targets"], whole["rules"]) == (["cats"], "")


async def test_a_crawl_keeps_what_it_knows_for_life(tmp_path, zoo):
    wanted = {"topic": "cats", "seeds": ["http://a.example/"], "knowledge": {"taxonomy": str(zoo), "targets": ["cats"]}}
    folder = CrawlFolder(tmp_path / "crawl")
    async with assembled(folder, settle_settings(folder, wanted, "here")):
        pass
    assert settle_settings(folder, {}, "here").knowledge == wanted["knowledge"]
    with pytest.raises(BadInput, match="is a crawl with knowledge"):
        settle_settings(folder, {"knowledge": {"targets": ["dogs"]}}, "here")


def test_the_table_has_no_other_keys():
    with pytest.raises(BadInput, match=r"'ontology'.*did you mean 'ontologies'"):
        plugins.construct(Knowledge, {"ontology": "wordnet"}, "[knowledge]")
    assert Settings().knowledge == {}


@pytest.mark.parametrize(("what", "how"), [("concepts", "--terms FILE"), ("sense", "another --ontology")])
def test_a_word_that_no_ontology_knows_is_named_with_what_can_be_done(ontology, what, how):
    with pytest.raises(Missing, match=rf"'quux' is not in .*{how}"):
        made(what, "quux", ontologies=[ontology])
