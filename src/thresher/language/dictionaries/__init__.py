"""Bilingual dictionaries: dictd (FreeDict), StarDict and TSV, found by their languages and compiled once."""

from thresher.language.dictionaries.dictionary import Dictionary, Entry, turned_round
from thresher.language.dictionaries.shelf import Found, find_dictionary, installed, open_dictionary

__all__ = ["Dictionary", "Entry", "Found", "find_dictionary", "installed", "open_dictionary", "turned_round"]
