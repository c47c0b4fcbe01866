"""A page as a Markdown file with YAML front matter, in a folder a host."""

import json
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thresher.results.export.columns import Record
from thresher.results.export.tables import Take, moment

_LONGEST = 60
# What YAML 1.1 takes for a line end, or does not take at all, though JSON has it between quotes.
_NOT_YAML = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


@contextmanager
def markdown(folder: Path) -> Iterator[Take]:
    """`example.org/000123-the-human-iris.md`: the number keeps names apart."""

    def take(record: Record) -> None:
        path = folder / file_name(record)
        path.parent.mkdir(exist_ok=True)
        path.write_text(document(record), "utf-8", newline="\n")

    yield take


def file_name(record: Record) -> Path:
    """A name that every system takes, of ASCII letters, digits, dots and dashes."""
    host = re.sub(r"[^a-z0-9.-]+", "-", record["host"].lower()).strip(".-")[:100] or "host"
    words = unicodedata.normalize("NFKD", record["title"]).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", words)[:_LONGEST].strip("-") or "page"
    return Path(host) / f"{record['number']:06}-{slug}.md"


def document(record: Record) -> str:
    """The front matter, then the text."""
    fields = {key: value for key, value in record.items() if key != "text"}
    matter = "\n".join(f"{key}: {_yaml(value)}" for key, value in fields.items())
    return f"---\n{matter}\n---\n\n{record['text'].strip()}\n"


def _yaml(value: object) -> str:
    """A value on one line: JSON is YAML, but for a few characters."""
    written = json.dumps(value, ensure_ascii=False, default=moment)
    return _NOT_YAML.sub(lambda odd: f"\\u{ord(odd[0]):04x}", written)
