"""The topic as a crawl has met it."""

from tests.unit.results import iris_site

from thresher.results.archive import Archive
from thresher.results.sightings import sightings
from thresher.results.watch.topic_now import RunningSightings, learnt_now, topic_now
from thresher.strategy.link_features import FEATURES


def seen(archive, most=23):
    running = RunningSightings()
    while not running.take_in(archive, most):
        pass
    return running


def test_what_is_counted_in_stretches_is_what_is_counted_at_once(archive):
    assert seen(archive).so_far() == sightings(archive)


def test_names_come_with_the_pages_they_were_found_on(archive):
    now = topic_now(archive, seen(archive))
    assert {name.label for name in now.names} == {"iris", "eye", "pupil", "cornea", "retina"}
    assert {name.label: name.pages for name in now.names} == sightings(archive).pages
    assert (now.judge, now.strategy, now.more) == ("terms", "apprentice", 0)


def test_names_have_tiers_and_weights_if_the_judge_knows_concepts(tmp_path):
    path = iris_site.crawl(tmp_path / "crawl", **iris_site.with_terms(tmp_path / "terms"))
    with Archive.open(path) as archive:
        now = topic_now(archive, seen(archive))
        weights = {name.label: (name.tier, name.weight) for name in now.names}
    assert weights["iris"] == ("exact", 15.0)
    assert weights["rainbow membrane"] == ("synonym", 12.0)
    assert now.names[0].label in {"iris", "eye"}
    assert now.names[0].pages > now.names[-1].pages


def test_the_apprentice_tells_what_it_has_learnt(archive):
    learnt = learnt_now(archive)
    assert learnt.visits == archive.read("SELECT count(*) FROM visit").fetchone()[0]
    assert {weight.feature for weight in learnt.weights} == set(FEATURES)
    changes = [abs(weight.now - weight.began) for weight in learnt.weights]
    assert changes == sorted(changes, reverse=True)
    assert changes[0] > 0
    words_for, against = ({word.word for word in some} for some in (learnt.speak_for, learnt.speak_against))
    assert {"retina", "pupil"} & words_for
    assert not words_for & against
    assert all(word.odds > 0 for word in learnt.speak_for)
    assert all(word.odds < 0 for word in learnt.speak_against)


def test_a_strategy_that_does_not_learn_has_nothing_to_tell(tmp_path):
    with Archive.open(iris_site.crawl(tmp_path / "crawl")) as archive:
        assert learnt_now(archive) is None
