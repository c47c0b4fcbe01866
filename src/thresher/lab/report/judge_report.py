"""What judges were measured to be: a table for the terminal, figures by task in a file, and a reliability diagram for each judge."""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from thresher.chart import GREY, Span, clean, framed, number, ticks
from thresher.disk.atomic_file import write_whole
from thresher.lab.run.judge_scores import JudgedPage, JudgeRow, ReliabilityBin, against, pooled, reliability

_SIZE, _EDGE = 320, 44
_INK = "#2f7fb8"
_LARGEST = 9.0
_HEADS = {
    "tasks": "",
    "AP": "average_precision",
    "precision": "precision",
    "recall": "recall",
    "F1": "f1",
    "calibration error": "calibration_error",
    "pages/s": "",
}
"""Columns of the table, and the figure of which each is the mean."""


def judge_table(rows: Sequence[JudgeRow], baseline: str) -> Table:
    """The means of each judge over its tasks, and its average precision beside the baseline's."""
    beside = {
        name: (f"{each.difference:+.3f} ({each.interval.low:+.3f} to {each.interval.high:+.3f})", f"{p:.3f}")
        for name, (each, p) in against(rows, baseline).items()
    }
    table = Table("judge", *_HEADS, f"AP − {baseline}", "Holm p", box=None, header_style="bold", pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for name in dict.fromkeys(row.judge for row in rows):
        few = [row for row in rows if row.judge == name]
        means = [f"{_mean(few, each):.3f}" for each in _HEADS.values() if each]
        table.add_row(
            escape(name), str(len(few)), *means, f"{_mean(few, 'pages_s'):,.0f}", *beside.get(name, ("–", "–"))
        )
    return table


def _mean(rows: Sequence[JudgeRow], figure: str) -> float:
    return float(sum(getattr(row, figure) for row in rows)) / len(rows)


def write_judges(rows: Sequence[JudgeRow], out: Path) -> None:
    """`judges.json` with a row for each judge and task, and `reliability-JUDGE.svg`."""
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / "judges.json", json.dumps([row.as_json() for row in rows], indent=1).encode())
    for name in dict.fromkeys(row.judge for row in rows):
        bins = list(pooled([row for row in rows if row.judge == name]))
        _write_diagram(name, bins, out)


def write_reliability(name: str, pages: Iterable[JudgedPage], out: Path) -> None:
    """`reliability-JUDGE.svg` of some pages."""
    _write_diagram(name, reliability(pages), out)


def _write_diagram(name: str, bins: Sequence[ReliabilityBin], out: Path) -> None:
    path = out / f"reliability-{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}.svg"
    write_whole(path, reliability_diagram(name, bins).encode())


def reliability_diagram(name: str, bins: Sequence[ReliabilityBin]) -> str:
    """Judged relevance across, share of relevant pages up; on the diagonal a relevance is a probability. Larger dots are more pages."""
    across, up = Span(0.0, 1.0, _EDGE, _SIZE - 12.0), Span(0.0, 1.0, _SIZE - _EDGE, 28.0)
    most = max((each.pages for each in bins), default=1)
    drawn = [f'<text x="{_EDGE}" y="16" font-weight="bold">{clean(name)}</text>', *_grid(across, up)]
    points = [(across.at(each.relevance), up.at(each.share), each) for each in bins]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
    drawn.append(f'<polyline points="{path}" fill="none" stroke="{_INK}" stroke-width="1.5"/>')
    for x, y, each in points:
        radius = max(2.0, _LARGEST * (each.pages / most) ** 0.5)
        told = f"{each.pages:,} pages judged {each.relevance:.2f}: {each.share:.0%} relevant"
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{_INK}"><title>{told}</title></circle>')
    drawn.append(f'<text x="{_SIZE / 2}" y="{_SIZE - 8}" text-anchor="middle">judged relevance</text>')
    drawn.append(
        f'<text x="12" y="{_SIZE / 2}" text-anchor="middle" transform="rotate(-90 12 {_SIZE / 2})">share relevant</text>'
    )
    return framed(f"Reliability of {name}", _SIZE, _SIZE, drawn)


def _grid(across: Span, up: Span) -> list[str]:
    lines = [
        f'<line x1="{across.at(0)}" y1="{up.at(0)}" x2="{across.at(1)}" y2="{up.at(1)}" stroke="{GREY}" stroke-dasharray="4 4"/>'
    ]
    for tick in ticks(0.0, 1.0, 5):
        lines.append(f'<text x="{across.at(tick)}" y="{up.at(0) + 16}" text-anchor="middle">{number(tick)}</text>')
        lines.append(f'<text x="{across.at(0) - 6}" y="{up.at(tick) + 4}" text-anchor="end">{number(tick)}</text>')
    return lines
