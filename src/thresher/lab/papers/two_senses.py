"""Words of two senses in the schools' encyclopaedia: which are common enough, where a search for them would start, what defines them.

For the experiment of Pesaranghader et al. 2014. The words were chosen before any crawl: the three of the paper, and nouns for which WordNet
has two concrete senses that belong to different subjects of the encyclopaedia. A word is used if at least ten pages of each sense's
subjects contain it; the three of the paper are used however few there are, in crawls of their own. `sense_runs.py` has the crawls.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from thresher.lab.papers.reproduction import Told
from thresher.lab.papers.word_search import search_worths
from thresher.lab.run.task_web import TaskWeb
from thresher.language import words
from thresher.model import Page, Url

ENOUGH = 10
"""Pages of a sense's subjects that contain the word."""
SEEDS = 10
"""Hits of a search for the word alone: both senses start from the same ones."""
_SENTENCE = 25
"""Words from which on a line of an article is prose: what stands above is a title or a table."""


class Sense(NamedTuple):
    """A sense: its WordNet id, and the subjects whose pages are about such things."""

    id: str
    subjects: tuple[str, ...]
    also: tuple[str, ...] = ()
    """More ids that count as the same sense: the plant and its fruit."""

    @property
    def ids(self) -> tuple[str, ...]:
        """All its ids."""
        return (self.id, *self.also)


_BIRDS, _MAMMALS = ("Science.Biology.Birds",), ("Science.Biology.Mammals",)
_PLANTS, _INSECTS = ("Science.Biology.Plants",), ("Science.Biology.Insects_Reptiles_and_Fish",)
_HEALTH, _BIOLOGY = ("Science.Biology.Health_and_medicine",), ("Science.Biology.General_Biology",)
_FOOD, _SPORTS = ("Everyday_life.Food_and_agriculture",), ("Everyday_life.Sports",)
_ENGINEERING, _IT, _MUSIC = ("Design_and_Technology.Engineering",), ("IT",), ("Music",)
_SPACE = ("Science.Physics.The_Planets", "Science.Physics.Space_Astronomy")
_STAGE = ("Everyday_life.Films", "Everyday_life.Television", "People.Actors_models_and_celebrities")

WORDS: Mapping[str, tuple[Sense, Sense]] = {
    "cookie": (Sense("cookie.n.01", _FOOD), Sense("cookie.n.03", _IT)),
    "iris": (Sense("iris.n.01", _PLANTS), Sense("iris.n.02", _HEALTH)),
    "squash": (Sense("squash.n.01", (*_PLANTS, *_FOOD), ("squash.n.02",)), Sense("squash.n.03", _SPORTS)),
    "mercury": (Sense("mercury.n.01", ("Science.Chemistry.Chemical_elements",)), Sense("mercury.n.03", _SPACE)),
    "turkey": (Sense("turkey.n.01", _BIRDS), Sense("turkey.n.02", ("Geography.Geography_of_the_Middle_East",))),
    "bass": (Sense("bass.n.08", _INSECTS), Sense("bass.n.07", _MUSIC)),
    "cell": (
        Sense("cell.n.02", (*_BIOLOGY, *_HEALTH)),
        Sense("cell.n.03", ("Science.Physics.Electricity_and_Electronics",)),
    ),
    "virus": (Sense("virus.n.01", _HEALTH), Sense("virus.n.03", _IT)),
    "plant": (Sense("plant.n.02", _PLANTS), Sense("plant.n.01", _ENGINEERING)),
    "mouse": (Sense("mouse.n.01", _MAMMALS), Sense("mouse.n.04", _IT)),
    "organ": (Sense("organ.n.01", _HEALTH), Sense("organ.n.05", _MUSIC)),
    "horn": (Sense("horn.n.02", _MAMMALS), Sense("french_horn.n.01", _MUSIC)),
    "bat": (Sense("bat.n.01", _MAMMALS), Sense("bat.n.05", _SPORTS)),
    "star": (Sense("star.n.01", _SPACE), Sense("star.n.04", _STAGE)),
    "court": (Sense("court.n.01", ("Citizenship.Law",)), Sense("court.n.04", _SPORTS)),
    "crane": (Sense("crane.n.05", _BIRDS), Sense("crane.n.04", _ENGINEERING)),
    "java": (Sense("java.n.01", ("Geography.Geography_of_Asia",)), Sense("java.n.03", _IT)),
    "bus": (Sense("bus.n.01", ("Design_and_Technology.Road_transport",)), Sense("busbar.n.01", _IT)),
    "port": (Sense("port.n.01", ("Design_and_Technology.Air_and_Sea_transport",)), Sense("interface.n.04", _IT)),
    "cricket": (Sense("cricket.n.01", _INSECTS), Sense("cricket.n.02", _SPORTS)),
    "rock": (Sense("rock.n.02", ("Geography.Geology_and_geophysics",)), Sense("rock_'n'_roll.n.01", _MUSIC)),
    "kiwi": (Sense("kiwi.n.04", _BIRDS), Sense("kiwi.n.03", _FOOD)),
    "tree": (Sense("tree.n.01", _PLANTS), Sense("tree.n.02", ("Mathematics",))),
    "memory": (Sense("memory.n.02", (*_BIOLOGY, *_HEALTH)), Sense("memory.n.04", _IT)),
    "bug": (Sense("bug.n.01", _INSECTS), Sense("bug.n.02", _IT)),
}
"""Candidates, the paper's own first. Orange and jaguar were left out: no subject is about colours, and WordNet knows one jaguar."""

