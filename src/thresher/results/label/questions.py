"""Which pages a person is asked about, and what is shown of them. Nothing is written here, so a crawl may run meanwhile."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from thresher.disk.found_rows import Row
from thresher.errors import BadInput
from thresher.judge.by_hand import Scored, calibrated
from thresher.model import Evidence, Page, Url
from thresher.ports import Judge
from thresher.results.archive import Archive
from thresher.results.label.scores import configured_judge
from thresher.results.plain_text import one_line, paragraphs, short_title
from thresher.results.sightings import TopicWordsSought
from thresher.settings import Settings
from thresher.store.current import by_hand, current_page, pages_nearest
from thresher.store.labels import labels
from thresher.store.rejudgements import JudgingRound
from thresher.urls import canonical

_LENGTH = 300
_BEFORE = 80
"""Characters of a snippet, and how many of them come before the strongest word."""
_PART = 1200
"""Characters of a part of the text: about fifteen lines of a terminal."""
_HALF = 0.5


class Question(NamedTuple):
    """A page to be judged by a person."""

    url: Url
    title: str
    snippet: str
    relevance: float
    relevant: bool
    """What the judge said of it."""
    evidence: tuple[Evidence, ...]
    gone: float | None = None
    """When it was found to be gone, if it is."""
    text: str = ""
    """All of its text, each line safe to be shown."""
    missing: tuple[str, ...] = ()
    """Words of the topic that the judge looked for and did not find."""

    def parts(self) -> list[str]:
        """The text from its beginning, in parts that fit on a screen, each cut at a blank."""
        return _cut(self.text)


def usual_threshold(archive: Archive, judge: Judge | None = None) -> float:
    """The threshold of the judge whose relevances the pages have, before any label; the judge is made if none is given."""
    if archive.judged is not None:
        judge = _judge_of(archive.judged, archive.settings)
    return getattr(judge or configured_judge(archive.settings), "threshold", _HALF)


class PageQuestions:
    """The pages of a crawl that a person can be asked about."""

    def __init__(self, archive: Archive, threshold: float) -> None:
        """Ask about pages near the threshold; the labels move it."""
        self._archive, self._usual = archive, threshold
        self._sought = TopicWordsSought(archive)

    def asked(self) -> dict[Url, float]:
        """The pages that somebody was asked about, and when."""
        return {label.url: label.at for label in labels(self._archive.read)}

    def several(self, count: int) -> Iterator[Question]:
        """Up to so many pages that nobody was asked about in their present version, those nearest to the threshold first.

        The threshold moves with each answer. Copies and pages that are gone are left out.
        """
        asked = self.asked()
        for _ in range(count):
            question = self.nearest(asked)
            if question is None:
                return
            asked[question.url] = math.inf
            yield question

    def nearest(self, asked: Mapping[Url, float]) -> Question | None:
        """The page nearest to the threshold of those that are not among the asked; None if there is none left."""
        for row in pages_nearest(self._archive.read, self._threshold()):
            if not _was_asked(row, asked) and (question := self._question(row)) is not None:
                return question
        return None

    def _threshold(self) -> float:
        """The threshold by the labels so far. If it were fixed, the person might be asked about pages of one kind only."""
        said = [each for each in by_hand(self._archive.read) if each.relevance is not None]
        return calibrated([Scored(each.relevance or 0.0, each.relevant) for each in said], self._usual)

    def of(self, url: str) -> Question:
        """One page in its present version, even if it was asked about before."""
        wanted = canonical(url)
        row = current_page(self._archive.read, wanted) if wanted else None
        found = self._question(row) if row else None
        if found is None:
            raise BadInput(f"{url} is not a page of {self._archive.folder.path}: thresher show lists what is there")
        return found

    def _question(self, row: Row) -> Question | None:
        visit = self._archive.visit_of(row)
        page, judgement = visit.page, visit.judgement
        if page is None or judgement is None:
            return None
        return Question(
            visit.url,
            short_title(one_line(page.title)),
            _snippet(page, judgement.evidence),
            judgement.relevance,
            judgement.relevant,
            judgement.evidence,
            row["gone"],
            paragraphs(page.main or page.text),
            self._sought.missing(judgement),
        )


def _judge_of(judged: JudgingRound, settings: Settings) -> Judge:
    """The judge whose relevances the pages have: its threshold is another than that of the crawl's."""
    return configured_judge(replace(settings, judge=dict(judged.judge)))


def _was_asked(row: Row, asked: Mapping[Url, float]) -> bool:
    """Whether somebody was asked about this version of a page."""
    return row["url"] in asked and (row["version"] is None or asked[row["url"]] >= row["at"])


def _snippet(page: Page, evidence: tuple[Evidence, ...]) -> str:
    """The text around the strongest evidence; the beginning of the text if there is none."""
    text = one_line(page.main or page.text)
    lowered = text.lower()
    best = sorted(
        (each for each in evidence if each.where == "text" and each.amount > 0), key=lambda each: -each.amount
    )
    places = [lowered.find(each.what.partition(" (")[0].lower()) for each in best]
    start = max(0, next((place for place in places if place >= 0), 0) - _BEFORE)
    # From the beginning of a word on.
    start = text.find(" ", start) + 1 if start else 0
    end = start + _LENGTH
    if end < len(text) and (blank := text.rfind(" ", start, end + 1)) > start:
        end = blank  # to the end of a word
    return f"{'… ' * bool(start)}{text[start:end].rstrip()}{' …' * (end < len(text))}"


def _cut(text: str) -> list[str]:
    parts, start = list[str](), 0
    while start < len(text):
        end = start + _PART
        if end < len(text):
            # At the last blank or line end; a word longer than a part is cut anywhere.
            end = 1 + max(text.rfind(" ", start, end), text.rfind("\n", start, end)) or end
        parts.append(text[start:end].strip())
        start = end
    return parts
