"""The words of a link as PostgreSQL keeps them: a text there has no NUL, so that one is escaped."""


def escaped(text: str) -> str:
    """As it is kept."""
    return text.replace("\\", "\\\\").replace("\0", "\\0") if "\\" in text or "\0" in text else text


def unescaped(text: str) -> str:
    """As it was."""
    return "\\".join(part.replace("\\0", "\0") for part in text.split("\\\\")) if "\\" in text else text
