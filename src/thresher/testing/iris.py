"""A small web about the two irises, the part of the eye and the flower, and all that a judge or a strategy may ask to know of it.

No extra is needed: the ontology is written down here, the taxonomy is learnt from a second web of the same making.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any

from thresher.classify.link_rules import InterclassRules
from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Taxonomy, class_text
from thresher.errors import Missing
from thresher.knowledge import on_demand
from thresher.lab.run.task_web import distances_to
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.web_pages import WebPages
from thresher.model import Page, Url
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.table import Ontology
from thresher.parse.html import HtmlParser
from thresher.plugins import Need
from thresher.topic import Topic
from thresher.topic.build_topic import importance, make_topic
from thresher.topic.sense_choice import word_sense
from thresher.urls import canonical

TOPIC = "iris, eye, pupil"
TARGET = "eye"
SENSE = "iris.n.02"

_TREE = """
entity.n.01 | entity, thing
  organ.n.01 | organ, body part
    eye.n.01 | eye
      iris.n.02 | iris
      pupil.n.01 | pupil
      lens.n.01 | lens
      retina.n.01 | retina
      cornea.n.01 | cornea
  plant.n.01 | plant
    flower.n.01 | flower, bloom
      iris.n.01 | iris, flag
      rose.n.01 | rose
      tulip.n.01 | tulip
    garden.n.01 | garden, bed
      bulb.n.01 | bulb
      petal.n.01 | petal
  boat.n.01 | boat, vessel
    sail.n.01 | sail
    keel.n.01 | keel
"""


def ontology() -> Ontology:
    """Eighteen concepts, two of them called iris."""
    return Ontology.of("iris", _concepts())


def _concepts() -> Iterator[Concept]:
    way: list[str] = []
    seen: dict[str, int] = {}
    for line in _TREE.strip().splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        identity, names = line.strip().split(" | ")
        del way[depth:]
        labels = [ConceptLabel(name, rank=seen.get(name, 0)) for name in names.split(", ")]
        seen.update({label.text: label.rank + 1 for label in labels})
        yield Concept(identity, tuple(labels), broader=tuple(way[-1:]), kind="noun")
        way.append(identity)


def web(size: int = 180, hosts: int = 9, seed: int = 3, **options: Any) -> GeneratedWeb:
    """The web to crawl."""
    return generate(size=size, hosts=hosts, seed=seed, **options)


def seeds(of: GeneratedWeb, port: int | None = None) -> list[Url]:
    """Where a crawl of it starts: at the portal, and at three pages on topic, since some strategies follow no others."""
    on_topic = (url for url in of.urls(port) if of.topic_of(url) == TARGET)
    return [url for text in (next(of.urls(port)), *islice(on_topic, 3)) if (url := canonical(text)) is not None]


def needs(of: GeneratedWeb) -> dict[str, Need]:
    """All that a part can ask for, by the name of its parameter."""
    graph = ontology()
    concepts = make_topic(["iris", "pupil"], [graph], [SENSE, "pupil.n.01"])
    makers: dict[str, Callable[[], Any]] = {
        "topic": lambda: Topic.of(TOPIC),
        "concepts": lambda: concepts,
        "importance": lambda: importance(concepts, [graph]),
        "sense": lambda: word_sense("iris", [graph], [SENSE]),
        "taxonomy": _taxonomy,
        "transcriptor": _no_transcriptor,
        "distances": lambda: distances(of, TARGET),
    }
    return on_demand(makers)


def _no_transcriptor() -> Any:
    raise Missing("a dictionary")


@cache
def _taxonomy() -> Taxonomy:
    """Learnt from another web than the one to crawl, as a user would."""
    examples = web(size=120, hosts=9, seed=11)
    read = pages(examples)
    classes = {url: examples.topic_of(url) or "portal" for url in read}
    classifier = Classifier.of((class_text(page), classes[url]) for url, page in read.items())
    links = [(classes[url], link.target) for url, page in read.items() for link in page.links]
    return Taxonomy(classifier, (TARGET,), InterclassRules.of_links(links, classes.get))


def pages(of: GeneratedWeb) -> Mapping[Url, Page]:
    """Every page of the web, parsed."""
    read, parser = WebPages(of).read, HtmlParser()
    every = (url for text in of.urls() if (url := canonical(text)) is not None)
    return {url: parser.parse(response) for url in every if (response := read(url)) is not None}


@lru_cache(maxsize=2)
def distances(of: GeneratedWeb, topic: str) -> Mapping[Url, int]:
    """Links from each page to the nearest one about the topic. The web is read once for it, however many parts ask."""
    read = pages(of)
    links = ((url, link.target) for url, page in read.items() for link in page.links)
    return MappingProxyType(distances_to(links, [url for url in read if of.topic_of(url) == topic]))
