import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ontology.mini import mini
from tests.unit.strategy.walks import order

from thresher.errors import BadInput
from thresher.model import DROP, Candidate, Claim, Evidence, Host, Link, Outcome, Page, Url, Visit
from thresher.ontology import places
from thresher.ontology.known_ontologies import open_ontology
from thresher.ontology.readers import wordnet as reader
from thresher.strategy.lin import Lin
from thresher.topic.sense_choice import WordSense, word_sense

URL = Url("http://a.example/")
MINI = mini()
PLANT, EYE = ("iris.plant", "iris.eye")
TABLE_II = {
    "plant": (0.15, 0.08),
    "leaf": (0.14, 0.07),
    "flower": (0.53, 0.08),
    "eye": (0.09, 0.41),
    "sphincter": (0.07, 0.36),
}
LINK_1, LINK_2 = "plant leaf flower", "eye sphincter"


def meaning(*senses):
    return WordSense(MINI, "iris", (PLANT, EYE), frozenset((PLANT, EYE).index(each) for each in senses))


def lin(*senses, **keys):
    return Lin(meaning(*senses), **{"ic": "raw", **keys})


def visit():
    return Visit(Claim(Candidate(URL, 1.0), Host("a.example"), 1, 9.0), 1, 0.0, None, Outcome("page"), Page(URL))


def link(text):
    return Link(URL, Url("http://a.example/x"), text, 0, len(text))


def score(strategy, *texts):
    return list(strategy.score(visit(), [link(text) for text in texts]))


def as_printed(sense):
    strategy = lin(sense)
    strategy.table.update({word: (word, scores) for word, scores in TABLE_II.items()})
    return strategy


def test_golden_10_table_ii_gives_link_1_to_gardening_and_link_2_to_medicine():
    assert score(as_printed(PLANT), LINK_1, LINK_2) == [pytest.approx(0.82 / 3), DROP]
    assert score(as_printed(EYE), LINK_1, LINK_2) == [DROP, pytest.approx(0.385)]


def test_golden_11_a_score_of_385_thousandths_is_not_cut_to_a_whole_number():
    assert score(as_printed(EYE), LINK_2) == [pytest.approx(0.385, abs=1e-12)]


def test_a_link_is_worth_the_average_similarity_of_its_words():
    # Lin(iris.plant, rose) = 3/5 and Lin(iris.plant, dog) = 2/9.
    assert score(lin(PLANT), "rose", "rose and dog") == pytest.approx([3 / 5, (3 / 5 + 2 / 9) / 2])


def test_words_are_a_set_and_those_nobody_knows_count_as_nothing():
    assert score(lin(PLANT), "rose rose rose unicorn") == pytest.approx([3 / 10])
    assert score(lin(PLANT, ignore_oov=True), "rose rose rose unicorn") == pytest.approx([3 / 5])


def test_several_senses_may_be_sought():
    assert DROP not in score(lin(PLANT, EYE), "rose", "eye")
    assert score(lin(PLANT, EYE), "rose", "eye") == score(lin(PLANT), "rose") + score(lin(EYE), "eye")


def test_the_topics_own_word_speaks_for_its_first_sense_unless_it_is_left_out():
    assert score(lin(EYE), "the iris of the eye") == [DROP]
    assert score(lin(EYE, drop_topic_term=True), "the iris of the eye") == pytest.approx([1 / 2])
    assert score(lin(EYE, profile="robust", gloss=False), "the iris of the eye") == pytest.approx([1 / 2])


def test_with_the_nearest_sense_the_topics_own_word_speaks_for_all_of_them():
    assert score(lin(EYE, term_sense="max"), "the iris of the eye") == pytest.approx([3 / 4])


def test_what_a_definition_says_speaks_for_its_sense_too():
    # "a plant with sword-shaped leaves", "the coloured part of the eye": no concept is called sword or part.
    assert score(lin(PLANT), "sword", "part") == [DROP, DROP]
    plant, eye = lin(PLANT, gloss=True), lin(EYE, gloss=True)
    assert score(plant, "sword")[0] > 0 < score(eye, "part")[0]
    assert score(plant, "part") == score(eye, "sword") == [DROP]


