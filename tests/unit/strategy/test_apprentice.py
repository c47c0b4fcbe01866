"""The apprentice: what it learns from, how it explores, what it can say of its reasons, and what it keeps."""

import json
import math

import numpy as np
import pytest
from tests.unit.strategy.walks import HOST, order_with_stops, page

from thresher.errors import BadInput
from thresher.model import (
    Candidate,
    Claim,
    Failed,
    Host,
    Judgement,
    LabelledPage,
    Outcome,
    Refused,
    Response,
    Url,
    Visit,
)
from thresher.parse.html import HtmlParser
from thresher.strategy.apprentice import Apprentice
from thresher.strategy.link_features import FEATURES, NUMBER, PLACES
from thresher.strategy.link_weights import BY_HAND, SHIPPED, read_weights, vector
from thresher.strategy.place_statistics import PlaceTable
from thresher.strategy.visit_log import VisitRecord, packed
from thresher.topic import Topic
from thresher.topic.topic import Term

IRIS = Topic.of("iris eye")
HTML = ((b"content-type", b"text/html"),)


def seen(url, html, number, relevance=0.0):
    response = Response(Url(url), 200, HTML, html.encode(), html.encode())
    claim = Claim(Candidate(Url(url), 0.0, 1), Host("a.example"), number, 1e12)
    judged = Judgement(relevance, relevance >= 0.25)
    return Visit(claim, number, 0.0, response, Outcome("page"), HtmlParser().parse(response), judged)


def gone(url, number, fetched=None, name="http-404"):
    claim = Claim(Candidate(Url(url), 0.0, 1), Host("a.example"), number, 1e12)
    return Visit(claim, number, 0.0, fetched or Response(Url(url), 404, (), b"", b""), Outcome(name))


def passed(strategy, *visits):
    """The priorities that the links of the last page got, by url."""
    given = {}
    for visit in visits:
        strategy.learn(visit)
        links = visit.page.links if visit.page else ()
        scores = strategy.score(visit, links) if links else ()
        given = dict(zip((link.target for link in links), scores, strict=True))
        given |= dict(strategy.rerank())
        strategy.save()
    return given


def links_to(*urls, anchor="here"):
    return "".join(f"<p>{anchor} <a href={url}>{anchor}</a></p>" for url in urls)


# ── what a link tells ──


def test_a_link_that_names_the_topic_comes_first():
    html = f"<p>nothing</p>{links_to('/x', anchor='weather')}{links_to('/y', anchor='iris of the eye')}"
    given = passed(Apprentice(IRIS), seen(f"{HOST}/", html, 1))
    assert given[f"{HOST}/y"] > given[f"{HOST}/x"]


def test_an_anchor_with_the_whole_phrase_comes_before_one_with_half_of_it():
    strategy = Apprentice(Topic.of("regular expression"))
    half, whole = links_to("/half", anchor="regular visits"), links_to("/whole", anchor="expression, a regular one")
    given = passed(strategy, seen(f"{HOST}/", half + whole, 1))
    assert given[f"{HOST}/whole"] > given[f"{HOST}/half"]
    assert strategy.learner.shares(f"{HOST}/whole")["anchor phrase"] > 0
    assert strategy.learner.shares(f"{HOST}/half")["anchor phrase"] == 0


def test_the_words_of_the_address_count_too():
    given = passed(Apprentice(IRIS), seen(f"{HOST}/", links_to("/weather/today.html", "/iris/eye.html"), 1))
    assert given[f"{HOST}/iris/eye.html"] > given[f"{HOST}/weather/today.html"]


def test_names_of_concepts_count_where_an_ontology_knows_them():
    concepts = Topic("iris", (Term("iris", 15.0), Term("uvea", 12.0, "synonym")))
    html = links_to("/1", anchor="weather") + links_to("/2", anchor="uvea")
    with_them = passed(Apprentice(IRIS, concepts), seen(f"{HOST}/", html, 1))
    without = passed(Apprentice(IRIS), seen(f"{HOST}/", html, 1))
    assert with_them[f"{HOST}/2"] > with_them[f"{HOST}/1"]
    assert without[f"{HOST}/2"] == pytest.approx(without[f"{HOST}/1"], abs=0.3)


def test_a_picture_is_asked_for_last():
    given = passed(Apprentice(IRIS), seen(f"{HOST}/", links_to("/iris.jpg", "/weather.html"), 1, 0.9))
    assert given[f"{HOST}/iris.jpg"] < given[f"{HOST}/weather.html"]


