"""What we or the user did wrong. What the web does wrong is a value, never one of these.

ThresherError
├── BadInput            something the user gave is wrong: a seed file, a url, a key of the crawl file
│   ├── UnknownPart     a strategy, judge … of that name is not installed
│   └── Missing         a part needs something that was not given: a sense, a taxonomy
├── FolderError         the crawl folder cannot be used
│   ├── FolderLocked    another process is crawling into it
│   ├── FolderVersion   it was written by a newer Thresher
│   └── DamagedState    what was kept in it makes no sense
├── LedgerError         the crawl's PostgreSQL cannot be used: no server, wrong password, no rights
│   ├── LedgerVersion   it is of another version, or was written by another Thresher
│   └── LedgerLost      it was there, and does not answer now
├── NoAnswer            another machine that we asked for knowledge cannot be reached, or makes no sense
└── DiskFull            there is no room left to keep what was fetched
"""

from collections.abc import Mapping, Sequence


def did_you_mean(word: str, choices: Sequence[str], spelt: Mapping[str, str] | None = None) -> str:
    """The nearest of the choices in brackets, to stand in a message; nothing if none is near. `spelt` says what to type for each."""
    import difflib  # noqa: PLC0415 - for those who mistyped something

    close = difflib.get_close_matches(word, choices, n=1)
    return f" (did you mean {(spelt or {}).get(close[0], close[0])!r}?)" if close else ""


class ThresherError(Exception):
    """The base of all our errors. The command line prints its message and exits with code 2, with 1 after NoAnswer."""


class BadInput(ThresherError):
    """Something the user gave is wrong."""


class UnknownPart(BadInput):
    """No part of that name is installed."""


class NotChosen(BadInput):
    """What can mean several things, and nobody has said which."""


class Missing(BadInput):
    """A part needs something that was not given; the message says how to give it."""


class FolderError(ThresherError):
    """The crawl folder cannot be used."""


class FolderLocked(FolderError):
    """Another process is crawling into the folder."""


class FolderVersion(FolderError):
    """The folder was written by a newer Thresher."""


class DamagedState(FolderError, ValueError):
    """What was kept makes no sense."""


class LedgerError(ThresherError):
    """The PostgreSQL that a crawl is kept in cannot be used."""


class LedgerVersion(LedgerError):
    """The server, or what is kept in it, is of another version."""


class LedgerLost(LedgerError):
    """The server does not answer any more. Nothing is half done: it may be asked the same again."""


class NoAnswer(ThresherError):
    """Another machine cannot be reached, is too busy, or answers what makes no sense."""


class DiskFull(ThresherError):
    """There is no room left on the disk."""
