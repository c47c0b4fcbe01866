"""What a person is told and asked while a crawl is prepared. The command line draws and asks; from Python nobody is asked."""

import logging
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

from thresher.classify.learnt_folder import ClassSize
from thresher.errors import NoAnswer
from thresher.seed.search_seeds import EngineSeeds
from thresher.topic.likeliest_sense import likeliest
from thresher.topic.sense_choice import Ambiguous, Meaning
from thresher.topic.topic import Topic

NO_SENSE = "none"
"""As a sense: the plain word, whatever it means."""

_ANOTHER_OF_SEVERAL = "--sense ID, given once for each phrase of the topic, chooses others"
_log = logging.getLogger(__name__)


class Dialogue:
    """Messages and questions while a crawl is prepared. This class asks nobody: it logs, and takes a word in its likeliest sense."""

    another_sense = f"--sense NUMBER, ID or WORDS chooses another, --sense {NO_SENSE} the plain word"
    """How a user names the sense that is meant."""

    def choose(self, which: Ambiguous) -> Sequence[Meaning]:
        """Which meanings of a word are meant; none of them means the plain word."""
        found = likeliest(which.phrase, which.meanings, which.beside)
        concept = found.meanings[0].concept
        same = "".join(f", {each.concept.id}" for each in found.meanings[1:])
        another = _ANOTHER_OF_SEVERAL if which.beside else self.another_sense
        self.notice(
            f"{which.phrase!r} has {len(which.meanings)} senses; taken as {concept.id}{same}: {concept.gloss or concept.label}"
            f" ({found.why}). {another}"
        )
        return found.meanings

    def choose_targets(self, sizes: Mapping[str, ClassSize]) -> Sequence[str]:  # noqa: ARG002 - for those who ask
        """Which classes of a taxonomy are sought; none if nobody can say."""
        return ()

    def notice(self, sentence: str) -> None:
        """Tell something that the user should know."""
        _log.info(sentence)

    def failed(self, what: str, why: str) -> None:
        """Tell what could not be done."""
        _log.warning("%s: %s", what, why)

    def busy(self, what: str) -> AbstractContextManager[object]:  # noqa: ARG002 - for those who show it
        """Show what takes a moment."""
        return nullcontext()

    def concepts_known(self, concepts: Topic) -> None:
        """Tell what is looked for."""

    def no_seeds(self, why: NoAnswer) -> None:
        """Nothing was found to start from: an error, unless somebody can give seeds later."""
        raise why

    def seeds_found(self, found: EngineSeeds, queries: Sequence[str]) -> None:
        """Tell what the search engines gave."""
