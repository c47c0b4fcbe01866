"""Where keys, passwords and tokens of the user's are found: in the environment, or in the keyring of the system. Never in a file of ours.

A crawl file names them: `env:DOCS_TOKEN`, `keyring:SERVICE/NAME`. The name is stored, and what it stands for is looked up where it is sent.
"""

import os
from importlib import import_module

from thresher.errors import BadInput
from thresher.install_hint import install_hint

SERVICE = "thresher"
"""What the keyring calls us: `keyring set thresher UMLS_API_KEY`."""
_ENVIRONMENT, _KEYRING = "env:", "keyring:"


def key_of(variable: str) -> str:
    """What the environment variable holds, or else what the keyring keeps under that name; empty where neither has one."""
    return (os.environ.get(variable) or _from_keyring(SERVICE, variable)).strip()


def names_a_secret(text: str) -> bool:
    """Whether a text is the name of a secret rather than the secret itself."""
    return text.startswith((_ENVIRONMENT, _KEYRING))


def secret_of(name: str, where: str) -> str:
    """What `env:NAME` or `keyring:SERVICE/NAME` stands for; `where` is the place in the crawl file that an error names."""
    kind, _, rest = name.partition(":")
    service, _, entry = rest.rpartition("/")
    found = os.environ.get(rest, "") if kind == "env" else _from_keyring(service or SERVICE, entry)
    if not found.strip():
        raise BadInput(f"{where} is {name}, but {_missing(kind, rest)}")
    return found.strip()


def _missing(kind: str, name: str) -> str:
    if kind == "env":
        return f"the environment has no variable {name}: set it before the crawl is started"
    try:
        import_module("keyring")
    except ImportError:
        return f"the keyring cannot be read: {install_hint('keyring')}"
    return f"the keyring has no such entry: keyring set {name.replace('/', ' ')}"


def _from_keyring(service: str, name: str) -> str:
    try:
        return str(import_module("keyring").get_password(service, name) or "")
    except ImportError:
        return ""
    except Exception:  # noqa: BLE001 - each system's keyring raises errors of its own; one that is locked or absent holds no key for us
        return ""
