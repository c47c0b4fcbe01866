"""What the transcriptor costs a page and a link: python benchmarks/transcriptor_speed.py

Pages of 60 lines, 5 KB; the mixed ones have every fifth line in another language. Links have contexts of 20 words. Dictionaries are those
installed on this machine (Debian: dict-freedict-eng-hin, dict-freedict-deu-eng, dict-freedict-fra-eng), else small ones made up here.
"""

import argparse
import random
import time
from collections.abc import Callable

from thresher.language.dictionaries import Dictionary, DictionaryEntry, find_dictionary
from thresher.language.word_transcriptor import WordTranscriptor

ENGLISH = (
    "The iris controls how much light enters the eye, and its colour is inherited from both parents.",
    "Most children grow out of it before school, but a doctor should be asked when it goes on for years.",
    "Opening hours and directions",
    "Students of the department can choose between software engineering and the theory of computation.",
    "All rights reserved",
)
FOREIGN = {
    "hi": "आँखों की बीमारियों का इलाज डॉक्टर करते हैं और बच्चों को विद्यालय में शिक्षा दी जाती है।",
    "de": "Die Regenbogenhaut des Auges regelt, wie viel Licht in das Auge fällt, und ihre Farbe ist angeboren.",
    "fr": "La maladie des yeux est fréquente chez les enfants et le médecin doit être consulté rapidement.",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--smoke", action="store_true", help="a quick run that only shows that it works")
    rounds = 3 if parser.parse_args().smoke else 50
    for languages in (("hi",), ("de", "fr"), ("hi", "de", "fr")):
        began = time.perf_counter()
        dictionaries = {code: dictionary(code) for code in languages}
        transcriptor = WordTranscriptor(dictionaries)
        print(f"{' + '.join(languages)}: {sum(map(len, dictionaries.values())):,} entries", end=", ")
        print(f"opened in {time.perf_counter() - began:.2f} s")
        for name, texts in corpora(languages).items():
            spent = best(transcriptor.transcribe, texts, rounds)
            print(f"  {name:30} {spent * 1e6:8.1f} µs, {sum(map(len, texts)) / len(texts):5.0f} characters")


def dictionary(code: str) -> Dictionary:
    found = find_dictionary(code, "en")
    return (
        found.open()
        if found
        else Dictionary.of(DictionaryEntry(word, (f"meaning {word}",)) for word in FOREIGN[code].split())
    )


def corpora(languages: tuple[str, ...]) -> dict[str, list[str]]:
    dice = random.Random(3)
    foreign = [FOREIGN[code] for code in languages]

    def page(share: float) -> str:
        return "\n".join(dice.choice(foreign if dice.random() < share else ENGLISH) for _ in range(60))

    def contexts(lines: tuple[str, ...] | list[str]) -> list[str]:
        return [" ".join(" ".join(dice.choices(lines, k=3)).split()[:20]) for _ in range(60)]

    return {
        "an English page": [page(0) for _ in range(20)],
        "with typographic quotes": [page(0).replace("eye", "\u201ceye\u201d") for _ in range(20)],
        "a mixed page, a fifth foreign": [page(0.2) for _ in range(20)],
        "a foreign page": [page(1) for _ in range(20)],
        "an English link context": contexts(ENGLISH),
        "a foreign link context": contexts(foreign),
    }


def best(work: Callable[[str], str], texts: list[str], rounds: int) -> float:
    """Seconds a text: of each its fastest run counts, so that other work on the machine does not."""
    fastest = [float("inf")] * len(texts)
    for _ in range(rounds):
        for number, text in enumerate(texts):
            began = time.perf_counter()
            work(text)
            fastest[number] = min(fastest[number], time.perf_counter() - began)
    return sum(fastest) / len(texts)


if __name__ == "__main__":
    main()