def test_a_url_is_judged_by_all_links_that_lead_to_it():
    strategy = Apprentice(IRIS)
    passed(strategy, seen(f"{HOST}/1", links_to("/x", "/y", anchor="more"), 1))
    given = passed(strategy, seen(f"{HOST}/2", links_to("/x", anchor="iris eye"), 2))
    assert given[f"{HOST}/x"] > given[f"{HOST}/y"]
    later = passed(strategy, seen(f"{HOST}/3", links_to("/x", anchor="more"), 3))
    assert later[f"{HOST}/x"] > later[f"{HOST}/y"], "what an earlier link said is not forgotten"


# ── what it learns ──


def test_words_of_relevant_pages_count_like_those_of_the_topic():
    html = links_to("/a", anchor="retina") + links_to("/b", anchor="cloud")
    before = passed(Apprentice(IRIS), seen(f"{HOST}/13", html, 1))
    assert before[f"{HOST}/a"] == pytest.approx(before[f"{HOST}/b"])
    strategy = Apprentice(IRIS)
    # What is learnt of words is told here, and not what a table makes of it: the one that ships is fitted now and then.
    strategy.learner.start_from(vector(BY_HAND))
    for number in range(1, 13):
        good = number % 2 == 0
        text = "cornea lens retina" if good else "rain wind cloud"
        passed(strategy, seen(f"{HOST}/{number}", f"<p>{text} {number}</p>", number, 0.9 if good else 0.0))
    given = passed(strategy, seen(f"{HOST}/13", html, 13))
    assert given[f"{HOST}/a"] > given[f"{HOST}/b"] + 0.2


def test_that_a_part_of_a_site_does_not_answer_is_learnt_within_a_dozen_examples():
    strategy = Apprentice(IRIS)
    dead, alive = [f"{HOST}/share/{n}" for n in range(30)], [f"{HOST}/page/{n}" for n in range(30)]
    passed(strategy, seen(f"{HOST}/", links_to(*dead, *alive), 1))
    for number in range(12):
        passed(strategy, gone(dead[number], 2 * number + 2), seen(alive[number], "<p>rain</p>", 2 * number + 3))
    given = passed(strategy, seen(f"{HOST}/last", links_to(dead[20], alive[20]), 26))
    assert given[alive[20]] > given[dead[20]] + 1


def test_a_dead_url_lowers_those_beside_it_before_the_next_is_chosen():
    strategy = Apprentice(IRIS)
    dead = [f"http://dead.example/{n}" for n in range(9)]
    given = passed(strategy, seen(f"{HOST}/", links_to(*dead, "/x", anchor="iris"), 1))
    before = given | passed(strategy, *(seen(f"{HOST}/{n}", "<p>rain</p>", n) for n in (2, 3, 4, 5)))
    after = passed(strategy, gone(dead[0], 6))
    assert all(after[url] < before[url] - 0.5 for url in dead[1:])
    assert abs(after[f"{HOST}/x"] - before[f"{HOST}/x"]) < 0.5


def test_a_page_or_a_redirect_moves_nothing_between_two_turns():
    strategy = Apprentice(IRIS)
    passed(strategy, *(seen(f"{HOST}/{n}", links_to("/x", "/y", anchor="iris"), n) for n in range(1, 6)))
    moved = Response(Url(f"{HOST}/x"), 301, ((b"location", b"/new"),), b"", b"")
    assert passed(strategy, seen(f"{HOST}/6", "<p>rain</p>", 6)) == {}
    assert passed(strategy, gone(f"{HOST}/gone", 7)) != {}
    assert passed(strategy, gone(f"{HOST}/x", 8, moved, "redirect")) == {}


def test_addresses_made_like_those_of_relevant_pages_come_first_wherever_they_lead():
    strategy = Apprentice(IRIS)
    passed(
        strategy, seen(f"{HOST}/", links_to(*(f"/~a{n}/" for n in range(9)), *(f"/p/b{n}.html" for n in range(9))), 1)
    )
    for number in range(8):
        passed(strategy, seen(f"{HOST}/~a{number}/", "<p>iris eye", 2 + 2 * number, 0.9))
        passed(strategy, seen(f"{HOST}/p/b{number}.html", "<p>weather", 3 + 2 * number, 0.0))
    other = "http://b.example"
    given = passed(strategy, seen(f"{other}/", links_to("/~c1/", "/q/d1.html"), 20))
    assert given[f"{other}/~c1/"] > given[f"{other}/q/d1.html"]
    assert (
        strategy.learner.shares(f"{other}/~c1/")["shape"] > 0 > strategy.learner.shares(f"{other}/q/d1.html")["shape"]
    )


