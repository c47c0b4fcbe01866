"""Does a translator keep its promises? For those who bring a model of their own to read pages in other languages."""

from collections.abc import Callable

from thresher.ports import Translator

_TEXTS = ("आँख की पुतली गोल है।", "रोग", "Das Auge ist rund.", "12:30", "\u0000\u200b", "", "आँख " * 120)


def check_translator(make: Callable[[], Translator], language: str = "hi") -> None:
    """Raise AssertionError with a sentence, if a translator breaks a promise. `make` gives a new one at each call."""
    translator = make()
    said = list(translator.translate(_TEXTS, language))
    assert len(said) == len(_TEXTS), f"{len(said)} translations of {len(_TEXTS)} texts"
    assert all(isinstance(each, str) for each in said), "a translation is no text"
    assert said == [translator.translate([text], language)[0] for text in _TEXTS], (
        "a text has another translation when it is translated alone"
    )
    assert said == list(make().translate(_TEXTS, language)), "another translator of the same making differs"
    assert list(translator.translate([], language)) == [], "no texts have translations"
