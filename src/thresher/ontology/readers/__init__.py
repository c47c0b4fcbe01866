"""Where knowledge comes from: one reader a format, each a function from a path to concepts; and which of them opens what."""

from thresher.ontology.readers.installed import KNOWN, Known, open_ontology

__all__ = ["KNOWN", "Known", "open_ontology"]
