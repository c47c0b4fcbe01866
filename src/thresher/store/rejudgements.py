"""Judgements made anew: rounds of them, and the one that is in force for whoever reads the crawl.

A round judges all kept pages. Until it is put in force nobody sees it, and afterwards the crawl's own judgements are still there. On a
connection that reads, `show_rejudged` puts temporary views in front of the tables `visit` and `revisit` and the view `entry`, with the
judgements in force and a column `judged`, the number of the round. So all questions of this room see them without a change, while the
process that crawls, which has no such views, sees the judgements that it made. A page that came after a round has the crawl's judgement.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from thresher.disk.found_rows import Read, Readable, columns_of, has_table
from thresher.model import Judgement
from thresher.store.rows import judgement_of
from thresher.store.visits import named_rows

_ROUNDS = "SELECT number, done, judge, learn FROM rejudging WHERE done IS NOT NULL ORDER BY number"
_EVIDENCE = """
    iif(anew.learnt IS NULL, anew.evidence,
        iif(anew.evidence IS NULL, '[', substr(anew.evidence, 1, length(anew.evidence) - 1) || ',')
            || '["learnt from the crawl","judge",' || anew.learnt || ']]')
"""
_ANEW = {
    "relevant": "anew.relevant",
    "relevance": "anew.relevance",
    "evidence": _EVIDENCE,
    "simhash": "anew.simhash",
    "near": "anew.near",
    "fresh": "anew.relevant AND kept.duplicate_of IS NULL AND anew.near IS NULL",
}
"""The columns of a visit that a round gives anew."""
ANEW_OF_LOOK = {**{name: _ANEW[name] for name in ("relevant", "relevance", "evidence")}, "fresh": "anew.relevant"}
"""The same of a look."""
_SHOWN = """
    CREATE TEMP VIEW {table} AS SELECT {columns}, anew.round AS judged FROM main.{table} AS kept
    LEFT JOIN main.rejudgement AS anew ON anew.round = {round} AND anew.visit = {visit} AND anew.look = {look}
"""
# As the schema has it, but twins are read from the table itself: only their urls and records are wanted.
_ENTRY = """
    CREATE TEMP VIEW entry AS
    SELECT visit.*, first.file AS first_file, first."offset" AS first_offset, first.length AS first_length,
           first.url AS first_url, twin.url AS near_url
    FROM visit
    LEFT JOIN main.visit AS first ON first.number = visit.duplicate_of
    LEFT JOIN main.visit AS twin ON twin.number = visit.near
"""
_OWN = "SELECT relevance, relevant, evidence FROM main.visit WHERE number = ?"
_SAID = f"""
    SELECT round, relevance, relevant, {_EVIDENCE} AS evidence FROM rejudgement AS anew
    WHERE round = ? AND visit = ? AND look = 0
"""  # noqa: S608 - all of it is our own


class JudgingRound(NamedTuple):
    """A round of judging anew that came into force."""

    number: int
    done: float
    judge: Mapping[str, Any]
    """Its table, as a crawl file has it."""
    learn: bool

    def __str__(self) -> str:
        return judge_words(self.judge, learn=self.learn)


class PastJudgement(NamedTuple):
    """What was said of a page, and by which round; without one, by the crawl."""

    round: JudgingRound | None
    judgement: Judgement

    def by(self, crawl: Mapping[str, Any]) -> str:
        """The judge in words; `crawl` is the table of the crawl's own."""
        return str(self.round) if self.round else judge_words(crawl)


def judge_names(judge: Mapping[str, Any]) -> str:
    """Who judges, by name: those that are combined, as *combine* tells nobody who they are.

    >>> judge_names({"name": "combine", "judges": [{"name": "concepts", "raw": True}, "sense"]})
    'concepts and sense'
    """
    return " and ".join(judge_names(each) for each in _combined(judge)) or str(judge["name"])