PAIRS = {
    "cookie": ("cookie:confectionery", "cookie:internet"),
    "iris": ("iris:gardening", "iris:medical"),
    "squash": ("squash:vegetal", "squash:sport"),
}
"""What the paper calls the senses of its own three words, in the order of `WORDS`."""


@dataclass(frozen=True, slots=True)
class Word:
    """What a look at all pages tells of a word."""

    word: str
    pages: tuple[int, int]
    """How many pages of each sense's subjects contain it."""
    seeds: tuple[str, ...]
    definitions: tuple[str, str]
    """The first paragraph of the article on each sense; empty if there is none."""

    @property
    def common(self) -> bool:
        """Whether both senses have pages enough."""
        return min(self.pages) >= ENOUGH

    def named(self, place: int) -> str:
        """What a sense is called: as in the paper, or by its subject."""
        return PAIRS[self.word][place] if self.word in PAIRS else f"{self.word} {self.subject(place)}"

    def subject(self, place: int) -> str:
        """The first of a sense's subjects, in short."""
        return WORDS[self.word][place].subjects[0].rsplit(".", 1)[-1].replace("_", " ")


def looked_up(web: TaskWeb, wanted: Iterable[str], kept: Path, told: Told) -> list[Word]:
    """Look for the words in all labelled pages; what was found before is read back."""
    wanted = list(wanted)
    if kept.exists():
        found = [_word(row) for row in json.loads(kept.read_text("utf-8"))]
        if [each.word for each in found] == wanted:
            return found
    found = scanned(web, wanted, told)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps([asdict(each) for each in found], indent=1, ensure_ascii=False), "utf-8")
    return found


def _word(row: Mapping[str, object]) -> Word:
    return Word(**{key: tuple(value) if isinstance(value, list) else value for key, value in row.items()})  # type: ignore[arg-type]


class _Mention(NamedTuple):
    url: Url
    labels: frozenset[str]
    title: str
    worth: float
    lead: str


def scanned(web: TaskWeb, wanted: Sequence[str], told: Told) -> list[Word]:
    """Read all labelled pages once."""
    mentions: dict[str, list[_Mention]] = {word: [] for word in wanted}
    for number, (url, labels) in enumerate(web.labelled()):
        if number % 1000 == 0:
            told(f"lin: looking for words of two senses, page {number:,}")
        if (page := web.page(url)) is not None:
            for word, worth in search_worths(page, wanted):
                mentions[word].append(_Mention(url, labels, _name(page), worth, _lead(page, word)))
    return [_summed(word, mentions[word]) for word in wanted]


def _summed(word: str, mentions: Sequence[_Mention]) -> Word:
    both = WORDS[word]
    found = [[each for each in mentions if each.labels & set(sense.subjects)] for sense in both]
    best = sorted(mentions, key=lambda each: (-each.worth, each.url))[:SEEDS]
    leads = tuple(next((each.lead for each in some if each.title == word), "") for some in found)
    return Word(word, (len(found[0]), len(found[1])), tuple(each.url for each in best), (leads[0], leads[1]))


def _name(page: Page) -> str:
    """The title without what tells it from others: `Mercury (planet)` is `mercury`."""
    return page.title.partition("(")[0].strip().lower()


def _lead(page: Page, word: str) -> str:
    """The first paragraph, if the page is the article on the word."""
    if _name(page) != word:
        return ""
    return next((line for line in page.main.splitlines() if len(words(line)) >= _SENTENCE), "")
