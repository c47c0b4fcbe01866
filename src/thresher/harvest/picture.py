"""A picture of SVG as a file, or as the PNG that others ask for."""

from pathlib import Path

from thresher.errors import BadInput

_SHARP = 2
"""Pixels of a PNG for one of the picture, so that it looks well on today's screens."""


def write_picture(svg: str, path: Path) -> None:
    """Write a picture as what the name of the file says."""
    kind = path.suffix.lower()
    if kind not in {".svg", ".png"}:
        raise BadInput(f"cannot draw into {path}: its name must end in .svg or .png")
    content = svg.encode() if kind == ".svg" else _png(svg)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from error


def _png(svg: str) -> bytes:
    try:
        import resvg_py  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise BadInput("a PNG takes one more package: pip install 'thresher[png]', or name a file .svg") from error
    # On white: a picture without a background is hard to read in a dark window.
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, background="#ffffff", zoom=_SHARP))
