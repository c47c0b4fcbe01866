"""A crawl that is prepared for a page: it is told and asked in a thread, and answers when the person has chosen.

`start.prepare` does the work and speaks to a `Dialogue`. Here the dialogue is a value that a page looks at now and then: what is being
done, what was noticed, which sense is asked for, which concepts and seeds were found. What a person changes of it is put together by
`with_concepts` and `with_seeds`.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thresher.dialogue import Dialogue
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, NoAnswer, ThresherError
from thresher.seed.named_urls import seed_urls
from thresher.seed.search_seeds import EngineSeeds, FoundSeed
from thresher.settings import with_paths
from thresher.start import prepare
from thresher.topic.sense_choice import Ambiguous, Meaning
from thresher.topic.topic import Term, Topic, check_topic, topic_table

WHERE = "the window"
"""What an error names as the place of settings that were typed here."""
_MOST_NOTICES = 50


class _Dropped(ThresherError):
    """Nobody waits for the answer any more."""


class Preparation(Dialogue):
    """What is known so far of a crawl that is prepared. Another thread fills it."""

    def __init__(self, wanted: Mapping[str, Any], folder: CrawlFolder, *, search: bool) -> None:
        """Prepare what is wanted, in the form of a crawl file; `search` if engines are asked although there are seeds."""
        self._wanted, self._folder, self._search = with_paths(wanted, Path()), folder, search
        self._answered = threading.Event()
        self._answer: Sequence[Meaning] = ()
        self._dropped = False
        self.doing = "looking it up"
        """What takes time now."""
        self.notices: list[str] = []
        self.question: Ambiguous | None = None
        """The phrase with several senses that somebody has to choose from."""
        self.concepts: Topic | None = None
        self.seeds: tuple[FoundSeed, ...] = ()
        self.complete: dict[str, Any] | None = None
        """The tables of the crawl file, when all is known."""
        self.error = ""
        """Why it cannot be prepared."""

    def begin(self) -> None:
        """Prepare it, in a thread of its own: it may wait for a person for as long as it takes."""
        threading.Thread(target=self._prepare, daemon=True).start()

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.complete is not None or bool(self.error)

    def answer(self, chosen: Sequence[Meaning]) -> None:
        """The senses that the person chose; none of them is the plain word."""
        self._answer, self.question = chosen, None
        self._answered.set()

    def drop(self) -> None:
        """Nobody looks any more: what is asked from now on has no answer either."""
        self._dropped = True
        self._answered.set()

    def _prepare(self) -> None:
        try:
            self.complete = prepare(self._wanted, self._folder, self, by_sense=True, search=self._search, where=WHERE)
        except ThresherError as error:
            self.error = str(error)
        except Exception as error:  # noqa: BLE001 - whoever waits for the page must be told
            self.error = f"a fault of Thresher: {type(error).__name__}: {error}"
        finally:
            self.doing = ""

    def choose(self, which: Ambiguous) -> Sequence[Meaning]:
        """Wait until the person has chosen."""
        self._answered.clear()
        self.question = which
        if not self._dropped:
            self._answered.wait()
        if self._dropped:
            raise _Dropped("the page was closed")
        return self._answer

    def notice(self, sentence: str) -> None:
        """Keep it for the page."""
        self.notices = [*self.notices, sentence][-_MOST_NOTICES:]

    def failed(self, what: str, why: str) -> None:
        """Keep it for the page."""
        self.notice(f"{what}: {why}")

    @contextmanager
    def busy(self, what: str) -> Iterator[None]:
        """Say it while it takes time."""
        self.doing = what
        yield
        self.doing = ""

    def concepts_known(self, concepts: Topic) -> None:
        """Keep them for the page."""
        self.concepts = concepts

    def seeds_found(self, found: EngineSeeds, queries: Sequence[str]) -> None:
        """Keep them for the page, and which engines failed."""
        del queries
        self.seeds = found.seeds
        for engine, why in found.failed.items():
            self.failed(engine, why)

    def no_seeds(self, why: NoAnswer) -> None:
        """It is no end: the person may give seeds."""
        self.notice(str(why))


def with_concepts(complete: Mapping[str, Any], known: Topic | None, terms: Iterable[Term]) -> dict[str, Any]:
    """The tables with the concepts that a person left and added; as they are if nothing was changed."""
    kept = tuple(terms)
    if known is None and not kept:
        return dict(complete)
    if not kept:
        raise BadInput("no concept is left: keep or add at least one")
    if known is not None and kept == known.terms:
        return dict(complete)
    topic = Topic(str(complete["topic"]), kept)
    check_topic(topic)
    knowledge = {**complete.get("knowledge", {}), "given_topic": topic_table(topic)}
    # A plain word was to be judged by its words; names with weights are for the judge of concepts.
    judge = complete.get("judge", {"name": "concepts"})
    return {**complete, "knowledge": knowledge, "judge": judge}


def with_seeds(complete: Mapping[str, Any], ticked: Iterable[str], own: str) -> dict[str, Any]:
    """The tables with the seeds that a person left and pasted, one a line; own ones first."""
    seeds = list(dict.fromkeys((*seed_urls(own.split()), *ticked)))
    if not seeds:
        raise BadInput("no seed: tick one that was found, or paste the address of a page to start from")
    return {**complete, "seeds": seeds}
