"""How fast WordNet loads and how many Lin similarities a second there are, beside NLTK: python benchmarks/ontology_speed.py

    pip install -e '.[wordnet,bench]' && python benchmarks/ontology_speed.py

Both read the same WordNet files and the same information content (ic-semcor-add1.dat) and get the same random pairs of nouns; the sums of
their answers are compared. Seconds are CPU seconds of this process. The first pass starts with nothing remembered; in later passes both
find the ancestors of every concept remembered. The last line is the ratio of the first passes, in which ours also finds the concepts by
their ids, while NLTK's time for that is printed apart and left out.
"""

import argparse
import importlib
import importlib.util
import os
import random
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from thresher.ontology import places
from thresher.ontology.known_ontologies import open_ontology
from thresher.ontology.lemmas import Lemmas, exceptions
from thresher.ontology.readers import wordnet
from thresher.ontology.similarity import lin
from thresher.ontology.table import Ontology
from thresher.topic.sense_scoring import SenseTable, averages, score

WORDS_A_LINK = 25


class Laps(NamedTuple):
    """Seconds of each pass, and what came out."""

    seconds: list[float]
    total: float


def main() -> None:
    options = _arguments()
    folder = places.wordnet()
    if folder is None or not (folder.parent / "wordnet_ic").is_dir():
        print(
            "nothing measured: WordNet with its information content is not installed (pip install 'thresher[wordnet]')"
        )
        return
    with tempfile.TemporaryDirectory() as cache:
        os.environ["THRESHER_CACHE"] = cache
        ontology = loading()
    pairs = some_pairs(ontology, options.pairs)
    ours = passes(by_thresher(ontology, folder), pairs, options.rounds)
    report("thresher", ours, len(pairs))
    links(ontology, folder, options.pairs // WORDS_A_LINK)
    if importlib.util.find_spec("nltk") is None:
        print("no peer: NLTK is not installed (pip install 'thresher[bench]')\nratio: 1.0")
        return
    theirs = passes(by_nltk(folder), pairs, options.rounds)
    report("nltk", theirs, len(pairs))
    print(f"same answers: {abs(ours.total - theirs.total) < 1e-6 * len(pairs)}")
    print(f"ratio: {theirs.seconds[0] / ours.seconds[0]:.1f}")


def loading() -> Ontology:
    """Load WordNet from its files, then from the cache."""
    began = time.process_time()
    open_ontology("wordnet")
    compiled = time.process_time()
    laps = []
    for _ in range(5):
        start = time.process_time()
        ontology = open_ontology("wordnet")
        laps.append(time.process_time() - start)
    print(f"{len(ontology):,} concepts: read in {compiled - began:.2f} s, loaded from the cache in {min(laps):.3f} s")
    return ontology


def some_pairs(ontology: Ontology, many: int) -> list[tuple[str, str]]:
    nouns = [concept.id for concept in ontology if concept.kind == "noun"]
    chance = random.Random(1)
    return [(chance.choice(nouns), chance.choice(nouns)) for _ in range(many)]


def passes(measure: Callable[[list[tuple[str, str]]], Callable[[], float]], pairs, rounds: int) -> Laps:
    similar, seconds, total = measure(pairs), [], 0.0
    for _ in range(rounds + 1):
        start = time.process_time()
        total = similar()
        seconds.append(time.process_time() - start)
    return Laps(seconds, total)


def report(name: str, laps: Laps, pairs: int) -> None:
    first, best = laps.seconds[0], min(laps.seconds[1:])
    print(
        f"{name:10} Lin: {pairs / first:9,.0f} similarities/s in the first pass ({first:.2f} s for {pairs:,}), "
        f"{pairs / best:9,.0f} in later ones ({best:.2f} s)"
    )


def by_thresher(ontology: Ontology, folder: Path) -> Callable:
    information = wordnet.information(ontology, folder)
    return lambda pairs: lambda: sum(lin(ontology, one, other, information) for one, other in pairs)


def by_nltk(folder: Path) -> Callable:
    nltk, module = importlib.import_module("nltk"), importlib.import_module("nltk.corpus.reader.wordnet")

    class Reader(module.WordNetCorpusReader):
        def map_wn(self, *_args: object) -> None:
            """Without this it looks for a WordNet of its own."""

    nltk.data.path.insert(0, str(folder.parent))  # it refuses folders that are not on its path
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = Reader(str(folder), None)
    counts = module.WordNetICCorpusReader(str(folder.parent / "wordnet_ic"), [r"ic-.*\.dat"]).ic("ic-semcor-add1.dat")
    print(f"nltk       loaded in {time.process_time() - began:.2f} s")

    def prepared(pairs: list[tuple[str, str]]) -> Callable[[], float]:
        start = time.process_time()
        synsets = [(reader.synset(one), reader.synset(other)) for one, other in pairs]
        print(f"nltk       found the synsets of {len(pairs):,} pairs by id in {time.process_time() - start:.2f} s")
        return lambda: sum(one.lin_similarity(other, counts) for one, other in synsets)

    return prepared


def links(ontology: Ontology, folder: Path, many: int) -> None:
    """Score links of 25 common words for the sense of iris that sees."""
    table = SenseTable(
        ontology,
        [concept.id for concept in ontology.concepts("iris")],
        wordnet.information(ontology, folder),
        lemma=Lemmas(ontology, "noun", exceptions(folder)),
    )
    seen = sorted(ontology.labels(), key=lambda each: -each[1].count)[:5000]
    chance = random.Random(2)
    texts = [[chance.choice(seen)[1].text for _ in range(WORDS_A_LINK)] for _ in range(many)]
    for when in ("words met first", "words known"):
        start = time.process_time()
        for words in texts:
            score(averages(table, words), {1})
        micro = 1e6 * (time.process_time() - start) / many
        print(f"thresher   a link of {WORDS_A_LINK} words for 3 senses: {micro:6.1f} µs ({when})")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=100_000, help="how many similarities (default 100,000)")
    parser.add_argument("--rounds", type=int, default=3, help="how many passes after the first (default 3)")
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    if options.smoke:
        options.pairs, options.rounds = 2000, 1
    return options


if __name__ == "__main__":
    main()
