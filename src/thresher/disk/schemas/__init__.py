"""The schema of every SQLite file, a file each, named after the room that owns its tables."""

from importlib.resources import files


def schema(owner: str) -> str:
    """The SQL that makes the tables of a room."""
    return files(__package__).joinpath(f"{owner}.sql").read_text("utf-8")
