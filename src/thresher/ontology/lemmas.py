"""The dictionary form of an English word, by WordNet's rules: lists of exceptions, then endings, and only what the ontology knows."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from thresher.errors import BadInput
from thresher.ontology.table import Ontology

ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "adjective": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adverb": (),
}
"""What an inflected form ends in, and what stands there in the dictionary, as WordNet's morphy(7WN) lists them."""
EXCEPTIONS = {"noun": "noun.exc", "verb": "verb.exc", "adjective": "adj.exc", "adverb": "adv.exc"}


class Lemmas:
    """Looks up forms of one kind of word in an ontology."""

    def __init__(
        self, ontology: Ontology, kind: str = "noun", exceptions: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self._ontology, self._kind = ontology, kind
        self._exceptions = exceptions or {}

    def __call__(self, word: str) -> str | None:
        """The dictionary form, or None if the ontology has no such word of this kind."""
        return next(
            (form for form in self._forms(word.lower()) if self._ontology.meanings(form, kind=self._kind)), None
        )

    def _forms(self, word: str) -> Iterable[str]:
        """What the word may be a form of, the word itself first."""
        yield word
        if word in self._exceptions:
            yield from self._exceptions[word]
            return
        for ending, instead in ENDINGS.get(self._kind, ()):
            if word.endswith(ending) and len(word) > len(ending):
                yield word.removesuffix(ending) + instead


def exceptions(folder: Path, kind: str = "noun") -> dict[str, tuple[str, ...]]:
    """The irregular forms a WordNet folder lists (`geese goose`); none where the file is missing, as in some editions."""
    file = folder / EXCEPTIONS[kind]
    if not file.is_file():
        return {}
    try:
        lines = [line.split() for line in file.read_text("utf-8").splitlines()]
    except UnicodeDecodeError as error:
        raise BadInput(f"{file}: not UTF-8 ({error.reason})") from error
    return {
        form.replace("_", " "): tuple(base.replace("_", " ") for base in bases) for form, *bases in filter(None, lines)
    }
