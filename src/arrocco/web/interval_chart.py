"""A chart of intervals: a row for each player, what was seen with its interval, what is expected.

No colours say good or bad, and the rows stand in the order they are given in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from arrocco.web.axes import value_axis
from arrocco.web.charts import Chart, svg_text
from arrocco.words import Language, number

WIDTH, ROW, TOP, BOTTOM = 820, 24, 30, 34
_LEFT, _RIGHT = 210, 160
_NAME = 28
"""Letters of a name that have room."""


@dataclass(frozen=True)
class IntervalRow:
    """A row, in hundredths of a per cent; `beside` stands at its end."""

    label: str
    low: int
    seen: int
    high: int
    expected: int | None = None
    beside: str = ""
    is_faint: bool = False
    """Whether there is too little behind it to say anything."""


def interval_chart(
    language: Language,
    title: str,
    heads: tuple[str, ...],
    rows: Sequence[IntervalRow],
    table: Sequence[tuple[str, ...]],
    *,
    beside: str = "",
    source: str = "",
    legend: tuple[tuple[str, str], ...] = (),
) -> Chart:
    """Draws the rows; `table` is what stands behind the drawing, `beside` the head at the end."""
    if not rows:
        return Chart(title, Markup(""), heads, (), source)
    values = [value for row in rows for value in (row.low, row.high, row.seen)]
    values += [row.expected for row in rows if row.expected is not None]
    x, ticks = value_axis(values, _LEFT, WIDTH - _RIGHT, zero=True)
    height = TOP + ROW * len(rows) + BOTTOM
    drawn = []
    for tick in ticks:
        at = x.at(tick)
        kind = "axis" if tick == ticks[0] else "grid"
        line = '<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"/>'
        drawn.append(Markup(line).format(kind, at, at, TOP - 6, height - BOTTOM))
        drawn.append(svg_text(at, height - BOTTOM + 16, percent(language, tick), "middle"))
    if beside:
        drawn.append(svg_text(WIDTH - 4, TOP - 12, beside, "end"))
    for place, row in enumerate(rows):
        y = TOP + ROW * place + ROW // 2
        name = row.label if len(row.label) <= _NAME else f"{row.label[: _NAME - 1]}…"
        drawn.append(svg_text(_LEFT - 10, y + 4, name, "end"))
        kind = "b" if row.is_faint else "a"
        way = f"M{x.at(row.low)} {y}H{x.at(row.high)}"
        drawn.append(Markup('<path class="line {}" d="{}"/>').format(kind, way))
        if row.expected is not None:
            upright = f"M{x.at(row.expected)} {y - 8}V{y + 8}"
            drawn.append(Markup('<path class="line c" d="{}"/>').format(upright))
        said = f"{row.label}: {percent(language, row.seen)}"
        dot = '<circle class="{}" cx="{}" cy="{}" r="4"><title>{}</title></circle>'
        drawn.append(Markup(dot).format("mark" if row.is_faint else "dot", x.at(row.seen), y, said))
        drawn.append(svg_text(WIDTH - 4, y + 4, row.beside, "end"))
    frame = '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    svg = Markup(frame).format(WIDTH, height, title, Markup("").join(drawn))
    return Chart(title, svg, heads, tuple(table), source, legend)


def percent(language: Language, value: int) -> str:
    """Hundredths of a per cent as a language writes them."""
    return f"{number(language, f'{value / 100:.2f}'.rstrip('0').rstrip('.'))} %"
