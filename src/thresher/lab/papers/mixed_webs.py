"""The webs, crawlers and knowledge of Kumar and Vig's 2010 experiment: a fifth of the pages has its important terms in another language.

What there is to know of the web's topics is an ontology of their own terms, so that no other needs to be installed:

    everything
      eye            as the web's menus and sections have it
        iris, pupil, cornea …
      flower
        iris, petal …
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

from thresher.classify.link_rules import InterclassRules
from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Taxonomy, class_text
from thresher.knowledge import on_demand
from thresher.lab.run.task import Task, WebSource
from thresher.lab.run.task_knowledge import needs
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import KnowledgeOf, Trial
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.vocabulary import LANGUAGES, Vocabulary, dictionary, iris_vocabulary, terms
from thresher.lab.webs.web_pages import WebPages
from thresher.language.dictionaries import find_dictionary
from thresher.language.word_transcriptor import WordTranscriptor
from thresher.model import Page, Url
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.table import Ontology
from thresher.parse.html import HtmlParser
from thresher.plugins import Need
from thresher.topic.build_topic import PROFILES, importance, make_topic
from thresher.topic.topic import Term
from thresher.urls import canonical

ROOT = "everything"


def own_ontology(vocabulary: Vocabulary | None = None) -> Ontology:
    """A concept for each topic and for each of its terms; `eye/iris` and `flower/iris` are two senses of one word."""
    return Ontology.of("generated", _concepts(vocabulary or iris_vocabulary()))


def _concepts(vocabulary: Vocabulary) -> Iterator[Concept]:
    seen = Counter[str]()

    def concept(identity: str, label: str, broader: tuple[str, ...]) -> Concept:
        seen[label] += 1
        return Concept(identity, (ConceptLabel(label, rank=seen[label] - 1),), broader=broader, kind="noun")

    yield concept(ROOT, ROOT, ())
    for subject in vocabulary.subjects:
        yield concept(subject.name, subject.name, (ROOT,))
        for term in _words(subject.name, frozenset(subject.sections)):
            yield concept(f"{subject.name}/{term}", term, (subject.name,))


def _words(subject: str, sections: frozenset[str]) -> Iterator[str]:
    for term in terms(subject, LANGUAGES[0]):
        if term not in sections and term != subject:
            yield term


TOPIC, KEYWORDS, SENSE, TARGET = "iris", ("eye", "pupil"), "eye/iris", "eye"
SHARE = 0.2
"""Of the pages that are mixed, in the paper."""
SEEDS = 3
"""Pages that a crawl starts from: on topic and in English, as search engines would give them."""
OWN, INSTALLED = "own words", "FreeDict"
EXAMPLES: dict[str, Any] = {"size": 180, "hosts": 9, "seed": 1_000_003}
"""The web that the classes and their rules are learnt from: English only, and none of those crawled."""
_WIDEST = 100
"""A topic of the web has some thirty terms, and they are all told."""


@dataclass(frozen=True)
class MixedWeb:
    """One web of the experiment; the same number with another share has the same pages on the same topics."""

    number: int
    size: int
    share: float = 0.0
    language: str = "en"

    @property
    def name(self) -> str:
        """Such as `hi-20-of-1000-web-3`."""
        return f"{self.language}-{100 * self.share:.0f}-of-{self.size}-web-{self.number}"

    @property
    def making(self) -> dict[str, Any]:
        """The keywords of `generate`."""
        mixed = {"mixed": self.share, "language": self.language} if self.share else {}
        return {"size": self.size, "hosts": 12, "seed": self.number, **mixed}

    @cached_property
    def seeds(self) -> tuple[str, ...]:
        """Where all crawls of it start: never on a page that is mixed at the paper's share, so that all webs of a number start alike."""
        made, mixed = generate(**self.making), generate(**{**self.making, "mixed": SHARE})
        english = (number for number in on_target(made) if not mixed.atlas.is_mixed(number))
        return tuple(map(made.url, sorted(english, key=lambda number: made.atlas.dice("seed", number))[:SEEDS]))

    def task(self, name: str, languages: tuple[str, ...] = ()) -> Task:
        """To find the pages about the eye's iris."""
        return Task(
            WebSource(self.name, generated=self.making),
            name,
            TOPIC,
            " ".join(KEYWORDS),
            ontologies=(),
            languages=languages,
            relevant=(TARGET,),
            near=self.seeds,
        )


