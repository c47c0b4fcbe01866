"""Judge pages in other languages by what they say in English: any judge, behind a transcriptor.

A page about the topic in Hindi has none of its words. So the judge is shown the page as it was read: title, headings and text with what
their words mean (Kumar and Vig 2010 do so with context links; that pages count too is their central claim). Evidence has both: the word
as it was read, and the words as they stood. A page without anything to read is judged as it is.
"""

from dataclasses import replace

from thresher.language.transcribed_evidence import with_sources
from thresher.language.transcriptor import Transcriptor
from thresher.model import Judgement, Page
from thresher.ports import Judge


class TranscribedJudge:
    """Another judge, which is shown pages as a transcriptor reads them."""

    def __init__(self, judge: Judge, transcriptor: Transcriptor) -> None:
        self._judge, self._transcriptor = judge, transcriptor
        if hasattr(judge, "threshold"):
            self.threshold = judge.threshold

    def judge(self, page: Page) -> Judgement:
        """Judge one page."""
        read = self._transcriptor.page(page)
        said = self._judge.judge(read.page)
        return replace(said, evidence=with_sources(said.evidence, read.zones)) if read.zones else said