def test_an_address_made_like_all_others_is_worth_neither_more_nor_less():
    strategy = Apprentice(IRIS)
    visits = [seen(f"{HOST}/a{n}.html", links_to("/b.html", f"/a{n + 1}.html"), n, n % 2) for n in range(1, 30)]
    passed(strategy, *visits)
    shares = strategy.learner.shares(f"{HOST}/a30.html")
    assert abs(shares["shape"]) < 0.1
    assert abs(shares["shape answers"]) < 0.1


def test_relevant_siblings_lift_the_links_of_their_page():
    strategy = Apprentice(IRIS)
    one, other = [f"{HOST}/{n}.html" for n in range(10)], [f"{HOST}/{n}.htm" for n in range(10)]
    passed(strategy, seen(f"{HOST}/one", links_to(*one), 1), seen(f"{HOST}/other", links_to(*other), 2))
    for n in range(9):
        passed(strategy, seen(one[n], "<p>x</p>", 2 * n + 3, 0.9), seen(other[n], "<p>y</p>", 2 * n + 4, 0.0))
    given = passed(strategy, *(seen(f"{HOST}/z{n}", "<p>z</p>", n) for n in range(21, 41)))
    assert given[one[9]] > given[other[9]]


# ── how it explores ──


def test_while_nothing_is_relevant_it_leaves_a_host_for_others():
    strategy = Apprentice(IRIS)
    near = [f"http://near.example/{n}" for n in range(40)]
    passed(strategy, seen("http://portal.example/", links_to(near[0], "http://far.example/"), 1))
    passed(strategy, seen("http://near.example/", links_to(*near), 2))
    for n in range(18):
        given = passed(strategy, seen(near[n], f"<p>rain {n}</p>", n + 3))
    assert given["http://far.example/"] > max(each for url, each in given.items() if "near" in url)


def test_it_stays_where_relevant_pages_are():
    strategy = Apprentice(IRIS)
    near = [f"http://near.example/{n}" for n in range(40)]
    passed(strategy, seen("http://portal.example/", links_to(near[0], "http://far.example/"), 1))
    passed(strategy, seen("http://near.example/", links_to(*near), 2, 0.9))
    for n in range(18):
        given = passed(strategy, seen(near[n], f"<p>iris {n}</p>", n + 3, 0.9))
    assert given["http://far.example/"] < min(each for url, each in given.items() if "near" in url)


def test_hosts_behind_a_page_whose_links_were_dead_are_worth_less_than_those_behind_a_portal():
    strategy = Apprentice(IRIS)
    dead, alive = [f"http://d{n}.example/" for n in range(9)], [f"http://a{n}.example/" for n in range(9)]
    passed(strategy, seen(f"{HOST}/old", links_to(*dead), 1), seen(f"{HOST}/portal", links_to(*alive), 2))
    for n in range(8):
        passed(strategy, gone(dead[n], 2 * n + 3), seen(alive[n], "<p>rain</p>", 2 * n + 4))
    given = passed(strategy, seen(f"{HOST}/z", "<p>z</p>", 19), seen(f"{HOST}/y", "<p>y</p>", 20))
    assert given[alive[8]] > given[dead[8]] + 1


def test_a_host_is_worth_a_try_the_less_the_more_was_fetched_there():
    strategy = Apprentice(IRIS)
    near, far = [f"http://near.example/{n}" for n in range(30)], "http://far.example/"
    passed(strategy, seen("http://portal.example/", links_to(*near, far), 1))
    bonus = {}
    for n in range(20):
        passed(strategy, seen(near[n], f"<p>rain {n}</p>", n + 2))
        if n in {1, 18}:  # when urls are scored again
            bonus[n] = [strategy.learner.shares(url)["unknown host"] for url in (near[25], far)]
    assert bonus[1][0] > bonus[18][0], "it falls with each visit"
    assert bonus[18][1] > bonus[1][1], "and rises where others are visited meanwhile"


def test_where_no_other_host_answers_none_is_worth_a_try():
    strategy = Apprentice(IRIS)
    dead = [f"http://d{n}.example/" for n in range(12)]
    passed(strategy, seen(f"{HOST}/", links_to(*dead), 1))
    first = strategy.learner.shares(dead[11])["unknown host"]
    for n in range(11):
        passed(strategy, gone(dead[n], n + 2))
    assert strategy.learner.shares(dead[11])["unknown host"] < first / 3


