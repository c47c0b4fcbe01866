"""Codes of languages: `de` on web pages and here, `deu` (or `ger`) in the names of dictionaries."""

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


def short_code(code: str) -> str:
    """The code that web pages use; one without such a code stays as it is.

    >>> short_code("deu"), short_code("hi-IN"), short_code("kha")
    ('de', 'hi', 'kha')
    """
    plain = code.replace("_", "-").partition("-")[0].lower()
    return _TWO.get(plain, plain)
