"""Which line is whose, for pictures too small to say it themselves."""

from collections.abc import Iterable, Mapping

from thresher.chart import GREY, THIN, Ink, clean, framed, px, room_for, shortened

_SAMPLE, _GAP, _ROW = 34, 22, 20


def legend(inks: Mapping[str, Ink], others: int, width: int = 800) -> str:
    """A sample of each strong line with its name, in as many rows as they need; the others are told once."""
    entries = [(name, ink) for name, ink in inks.items() if ink.strong]
    if others:
        entries.append((f"{others} other{'s' * (others > 1)}", THIN))
    rows = list(_rows([name for name, _ in entries], width))
    places = [(x, row) for row, xs in enumerate(rows) for x in xs]
    drawn = [_entry(name, ink, x, 12 + _ROW * row) for (name, ink), (x, row) in zip(entries, places, strict=True)]
    return framed("Which line is whose", width, _ROW * max(1, len(rows)) + 4, drawn)


def _rows(names: Iterable[str], width: int) -> Iterable[list[float]]:
    """Where each sample begins, a list a row."""
    row: list[float] = []
    x = 4.0
    for name in names:
        wide = _SAMPLE + room_for([name]) + _GAP
        if row and x + wide > width:
            yield row
            row, x = [], 4.0
        row.append(x)
        x += wide
    if row:
        yield row


def _entry(name: str, ink: Ink, x: float, y: float) -> str:
    dash = f' stroke-dasharray="{ink.dash}"' if ink.dash else ""
    line = f'<path d="M{px(x)} {px(y)}h{_SAMPLE - 8}" stroke="{ink.colour}" stroke-width="{px(ink.width)}"{dash}/>'
    colour = ink.colour if ink.strong else GREY
    return f'{line}<text x="{px(x + _SAMPLE)}" y="{px(y)}" dy=".35em" fill="{colour}">{clean(shortened(name))}</text>'