def test_a_damaged_state_is_a_value_error_so_that_the_database_is_looked_at():
    strategy = Apprentice(IRIS)
    with pytest.raises(ValueError, match="not what was written"):
        strategy.load({"visit/1": bytes(50)})
    with pytest.raises(ValueError, match="not what was written"):
        strategy.load({"snapshot": b"nonsense"})


# ── its reasons ──


def test_the_parts_of_a_priority_add_up_to_it():
    strategy = Apprentice(IRIS)
    visit = seen(f"{HOST}/", links_to("/x", "/y", anchor="iris"), 1, 0.9)
    given = passed(strategy, visit)
    for link in visit.page.links:
        reasons = strategy.explain(visit, link)
        assert math.fsum(each.amount for each in reasons) == pytest.approx(given[link.target], abs=1e-9)
        assert {each.what for each in reasons} <= set(FEATURES)


def test_a_part_says_whether_it_is_of_the_pages_of_the_link_or_of_where_it_leads():
    places = [each for each in FEATURES if "host" in each or "shape" in each or "place" in each]
    assert {PLACES[each] for each in places} == {"place"}
    assert PLACES["sibling answers"] == PLACES["best page"] == "page"
    assert PLACES["anchor words"] == PLACES["menu"] == "link"
    assert PLACES["bias"] == "any link"


def test_the_parts_are_known_after_the_url_was_visited_and_after_a_crawl_went_on():
    strategy, parts = Apprentice(IRIS), {}
    visit = seen(f"{HOST}/", links_to("/x", anchor="iris"), 1, 0.9)
    given = {}
    for each in (visit, seen(f"{HOST}/x", "<p>iris</p>", 2, 0.9)):
        strategy.learn(each)
        given |= dict(
            zip((link.target for link in each.page.links), strategy.score(each, each.page.links), strict=True)
        )
        given |= dict(strategy.rerank())
        parts |= strategy.save()
    again = Apprentice(IRIS)
    again.load(parts)
    for one in (strategy, again):
        reasons = one.explain(visit, visit.page.links[0])
        assert math.fsum(each.amount for each in reasons) == pytest.approx(given[f"{HOST}/x"], abs=1e-9)


def test_of_a_url_that_it_never_met_it_says_nothing():
    visit = seen(f"{HOST}/", links_to("/x"), 1)
    assert Apprentice(IRIS).explain(visit, visit.page.links[0]) == ()


# ── what it keeps ──


def test_room_is_bounded_and_the_best_are_kept():
    strategy = Apprentice(IRIS, room=1000)
    passed(strategy, seen(f"{HOST}/", links_to("/best", anchor="iris eye"), 1, 0.9))
    for number in range(2, 8):
        urls = [f"/{number}/{n}.html" for n in range(400)]
        passed(strategy, seen(f"{HOST}/{number}", links_to(*urls, anchor="rain"), number))
    waiting = strategy.learner._waiting
    assert len(waiting.slots) <= 1000
    assert f"{HOST}/best" in waiting.slots


def test_a_page_of_more_links_than_there_is_room_for_is_scored_all_the_same():
    visit = seen(f"{HOST}/", links_to(*(f"/{n}" for n in range(3000))), 1)
    strategy = Apprentice(IRIS, room=1000)
    strategy.learn(visit)
    scores = strategy.score(visit, visit.page.links)
    assert len(scores) == 3000
    assert all(map(math.isfinite, scores))


async def test_it_takes_the_same_way_after_a_snapshot(monkeypatch):
    monkeypatch.setattr("thresher.strategy.apprentice._SNAPSHOT_EVERY", 7)
    # Some of the links are dead.
    pages = {f"/{n}": page("iris" if n % 3 else "rain", *(f"/{(n * k) % 70}" for k in range(2, 9))) for n in range(60)}
    pages["/"] = page("start", "/1", "/2", "/3")

    whole = await order_with_stops(pages, lambda: Apprentice(IRIS), [50])
    stopped = await order_with_stops(pages, lambda: Apprentice(IRIS), [5, 7, 8, 21, 30, 50])
    assert stopped == whole
    assert len(whole) > 40