def test_a_definition_does_not_speak_through_the_topics_own_word():
    assert score(lin(PLANT, gloss=True, drop_topic_term=True), "iris") == [DROP]


def test_a_link_that_says_nothing_is_dropped_or_kept_at_the_floor():
    assert score(lin(EYE), "unicorn", "", "the") == [DROP] * 3
    assert score(lin(EYE, profile="robust"), "unicorn", "", "iris") == [0.001] * 3
    assert score(lin(EYE, floor=0.01), "unicorn") == [0.01]


def test_a_link_that_means_another_sense_is_dropped_whatever_the_floor():
    assert score(lin(EYE, profile="robust"), "rose") == [DROP]


def test_without_smoothing_what_was_never_seen_is_like_nothing():
    orchid = WordSense(MINI, "orchid", ("orchid",), frozenset({0}))
    assert score(Lin(orchid, ic="raw"), "rose") == [DROP]
    assert score(Lin(orchid, ic="add1"), "rose")[0] > 0


def test_by_equation_5_as_printed_even_unlike_things_are_somewhat_alike():
    table = Lin(meaning(PLANT), ic="raw", ic_n="sum").table
    assert lin(PLANT).table["eye"][1][0] == 0
    assert table["eye"][1][0] > 0


@pytest.mark.parametrize("measure", ["lin", "resnik", "jiang", "wu-palmer", "leacock", "path"])
def test_with_any_measure_a_rose_speaks_for_the_plant_and_an_eye_for_the_eye(measure):
    assert DROP not in score(lin(PLANT, measure=measure), "rose", "flower")
    assert score(lin(PLANT, measure=measure), "eye") == [DROP]
    assert 0 < score(lin(EYE, measure=measure), "eye")[0] <= 1


def test_another_measure_gives_another_score():
    # Iris and rose, of 5 bits each, share the flower's 3 bits; the shortest way between them has three concepts.
    values = {"lin": 3 / 5, "resnik": 3 / 5, "path": 1 / 3, "wu-palmer": 4 / 5}
    for measure, value in values.items():
        assert score(lin(PLANT, measure=measure), "rose") == pytest.approx([value]), measure


def test_the_window_is_ten_words_on_each_side():
    text = "rose " + "the " * 9 + "here"
    anchor = [Link(URL, URL, text, text.index("here"), len(text))]
    assert lin(PLANT).score(visit(), anchor) != [DROP]
    assert lin(PLANT, window=9).score(visit(), anchor) == [DROP]


def test_a_waiting_url_keeps_its_first_priority_as_in_the_paper_or_its_best():
    assert lin(EYE).merge == "first"
    assert lin(EYE, profile="robust").merge == "max"
    assert lin(EYE, merge="sum").merge == "sum"


WORDS = st.lists(st.sampled_from(["rose", "dog", "eye", "iris", "organ", "plant", "unicorn", "the"]), max_size=8)


@given(WORDS, st.sampled_from(["paper", "robust"]))
def test_one_sense_gets_a_link_or_none_does(chosen, profile):
    text = " ".join(chosen)
    plant, eye, both = (score(lin(*senses, profile=profile), text)[0] for senses in [(PLANT,), (EYE,), (PLANT, EYE)])
    assert max(plant, eye) == both
    assert both == DROP or 0 < both <= (1 if profile == "paper" else 2)
    if DROP not in {plant, eye}:
        assert plant == eye


@given(WORDS, st.booleans(), st.booleans(), st.booleans())
def test_what_is_explained_adds_up_to_the_priority(chosen, ignore, drop, gloss):
    strategy = lin(PLANT, EYE, ignore_oov=ignore, drop_topic_term=drop, gloss=gloss)
    where = link(" ".join(chosen))
    found = strategy.explain(visit(), where)
    [priority] = strategy.score(visit(), [where])
    assert sum(each.amount for each in found) == pytest.approx(0 if priority == DROP else priority)


