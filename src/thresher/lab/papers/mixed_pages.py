"""Pages of the multilingual experiment as a judge sees them: how many of the mixed ones on topic it finds, read in several ways."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from thresher.judge.terms import TermsJudge
from thresher.judge.transcribed import TranscribedJudge
from thresher.lab.papers.mixed_webs import KEYWORDS, OWN, TARGET, TOPIC, MixedWeb, on_target, sources
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.vocabulary import dictionary
from thresher.lab.webs.web_pages import WebPages
from thresher.language import words
from thresher.language.sentence_transcriptor import SentenceTranscriptor
from thresher.language.transcriptor import Transcriptor
from thresher.language.word_transcriptor import WordTranscriptor
from thresher.model import Page
from thresher.parse.html import HtmlParser
from thresher.ports import Judge
from thresher.topic import Topic
from thresher.urls import canonical

ENGLISH = "the same pages in English"
TRANSLATED = "a translator that makes no mistake"


class OwnTranslator:
    """Translates what a generated web says by the very words that it was written with, as no model could do better."""

    def __init__(self) -> None:
        self._dictionaries = {code: dictionary(code) for code in ("hi", "de")}

    def translate(self, texts: Sequence[str], language: str) -> Sequence[str]:
        """The best meaning of each word, in order; phrases of up to four words are looked up whole."""
        return [" ".join(self._said(words(text), language)) for text in texts]

    def _said(self, text: list[str], language: str) -> Iterator[str]:
        at = 0
        while at < len(text):
            lengths = range(min(4, len(text) - at), 0, -1)
            phrases = ((length, " ".join(text[at : at + length])) for length in lengths)
            known = ((length, self._dictionaries[language].get(phrase)) for length, phrase in phrases)
            length, found = next(((length, found) for length, found in known if found), (1, (text[at],)))
            yield found[0]
            at += length


class PageReader(NamedTuple):
    """A way to read pages."""

    name: str
    transcriptor: Transcriptor | None

    @property
    def how(self) -> str:
        """Whether it adds to the words or replaces them."""
        return self.transcriptor.how if self.transcriptor else "-"


def readers(language: str) -> Iterator[PageReader]:
    """Nothing, each dictionary in both ways, and sentences."""
    yield PageReader("none", None)
    for source in sources(language):
        found = (
            WordTranscriptor({language: dictionary(language)})
            if source == OWN
            else WordTranscriptor.installed((language,))
        )
        yield PageReader(source, found)
        yield PageReader(source, found.by("replace"))
    yield PageReader(TRANSLATED, SentenceTranscriptor(OwnTranslator(), [language], how="replace"))


class JudgedShares(NamedTuple):
    """Of the mixed pages, how many were judged relevant."""

    on_topic: float
    others: float


def judged(webs: Iterable[MixedWeb], twins: Iterable[MixedWeb], language: str) -> dict[PageReader, JudgedShares]:
    """What `terms` says of all mixed pages, by how they are read; last the same pages in English."""
    base = TermsJudge(Topic.of(f"{TOPIC} {TARGET}, {KEYWORDS[1]}"))
    ways = {
        each: TranscribedJudge(base, each.transcriptor) if each.transcriptor else base for each in readers(language)
    }
    plain = PageReader(ENGLISH, None)
    said: dict[PageReader, list[tuple[bool, bool]]] = {each: [] for each in (*ways, plain)}
    for web, twin in zip(webs, twins, strict=True):
        made, english = generate(**web.making), generate(**twin.making)
        wanted = frozenset(on_target(made))
        for number in filter(made.atlas.is_mixed, range(web.size)):
            for way, judge in ways.items():
                said[way].append((number in wanted, _relevant(judge, made, number)))
            said[plain].append((number in wanted, _relevant(base, english, number)))
    return {way: JudgedShares(_share(found, wanted=True), _share(found, wanted=False)) for way, found in said.items()}


def _relevant(judge: Judge, web: GeneratedWeb, number: int) -> bool:
    return judge.judge(page_of(web, number)).relevant


def _share(found: Sequence[tuple[bool, bool]], *, wanted: bool) -> float:
    verdicts = [verdict for is_so, verdict in found if is_so == wanted]
    return sum(verdicts) / len(verdicts) if verdicts else 0.0


def page_of(web: GeneratedWeb, number: int) -> Page:
    """A page of a generated web, as a crawl reads it."""
    url = canonical(web.url(number))
    response = WebPages(web).read(url) if url else None
    if response is None:
        raise LookupError(f"the generated web has no page {number}")
    return HtmlParser(hidden=False).parse(response)