def test_what_is_kept_after_a_snapshot_are_the_visits_since(monkeypatch):
    monkeypatch.setattr("thresher.strategy.apprentice._SNAPSHOT_EVERY", 3)
    strategy, parts = Apprentice(IRIS), {}
    for number in range(1, 6):
        strategy.learn(seen(f"{HOST}/{number}", "<p>iris</p>", number, 0.9))
        parts |= strategy.save()
        parts = {name: value for name, value in parts.items() if value}
    assert set(parts) == {"snapshot", "visit/1", "visit/2"}


def test_of_the_links_of_a_page_only_those_to_what_was_not_visited_are_kept():
    strategy, parts = Apprentice(IRIS), {}
    home, other = "http://a.example/", "http://a.example/x"
    passed_on(strategy, seen(home, links_to("/x", "/y"), 1), parts)
    passed_on(strategy, seen(other, links_to("/", "/y", "/z", "/x"), 2), parts)
    kept = [VisitRecord.from_bytes(parts[f"visit/{number}"]).targets for number in (1, 2)]
    assert kept == [[f"{home}x", f"{home}y"], [f"{home}y", f"{home}z"]]


def test_a_record_with_links_to_visited_pages_teaches_the_same_as_one_without():
    home, other = seen("http://a.example/", links_to("/x"), 1), seen("http://a.example/x", links_to("/", "/y"), 2)
    strategy, parts = Apprentice(IRIS), {}
    for visit in (home, other):
        passed_on(strategy, visit, parts)
    more = VisitRecord.from_bytes(parts["visit/2"])
    more.targets = [home.url, *more.targets]
    more.words, more.menus = more.words[[0, 0]], more.menus[[0, 0]]
    taught = []
    for record in (parts["visit/2"], more.to_bytes()):
        again = Apprentice(IRIS)
        again.load({**parts, "visit/2": record})
        taught.append(packed(again.learner.to_arrays()))
    assert taught[0] == taught[1]


def test_where_a_url_redirects_it_hands_on_what_is_known_of_it():
    strategy = Apprentice(IRIS)
    passed(strategy, seen(f"{HOST}/", links_to("/old", anchor="iris"), 1))
    moved = Response(Url(f"{HOST}/old"), 301, ((b"location", b"/new"),), b"", b"")
    passed(strategy, gone(f"{HOST}/old", 2, moved, "redirect"))
    assert f"{HOST}/new" in strategy.learner._waiting.slots
    assert f"{HOST}/old" not in strategy.learner._waiting.slots


def test_what_was_not_asked_for_teaches_nothing():
    strategy = Apprentice(IRIS)
    passed(strategy, seen(f"{HOST}/", links_to("/x", "/y"), 1))
    passed(strategy, gone(f"{HOST}/x", 2, Refused("robots"), "robots"))
    assert len(strategy.learner._weights.outcomes) == 0
    passed(strategy, gone(f"{HOST}/y", 3, Failed("timeout"), "timeout"))
    assert strategy.learner._weights.outcomes.tolist() == [0.0]


# ── its keys ──


@pytest.mark.parametrize("keys", [{"strength": -1}, {"middle": 2}, {"width": 0}, {"room": 10}])
def test_values_out_of_range_are_refused(keys):
    with pytest.raises(BadInput, match=next(iter(keys))):
        Apprentice(IRIS, **keys)


def test_weights_of_ones_own_are_read_and_wrong_ones_refused(tmp_path):
    own = tmp_path / "own.toml"
    table = dict(read_weights(SHIPPED)) | {"bias": 7.0}
    own.write_text("[weights]\n" + "".join(f"{json.dumps(name)} = {value}\n" for name, value in table.items()))
    given = passed(Apprentice(IRIS, weights=str(own)), seen(f"{HOST}/", links_to("/x"), 1))
    base = passed(Apprentice(IRIS), seen(f"{HOST}/", links_to("/x"), 1))
    assert given[f"{HOST}/x"] == pytest.approx(base[f"{HOST}/x"] + 7.0 - read_weights(SHIPPED)["bias"])
    (tmp_path / "few.toml").write_text("[weights]\nbias = 1.0\n")
    (tmp_path / "nan.toml").write_text(own.read_text().replace('bias" = 7.0', 'bias" = nan'))
    for name in ("few.toml", "nan.toml"):
        with pytest.raises(BadInput, match=r"a finite number for each of: bias, page"):
            Apprentice(IRIS, weights=str(tmp_path / name))
    with pytest.raises(BadInput, match="cannot be read"):
        Apprentice(IRIS, weights=str(tmp_path / "none.toml"))


