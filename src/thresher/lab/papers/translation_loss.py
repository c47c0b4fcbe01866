"""What a page loses when its terms are in another language, and what a dictionary gives back.

Webs of one number have the same pages on the same topics whatever their share of mixed ones, so that every mixed page has a twin.
"""

from collections.abc import Iterable, Sequence

from thresher.lab.papers.mixed_webs import OWN, MixedWeb, importances, on_target
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.vocabulary import dictionary
from thresher.lab.webs.web_pages import WebPages
from thresher.language.transcriptor import Transcriptor
from thresher.model import Page
from thresher.parse.html import HtmlParser
from thresher.topic.link_text import contexts
from thresher.topic.scoring import Weigher
from thresher.urls import canonical


def given_back(webs: Iterable[MixedWeb], twins: Iterable[MixedWeb], source: str = "") -> float:
    """The OBRS of all links on mixed pages about the topic, as a share of what the same pages have in English."""
    weigher = Weigher(importances())
    worth = twin_worth = 0.0
    for web, twin in zip(webs, twins, strict=True):
        made, english = generate(**web.making), generate(**twin.making)
        numbers = [number for number in on_target(made) if made.atlas.is_mixed(number)]
        transcriptor = _transcriptor(web.language, source)
        worth += sum(weigher.weigh_each(_texts(made, numbers, transcriptor)))
        twin_worth += sum(weigher.weigh_each(_texts(english, numbers)))
    return worth / twin_worth if twin_worth else 0.0


def _texts(web: GeneratedWeb, numbers: Sequence[int], transcriptor: Transcriptor | None = None) -> list[str]:
    pages = [_page(web, number) for number in numbers]
    every = [(text, page.language) for page in pages for text in contexts(page.links)]
    return [transcriptor.transcribe(*each) if transcriptor else each[0] for each in every]


def _page(web: GeneratedWeb, number: int) -> Page:
    url = canonical(web.url(number))
    response = WebPages(web).read(url) if url else None
    if response is None:
        raise LookupError(f"the generated web has no page {number}")
    return HtmlParser().parse(response)


def _transcriptor(language: str, source: str) -> Transcriptor | None:
    if not source:
        return None
    return Transcriptor({language: dictionary(language)}) if source == OWN else Transcriptor.installed((language,))
