"""A round of judging anew while it is made: judgements are added in batches, and nobody sees them until the round is put in force.

A round that was interrupted, or was not put in force, goes on if the same is asked for again; otherwise it is thrown away.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha1
from typing import Any, NamedTuple

from thresher.disk.found_rows import Read, has_table
from thresher.disk.tables import Tables, make_tables
from thresher.model import Judgement, Url
from thresher.store.duplicates import Fingerprint
from thresher.store.labels import HandLabel
from thresher.store.rows import evidence_text

_UNDER_WAY = "SELECT number, judge, learn, labels FROM rejudging WHERE done IS NULL ORDER BY number DESC LIMIT 1"
_BEGIN = "INSERT INTO rejudging (begun, judge, learn, labels) VALUES (?, ?, ?, ?)"
_INSERT = """
    INSERT INTO rejudgement (round, visit, look, relevance, relevant, evidence, simhash, base, said)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (round, visit, look) DO UPDATE SET
        relevance = excluded.relevance, relevant = excluded.relevant, evidence = excluded.evidence, simhash = excluded.simhash,
        base = excluded.base, said = excluded.said, near = NULL, learnt = NULL
"""
# Copies teach nothing that the first of them does not.
_BASES = """
    SELECT anew.visit, anew.look, anew.base, anew.said FROM rejudgement AS anew JOIN visit ON visit.number = anew.visit
    WHERE anew.round = ? AND duplicate_of IS NULL ORDER BY anew.visit, anew.look
"""
_UNLEARNT = """
    SELECT visit, look FROM rejudgement WHERE round = ? AND (visit, look) > (?, ?) AND learnt IS NULL ORDER BY visit, look LIMIT ?
"""
# The page in the n-th place by the classifier gets what the judge said of the one in its own n-th place.
_RANKED = """
    WITH learnt AS (SELECT visit, look, row_number() OVER (ORDER BY learnt DESC NULLS LAST, visit, look) AS place
                    FROM rejudgement WHERE round = ?1),
         judged AS (SELECT base, said, row_number() OVER (ORDER BY said DESC NULLS LAST, base DESC NULLS LAST, visit, look) AS place
                    FROM rejudgement WHERE round = ?1)
    SELECT base, said, ?1, visit, look FROM learnt JOIN judged USING (place)
"""
_RANK = "UPDATE rejudgement SET relevance = ?, relevant = ? WHERE round = ? AND visit = ? AND look = ?"
_MARKED = """
    SELECT anew.visit, anew.simhash FROM rejudgement AS anew JOIN visit ON visit.number = anew.visit
    WHERE anew.round = ? AND anew.look = 0 AND anew.relevant AND anew.simhash IS NOT NULL AND duplicate_of IS NULL
    ORDER BY anew.visit
"""
_BANDS = "CREATE TEMP TABLE IF NOT EXISTS new_band (key bigint, number bigint, simhash bigint, PRIMARY KEY (key, number)) WITHOUT ROWID"
# By the labels and judgements in force, against those of the round.
_CHANGED = """
    FROM rejudgement AS anew JOIN current ON current.number = anew.visit AND anew.look = coalesce(current.version, 0)
    WHERE anew.round = ?1 AND current.hand IS NULL AND current.duplicate_of IS NULL AND anew.relevant = ?2
        AND coalesce(current.relevant, FALSE) <> ?2
"""
_COUNTED = f"SELECT count(*) {_CHANGED}"
_EXAMPLES = f"""
    SELECT current.url, coalesce(current.title, ''), coalesce(current.relevance, 0.0), anew.relevance {_CHANGED}
    ORDER BY iif(?2, -anew.relevance, anew.relevance), current.number LIMIT ?3
"""
_HARVEST = """
    SELECT count(*) FILTER (WHERE anew.relevant AND anew.near IS NULL AND duplicate_of IS NULL)
    FROM rejudgement AS anew JOIN visit ON visit.number = anew.visit WHERE round = ? AND look = 0