def test_the_shipped_weights_say_what_they_were_fitted_on():
    text = SHIPPED.read_text("utf-8")
    assert all(f"{key} = " in text for key in ("name", "date", "fitted_on"))
    assert read_weights(SHIPPED)["media"] < -1
    assert set(NUMBER) == set(read_weights(SHIPPED))


# ── what a person says ──


def two_places(strategy, red=0.3, blue=0.3):
    """A crawl that saw two pages, each with a link; what these links are worth."""
    given = {}
    for visit in (
        seen(f"{HOST}/", links_to("/red/", "/blue/"), 1),
        seen(f"{HOST}/red/", f"<p>tulip bulbs</p>{links_to('/red/1')}", 2, red),
        seen(f"{HOST}/blue/", f"<p>radio valves</p>{links_to('/blue/1')}", 3, blue),
    ):
        given |= passed(strategy, visit)
    return given


def labelled(path, text, *, relevant):
    return LabelledPage(seen(f"{HOST}{path}", f"<p>{text}</p>", 1).page, relevant)


def test_a_label_moves_what_waits_at_once():
    strategy = Apprentice(IRIS)
    before = two_places(strategy)
    said = [labelled("/red/", "tulip bulbs", relevant=False), labelled("/blue/", "radio valves", relevant=True)]
    after = dict(strategy.heed(said))
    assert after[f"{HOST}/red/1"] < before[f"{HOST}/red/1"]
    assert after[f"{HOST}/blue/1"] > before[f"{HOST}/blue/1"]


def test_a_label_weighs_more_than_the_word_of_the_judge():
    strategy = Apprentice(IRIS)
    before = two_places(strategy, red=1.0, blue=0.0)
    assert before[f"{HOST}/red/1"] > before[f"{HOST}/blue/1"]
    said = [labelled("/red/", "tulip bulbs", relevant=False), labelled("/blue/", "radio valves", relevant=True)]
    after = dict(strategy.heed(said))
    assert after[f"{HOST}/red/1"] < after[f"{HOST}/blue/1"]


def test_a_label_that_was_heeded_before_moves_nothing_and_one_that_was_changed_does():
    strategy = Apprentice(IRIS)
    two_places(strategy)
    strategy.heed([labelled("/red/", "tulip bulbs", relevant=True)])
    assert list(strategy.heed([labelled("/red/", "tulip bulbs", relevant=True)])) == []
    assert list(strategy.heed([labelled("/red/", "tulip bulbs", relevant=False)])) != []


def test_a_place_that_was_forgotten_and_noted_anew_has_no_less_than_nothing():
    table, place, on_its_row = PlaceTable(), (7, 7, 7, 7), (7 + 2**16,) * 4
    for each, relevance in ((place, 1.0), (on_its_row, 0.0), (place, 0.0)):
        table.note(each, relevance, answered=True)
    table.add(place, -1.0)
    assert table.of(np.array([place], np.uint32)).tolist() == [[[1.0]] * 4, [[0.0]] * 4, [[1.0]] * 4]
    table.add(place, 3.0)
    assert table.of(np.array([place], np.uint32)).tolist() == [[[1.0]] * 4] * 3


@pytest.mark.parametrize("snapshots", [1, 1000])
def test_a_crawl_that_goes_on_knows_the_labels_it_heeded(monkeypatch, snapshots):
    monkeypatch.setattr("thresher.strategy.apprentice._SNAPSHOT_EVERY", snapshots)
    strategy, parts = Apprentice(IRIS), {}
    for visit in (
        seen(f"{HOST}/", links_to("/red/", "/blue/"), 1),
        seen(f"{HOST}/red/", f"<p>tulip bulbs</p>{links_to('/red/1')}", 2, 0.3),
    ):
        passed_on(strategy, visit, parts)
    label = labelled("/red/", "tulip bulbs", relevant=True)
    strategy.heed([label])
    keep(strategy, parts)
    again = Apprentice(IRIS)
    again.load(parts)
    assert list(again.heed([label])) == []
    following = seen(f"{HOST}/blue/", f"<p>tulip valves</p>{links_to('/blue/1', '/red/1')}", 3, 0.3)
    assert passed(again, following) == passed(strategy, following)


def passed_on(strategy, visit, parts):
    strategy.learn(visit)
    strategy.score(visit, visit.page.links)
    list(strategy.rerank())
    keep(strategy, parts)


def keep(strategy, parts):
    parts |= strategy.save()
    for name in [name for name, value in parts.items() if not value]:
        del parts[name]
