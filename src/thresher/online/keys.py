"""Where an API key of the user's is found: in the environment, or in the keyring of the system. Never in a file of ours."""

import os
from importlib import import_module

SERVICE = "thresher"
"""What the keyring calls us: `keyring set thresher UMLS_API_KEY`."""


def key_of(variable: str) -> str:
    """What the environment variable holds, or else what the keyring keeps under that name; empty where neither has one."""
    return (os.environ.get(variable) or _from_keyring(variable)).strip()


def _from_keyring(name: str) -> str:
    try:
        return str(import_module("keyring").get_password(SERVICE, name) or "")
    except ImportError:
        return ""
    except Exception:  # noqa: BLE001 - each system's keyring raises errors of its own; one that is locked or absent holds no key for us
        return ""
