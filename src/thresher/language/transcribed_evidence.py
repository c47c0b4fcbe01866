"""Evidence that was found in text of another language: the words as they stood, beside those that they were read as."""

from collections.abc import Iterable, Mapping
from itertools import chain, islice

from thresher.language.tokens import words
from thresher.language.transcriptor import Zone
from thresher.language.word_forms import forms
from thresher.model import Evidence

_MOST_SHOWN = 3
_LONGEST_SHOWN = 40
_MOST_READINGS = 10_000
"""Words of a zone that are looked through: a huge page takes no longer than a large one."""


def with_sources(evidence: Iterable[Evidence], zones: Mapping[str, Zone]) -> tuple[Evidence, ...]:
    """The same evidence; where what was found comes from another language, `where` ends with the words as they stood there.

    `eye` in the `title` becomes `title, from आँख`; or `title, also from आँख`, if the title says it in English too.
    """
    known = {name: _Sources(zone) for name, zone in zones.items() if zone.stretches}
    return tuple(_with_source(each, known.get(each.where.partition(":")[0])) for each in evidence)


def _with_source(each: Evidence, sources: "_Sources | None") -> Evidence:
    # Evidence of concepts has its tier behind it: `eyeball (synonym)`.
    said = words(each.what.partition(" (")[0])
    stood = sources.of(said) if sources else []
    if not sources or not stood:
        return each
    shown = ", ".join(map(_short, stood[:_MOST_SHOWN])) + " …" * (len(stood) > _MOST_SHOWN)
    return each._replace(where=f"{each.where}, {'also ' * sources.has_plain(said)}from {shown}")


class _Sources:
    """What the words of a zone were read from."""

    def __init__(self, zone: Zone) -> None:
        readings = islice(chain.from_iterable(stretch.readings for stretch in zone.stretches), _MOST_READINGS)
        self._stood: dict[str, list[str]] = {}
        for stood, read in {each.stood: each.read for each in readings}.items():
            for word in {word for meaning in read for word in meaning.lower().split()}:
                self._stood.setdefault(word, []).append(stood)
        self._text = zone.text
        self._plain: frozenset[str] | None = None

    def of(self, said: Iterable[str]) -> list[str]:
        """All that was read as one of these words, each once, word by word."""
        found = (self._stood.get(form, ()) for word in said for form in sorted(forms(word)))
        return list(dict.fromkeys(chain.from_iterable(found)))

    def has_plain(self, said: Iterable[str]) -> bool:
        """Whether the zone has these words as they are, too."""
        self._plain = self._plain or frozenset(words(self._text))
        return all(not self._plain.isdisjoint(forms(word)) for word in said)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN].rstrip()}…"