def on_target(web: GeneratedWeb) -> list[int]:
    """The pages about the topic, by number."""
    names = [subject.name for subject in web.atlas.vocabulary.subjects]
    return [int(number) for number in web.atlas.peers(names.index(TARGET))]


class Arm(NamedTuple):
    """A crawler of the experiment."""

    name: str
    strategy: str
    profile: str = ""
    dictionary: str = ""
    """Where it looks words up: nowhere, or `OWN` or `INSTALLED`."""
    language: str = ""

    def trial(self, web: MixedWeb, pages: int) -> Trial:
        """Its crawl of a web."""
        spoken = (self.language,) if self.language else ()
        task = web.task("-".join(filter(None, (TARGET, self.language, self.dictionary.replace(" ", "-")))), spoken)
        table = {"name": self.strategy, **({"profile": self.profile} if self.profile else {})}
        return Trial(task, "near", table, pages, knowledge_of=_KNOWLEDGE_OF[self.dictionary])


BASELINE = Arm("soft-focus", "soft-focus")


def plain(profile: str) -> Arm:
    """The paper's non-multilingual crawler."""
    return Arm(f"context-ontology, {profile}", "context-ontology", profile)


def multilingual(profile: str, source: str, language: str) -> Arm:
    """The paper's multilingual crawler."""
    return Arm(f"the same with {source}", "context-ontology", profile, source, language)


def sources(language: str) -> list[str]:
    """Where words of a language can be looked up on this machine, the real dictionary first."""
    return [INSTALLED, OWN] if find_dictionary(language, "en") else [OWN]


# ── what the crawlers may know ──


def without_dictionary(task: Task, web: TaskWeb) -> dict[str, Need]:
    """An importance table and classes, the same for every web."""
    return {**needs(task, web), **on_demand({"importance": importances, "taxonomy": taxonomy})}


def with_own_words(task: Task, web: TaskWeb) -> dict[str, Need]:
    """And the very words that the web is written with: no dictionary can be better."""
    made = WordTranscriptor({code: dictionary(code) for code in task.languages})
    return {**without_dictionary(task, web), **on_demand({"transcriptor": lambda: made})}


_KNOWLEDGE_OF: dict[str, KnowledgeOf] = {"": without_dictionary, OWN: with_own_words, INSTALLED: without_dictionary}
# The lab's own needs open the installed dictionaries of a task's languages.


@cache
def importances() -> dict[str, float]:
    """The importance table: the words of the task, and what the web's own ontology has beside the eye's iris."""
    ontology = own_ontology()
    own = [Term(word, PROFILES["design"].exact, "exact", source="task") for word in (TOPIC, *KEYWORDS)]
    return importance(make_topic([TOPIC], [ontology], [SENSE], own=own, widest=_WIDEST), [ontology])


@cache
def taxonomy() -> Taxonomy:
    """The web's topics as classes, and how they link, learnt from a web that nobody crawls."""
    web = generate(**EXAMPLES)
    pages = dict(_pages(web))
    classes = {url: web.topic_of(url) or "" for url in pages}
    classifier = Classifier.of((class_text(page), classes[url]) for url, page in pages.items())
    links = [(classes[url], link.target) for url, page in pages.items() for link in page.links]
    return Taxonomy(classifier, (TARGET,), InterclassRules.of_links(links, classes.get))


def _pages(web: GeneratedWeb) -> Iterator[tuple[Url, Page]]:
    read, parser = WebPages(web).read, HtmlParser(hidden=False)
    for url in map(canonical, web.urls()):
        if url and (response := read(url)):
            yield url, parser.parse(response)
