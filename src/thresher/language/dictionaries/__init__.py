"""Bilingual dictionaries: a word or phrase in one language in, its translations out, the best first.

    installed.py         which dictionaries this machine has, by their languages; opens one, or its compiled form
    dictd.py             reads dictd's form, in which Debian packages FreeDict
    stardict.py          reads StarDict's form
    tsv.py               reads a dictionary written by hand, a line a word
    definition_texts.py  what dictd and StarDict share: passages of one large text, and translations out of a definition for people
    dictionary.py        `Dictionary`: entries in one run of bytes, found by the hash of their key

A dictionary for the other direction is turned round. A file is read once; then its compiled form is taken from the cache, as long as the
file and the code that reads it stay the same. Files are not trusted: sizes, lines and offsets have limits, and whatever is wrong is
`BadInput` with the file and the place.
"""

from thresher.language.dictionaries.dictionary import Dictionary, DictionaryEntry, inverted_entries
from thresher.language.dictionaries.installed import (
    InstalledDictionary,
    find_dictionary,
    installed_dictionaries,
    open_dictionary,
)

__all__ = [
    "Dictionary",
    "DictionaryEntry",
    "InstalledDictionary",
    "find_dictionary",
    "installed_dictionaries",
    "inverted_entries",
    "open_dictionary",
]