def test_it_explains_which_words_speak_for_which_sense_and_against_the_sought_one():
    assert lin(EYE).explain(visit(), link("rose or eye")) == (Evidence("rose", "window: iris.plant", -0.3),)
    assert lin(EYE).explain(visit(), link("organ or eye"))[0].where == "window: iris.eye"
    assert lin(EYE).explain(visit(), link("unicorn")) == ()


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"profile": "magic"}, "no profile 'magic'; its profiles: paper, robust"),
        ({"window": -1}, "window is -1"),
        ({"floor": -0.5}, "floor is -0.5"),
        ({"term_sense": "best"}, "term_sense is 'best', but must be one of first, max, posterior"),
        ({"ic": "add2"}, "ic is 'add2', but must be one of add1, raw"),
        ({"ic_n": "half"}, "no total 'half'"),
        ({"ic_ways": "all"}, "no count of ways 'all'; the choices: once, each"),
        (
            {"measure": "cosine"},
            "measure is 'cosine', but must be one of lin, resnik, jiang, wu-palmer, leacock, path",
        ),
    ],
)
def test_a_wrong_key_is_named(keys, words):
    with pytest.raises(BadInput, match=words):
        lin(EYE, **keys)


async def test_it_follows_the_sought_sense_alone_best_first():
    gap = "<p>" + "unicorn " * 25 + "</p>"
    web = {
        "/": f"<a href=/garden>rose, flower</a>{gap}<a href=/object>an object</a>{gap}"
        f"<a href=/eye>eye, organ</a>{gap}<a href=/news>unicorn</a>",
        "/eye": "<p><a href=/pupil>oculus</a></p>",
        "/garden": "<p>never asked for</p>",
        "/object": "<p>an object</p>",
        "/pupil": "<p>the end</p>",
        "/news": "<p>no sense</p>",
    }
    # Lin(iris.eye, organ) = 2/3, with eye 1/2, with object 2/5.
    strategy = lin(EYE, profile="robust", ignore_oov=True)
    assert await order(web, strategy) == ["/", "/eye", "/pupil", "/object", "/news"]


@pytest.fixture(scope="module")
def wordnet(pytestconfig):
    if places.wordnet() is None:
        pytest.skip(f"WordNet is not installed: {reader.how_to_get_it()}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THRESHER_CACHE", str(pytestconfig.cache.mkdir("ontologies")))
        yield open_ontology("wordnet")


def iris(wordnet, sense, **keys):
    return Lin(word_sense("iris", [wordnet], [sense]), **keys)


def test_golden_10_on_wordnet_the_two_links_of_table_ii_part(wordnet):
    assert score(iris(wordnet, "iris.n.01"), LINK_1, LINK_2) == [pytest.approx(0.273, abs=0.01), DROP]
    assert score(iris(wordnet, "iris.n.02"), LINK_1, LINK_2) == [DROP, pytest.approx(0.385, abs=0.01)]


@pytest.mark.parametrize(("profile", "within"), [("paper", 0.026), ("robust", 0.05)])
def test_golden_10_on_wordnet_every_similarity_of_table_ii_comes_out(wordnet, profile, within):
    table = iris(wordnet, "iris.n.02", profile=profile).table
    for word, printed in TABLE_II.items():
        assert table[word][1][:2] == pytest.approx(printed, abs=within)


def test_on_wordnet_other_readings_of_the_paper_do_not_give_its_table(wordnet):
    assert iris(wordnet, "iris.n.01", term_sense="max").table["plant"][1][0] > 0.15 + 0.3
    assert iris(wordnet, "iris.n.01", ic_n="sum").table["plant"][1][0] > 0.15 + 0.1


def test_golden_10_on_wordnet_unsmoothed_counts_leave_the_eyes_iris_without_a_link(wordnet):
    assert score(iris(wordnet, "iris.n.02", ic="raw"), LINK_1, LINK_2) == [DROP, DROP]


def test_on_wordnet_words_are_found_in_any_form(wordnet):
    if not (places.wordnet() / "noun.exc").is_file():
        pytest.skip("this WordNet came without lists of irregular forms: pip install 'thresher[wordnet]'")
    strategy = iris(wordnet, "iris.n.01")
    assert score(strategy, "the Plants, their LEAVES and a flower") == score(strategy, "plant leaf flower their")


def test_on_wordnet_the_trap_of_the_topics_own_word(wordnet):
    text = "iris of the eye"
    assert score(iris(wordnet, "iris.n.02"), text) == [DROP]
    assert score(iris(wordnet, "iris.n.02", profile="robust"), text)[0] > 0.3
