"""The ontology `umls` where no release of it is on this machine: what NLM's service says about a topic, asked once and then kept.

A topic that was answered is kept in the cache as a compiled ontology, so that a crawl that goes on needs neither the key nor the
service. Success is told in a sentence; failure is an error that names the cause: a host that does not answer, a key that is refused or
missing, an address that is none (Kayışoğlu 2005, requirements 2.b and 2.c).
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import xxhash

from thresher.disk.caches import cache_folder
from thresher.errors import BadInput
from thresher.online.keys import key_of
from thresher.ontology.concept import Concept
from thresher.ontology.places import UMLS_KEY
from thresher.ontology.readers.umls_rrf import SOURCES
from thresher.ontology.table import Ontology

NAME = "umls"
Told = Callable[[str], None]
_log = logging.getLogger(__name__)


def can_be_asked() -> bool:
    """Whether there is a key to ask the service with."""
    return bool(key_of(UMLS_KEY))


def umls_for(phrases: Sequence[str], told: Told = _log.info) -> Ontology:
    """What UMLS knows about these phrases; nothing is in it where it knows none of them."""
    kept = _place(phrases)
    with suppress(BadInput):
        known = Ontology.load(kept)
        told(f"UMLS, as it answered before: {_summary(known, phrases)}")
        return known
    known = Ontology.of(NAME, _answer(phrases))
    told(f"UMLS answered: {_summary(known, phrases)}")
    if len(known):
        with suppress(OSError):
            kept.parent.mkdir(parents=True, exist_ok=True)
            known.save(kept)
    return known


def _answer(phrases: Sequence[str]) -> Iterable[Concept]:
    # Imported only when it is asked: the library for HTTP takes a quarter of a second.
    from thresher.online.umls import NotInUmls, look_up  # noqa: PLC0415

    try:
        return look_up(phrases)
    except NotInUmls:
        return ()


def _place(phrases: Sequence[str]) -> Path:
    asked = "\0".join((*SOURCES, *sorted({phrase.casefold() for phrase in phrases})))
    return cache_folder() / NAME / f"topic-{xxhash.xxh3_128_hexdigest(asked.encode())}.npz"


def _summary(known: Ontology, phrases: Sequence[str]) -> str:
    return "; ".join(_of_phrase(known, phrase) for phrase in phrases)


def _of_phrase(known: Ontology, phrase: str) -> str:
    found = known.concepts(phrase)
    if not found:
        return f"{phrase!r} is not in {', '.join(SOURCES)}"
    named = " or ".join(f"{each.label} ({each.id})" for each in found)
    names = len({label.text.casefold() for each in found for label in each.labels})
    above = len({one for each in found for one in each.broader})
    around = len({one for each in found for one in (*known.siblings(each.id), *known.narrower(each.id))})
    return f"{phrase!r} is {named}; {names} names, {above} broader concepts, {around} near it"