"""


class PageVersion(NamedTuple):
    """A page as it was kept first, or as a later look saw it."""

    visit: int
    look: int = 0
    """The number of the look; 0 for the page as it was kept first."""


class NewJudgement(NamedTuple):
    """What a round says of a page."""

    version: PageVersion
    judgement: Judgement
    mark: Fingerprint | None


class BaseJudgement(NamedTuple):
    """What the judge says, before a classifier has learnt from it."""

    version: PageVersion
    relevance: float
    relevant: bool


class ChangedPage(NamedTuple):
    """A page that the round judges otherwise than it is judged now."""

    url: Url
    title: str
    before: float
    after: float


class PendingRound:
    """A round that is not in force."""

    def __init__(self, tables: Tables, number: int) -> None:
        self._tables, self.number = tables, number

    def latest(self) -> PageVersion:
        """How far it is: the last visit that was judged, and the last look."""
        asked = "SELECT coalesce(max(visit) FILTER (WHERE look = 0), 0), coalesce(max(look), 0) FROM rejudgement WHERE round = ?"
        return PageVersion(*self._tables.read(asked, (self.number,)).fetchone())

    def words(self) -> bytes | None:
        """What was counted of words so far."""
        found: bytes | None = self._tables.read(
            "SELECT words FROM rejudging WHERE number = ?", (self.number,)
        ).fetchone()[0]
        return found

    def add(self, batch: Iterable[NewJudgement], words: bytes | None) -> None:
        """Keep a batch, with the words counted so far if the round learns. It is safe from kill -9 when this returns."""
        self._tables.write_many(_INSERT, [self._row(each, learn=words is not None) for each in batch])
        if words is not None:
            self._tables.write("UPDATE rejudging SET words = ? WHERE number = ?", (words, self.number))
        self._tables.commit()

    def _row(self, each: NewJudgement, *, learn: bool) -> tuple[Any, ...]:
        said, base = each.judgement, (each.judgement.relevance, each.judgement.relevant)
        mark = each.mark and each.mark.simhash
        return (
            self.number,
            *each.version,
            said.relevance,
            said.relevant,
            evidence_text(said),
            mark,
            *(base if learn else (None, None)),
        )

    def forget_learnt(self) -> None:
        """Forget what the classifier said: there are new examples."""
        self._tables.write(
            "UPDATE rejudgement SET learnt = NULL WHERE round = ? AND learnt IS NOT NULL", (self.number,)
        )

    def bases(self) -> list[BaseJudgement]:
        """What the judge said of all pages but copies, in order."""
        rows = self._tables.read(_BASES, (self.number,))
        return [BaseJudgement(PageVersion(visit, look), base, bool(said)) for visit, look, base, said in rows]

    def unlearnt(self, after: PageVersion, limit: int) -> list[PageVersion]:
        """The next pages that the classifier has not seen; to look from the first one each time would take ever longer."""
        return [PageVersion(*row) for row in self._tables.read(_UNLEARNT, (self.number, *after, limit))]

    def count(self, *, learnt: bool | None = None) -> int:
        """How many judgements it has; of pages that the classifier has seen, has not seen, or of all."""
        asked = """
            SELECT count(*) FROM rejudgement
            WHERE round = ?1 AND (CAST(?2 AS boolean) IS NULL OR (learnt IS NOT NULL) = CAST(?2 AS boolean))
        """
        return int(self._tables.read(asked, (self.number, learnt)).fetchone()[0])

    def put_learnt(self, found: Mapping[PageVersion, float]) -> None:
        """Keep what the classifier says of pages."""
        change = "UPDATE rejudgement SET learnt = ? WHERE round = ? AND visit = ? AND look = ?"
        self._tables.write_many(change, [(value, self.number, *version) for version, value in found.items()])
        self._tables.commit()

    def rank(self) -> None:
        """Give the judge's relevances to the pages in the order of the classifier."""
        self._tables.write_many(_RANK, self._tables.read(_RANKED, (self.number,)).fetchall())
        self._tables.commit()

    def find_twins(self) -> None:
        """Find out which relevant pages nearly repeat an earlier relevant one, as the store of a crawl does."""
        tables = self._tables
        tables.write(_BANDS)
        tables.write("DELETE FROM temp.new_band")
        tables.write("UPDATE rejudgement SET near = NULL WHERE round = ? AND near IS NOT NULL", (self.number,))
        for visit, simhash in tables.read(_MARKED, (self.number,)).fetchall():
            self._compare(visit, Fingerprint.of(simhash))
        tables.commit()

    def _compare(self, visit: int, mark: Fingerprint) -> None:
        alike = self._tables.read("SELECT number, simhash FROM temp.new_band WHERE key IN (?, ?, ?, ?)", mark.bands)
        near = min((number for number, simhash in alike if mark.is_near(simhash)), default=None)
        if near is None:
            rows = [(key, visit, mark.simhash) for key in mark.bands]
            self._tables.write_many("INSERT INTO temp.new_band (key, number, simhash) VALUES (?, ?, ?)", rows)
        else:
            change = "UPDATE rejudgement SET near = ? WHERE round = ? AND visit = ? AND look = 0"
            self._tables.write(change, (near, self.number, visit))

    def put_in_force(self, now: float) -> None:
        """From now on whoever reads the crawl sees these judgements."""
        self._tables.write("UPDATE rejudging SET done = ?, words = NULL WHERE number = ?", (now, self.number))
        self._tables.commit()


def pending_round(
    tables: Tables, judge: Mapping[str, Any], said: Sequence[HandLabel], now: float, *, learn: bool
) -> PendingRound:
    """The round that does what is asked: an unfinished one, or a new one."""
    if not has_table(tables.read, "rejudging"):
        make_tables(tables, "store_rejudgements")
    asked = json.dumps(judge, sort_keys=True), learn, sha1(repr(said).encode(), usedforsecurity=False).digest()
    row = tables.read(_UNDER_WAY).fetchone()
    if row and row[1:] == asked:
        return PendingRound(tables, row[0])
    if row:
        tables.write("DELETE FROM rejudgement WHERE round = ?", row[:1])
        tables.write("DELETE FROM rejudging WHERE number = ?", row[:1])
    tables.write(_BEGIN, (now, *asked))
    tables.commit()
    return PendingRound(tables, tables.read(_UNDER_WAY).fetchone()[0])


def count_changed(read: Read, number: int, *, relevant: bool) -> int:
    """How many pages a round would make relevant, or no longer so. Labels stay, and copies are not counted."""
    return int(read(_COUNTED, (number, relevant)).fetchone()[0])


def changed_pages(read: Read, number: int, limit: int, *, relevant: bool) -> list[ChangedPage]:
    """Some of them, the clearest first: of those that become relevant the most relevant, of the others the least."""
    return [ChangedPage(*row) for row in read(_EXAMPLES, (number, relevant, limit))]


def harvest_of_round(read: Read, number: int) -> int:
    """How many relevant pages it finds that repeat no other."""
    return int(read(_HARVEST, (number,)).fetchone()[0])
