"""A round of judging anew, while it is made."""

from contextlib import closing

import pytest

from thresher.disk.ledger import Ledger
from thresher.model import Judgement
from thresher.store import pending_round
from thresher.store.pending_round import NewJudgement, PageVersion

VERSIONS = [PageVersion(1), PageVersion(2), PageVersion(2, 5), PageVersion(3)]


@pytest.fixture
def ledger(tmp_path):
    with closing(Ledger(tmp_path / "crawl.sqlite")) as opened:
        yield opened


@pytest.fixture
def pending(ledger):
    made = pending_round.pending_round(ledger, {"name": "terms"}, [], 0.0, learn=True)
    made.add([NewJudgement(each, Judgement(0.5, relevant=True), None) for each in VERSIONS], b"")
    return made


def test_pages_that_the_classifier_has_not_seen_come_in_order_and_each_once(pending):
    assert pending.unlearnt(PageVersion(0), 3) == VERSIONS[:3]
    assert pending.unlearnt(VERSIONS[2], 3) == VERSIONS[3:]
    pending.put_learnt({VERSIONS[0]: 0.1, VERSIONS[2]: 0.2})
    assert pending.unlearnt(PageVersion(0), 3) == [VERSIONS[1], VERSIONS[3]]


def test_to_find_them_nothing_is_scanned_or_sorted(pending, ledger):
    asked = pending_round._UNLEARNT.replace("?", "1")
    plan = " | ".join(row[3] for row in ledger.read(f"EXPLAIN QUERY PLAN {asked}"))
    assert "(visit,look)>" in plan
    assert "TEMP B-TREE" not in plan