def _combined(judge: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The judges that a judge is made of."""
    return [{"name": each} if isinstance(each, str) else each for each in judge.get("judges", ())]


def judge_words(judge: Mapping[str, Any], *, learn: bool = False) -> str:
    """A judge as a person would name it on the command line.

    >>> judge_words({"name": "terms", "threshold": 0.4}, learn=True)
    'terms:threshold=0.4, learnt from the crawl'
    >>> judge_words({"name": "combine", "judges": [{"name": "concepts", "raw": True}, "sense"], "how": "mean"})
    'combine:how=mean of concepts:raw=true and sense'
    """
    keys = ",".join(
        f"{key}={str(value).lower() if isinstance(value, bool) else value}"
        for key, value in sorted(judge.items())
        if key not in {"name", "judges"}
    )
    inner = [judge_words(each) for each in _combined(judge)]
    of = f" of {' and '.join(inner)}" if inner else ""
    return f"{judge['name']}{':' * bool(keys)}{keys}{of}{', learnt from the crawl' * learn}"


def rounds(read: Read) -> list[JudgingRound]:
    """The rounds that came into force, in order; the last of them is in force."""
    if not has_table(read, "rejudging"):
        return []
    return [JudgingRound(number, done, json.loads(judge), bool(learn)) for number, done, judge, learn in read(_ROUNDS)]


def round_in_force(read: Read) -> JudgingRound | None:
    """The round whose judgements hold; None if those of the crawl do."""
    return next(reversed(rounds(read)), None)


def first_judgement(read: Read, number: int) -> Judgement | None:
    """What the crawl said of the page of a visit; None if it judged none."""
    return judgement_of(next(named_rows(read, _OWN, number)))


def judgements_of(read: Read, number: int) -> list[PastJudgement]:
    """All that was said of a page as it was kept first: by the crawl, then by each round."""
    own = first_judgement(read, number)
    return ([PastJudgement(None, own)] if own else []) + [
        PastJudgement(each, said)
        for each in rounds(read)
        for row in named_rows(read, _SAID, each.number, number)
        if (said := judgement_of(row))
    ]


def show_rejudged(catalogue: Readable) -> JudgingRound | None:
    """Let a connection see the judgements in force; returns their round, or None if they are the crawl's."""
    latest = round_in_force(catalogue.execute)
    if latest is None:
        return None
    catalogue.execute(_shown(catalogue, "visit", _ANEW, latest.number, "kept.number", "0"))
    catalogue.execute(_ENTRY)
    if has_table(catalogue.execute, "revisit"):
        catalogue.execute(_shown(catalogue, "revisit", ANEW_OF_LOOK, latest.number, "kept.visit", "kept.number"))
    return latest


def _shown(  # noqa: PLR0913, PLR0917 - the pieces of one statement
    catalogue: Readable, table: str, anew: Mapping[str, str], number: int, visit: str, look: str
) -> str:
    columns = ", ".join(
        f"iif(anew.round IS NULL, kept.{name}, {anew[name]}) AS {name}"
        if name in anew
        else f'kept."{name}" AS "{name}"'
        for name in columns_of(catalogue.execute, f"main.{table}")
    )
    return _SHOWN.format(table=table, columns=columns, round=number, visit=visit, look=look)


def judged_in(read: Read, schema: str) -> str:
    """SQL that selects number, relevant and relevance of all visits, as they are today, from a catalogue attached under that name."""
    latest, looks = round_in_force(read), has_table(read, "revisit")
    joins, relevant, relevance = "", "page.relevant", "page.relevance"
    if looks:
        changed = f"SELECT max(number) FROM {schema}.revisit WHERE visit = page.number AND found = 'changed'"  # noqa: S608 - as below
        joins += f" LEFT JOIN {schema}.revisit AS look ON look.number = ({changed})"
        relevant, relevance = (
            f"iif(look.number IS NULL, page.{name}, look.{name})" for name in ("relevant", "relevance")
        )
    if latest is not None:
        version = "coalesce(look.number, 0)" if looks else "0"
        joins += (
            f" LEFT JOIN {schema}.rejudgement AS anew ON anew.round = {latest.number} AND anew.visit = page.number"
            f" AND anew.look = {version}"
        )
        relevant, relevance = f"coalesce(anew.relevant, {relevant})", f"coalesce(anew.relevance, {relevance})"
    names = f"page.number AS number, {relevant} AS relevant, {relevance} AS relevance"
    return f"SELECT {names} FROM {schema}.visit AS page{joins}"  # noqa: S608 - names of our own
