"""Charts as SVG made on the server: they need no script, print, and have a table behind them.

Every chart is a `Chart`: the drawing, and the same figures as rows. ``parts/chart.html`` shows it.
Hovering a point reads its value; colours come from the stylesheet. Where there are scripts, charts
with `figures` are drawn by ``frontend/src/charts`` and read by the arrow keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import msgspec
from markupsafe import Markup

from arrocco.web import writing
from arrocco.web.axes import Axis, day_axis, day_mark, value_axis
from arrocco.words import Language

WIDTH, HEIGHT = 820, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 26, 48
_LABELS = 28
"""From the lower edge to the values under an axis; its name stands below them."""
_ONE_SERIES = ("class", "count")
_X = (_LEFT, WIDTH - _RIGHT)
_Y = (HEIGHT - _BOTTOM, _TOP)
_RATING_SPAN = 60
"""Points a chart of ratings covers at least."""
_PARTED_FROM = 10_000
_KINDS = ("a", "b", "c")
"""How lines are told apart: by their dashes as well as by their colours."""


@dataclass(frozen=True)
class Chart:
    """A drawing and the figures it shows; the first column of the rows names them."""

    title: str
    svg: Markup
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    source: str = ""
    legend: tuple[tuple[str, str], ...] = ()
    """Kind and name of each line, where there are several."""
    figures: str = ""
    """The same for the script that draws it in the browser, as JSON; empty without one."""
    is_over_days: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.rows


@dataclass(frozen=True)
class DayValue:
    """A value on a day: a rating on a list, or a mark beside the line such as a tournament."""

    day: date
    value: int
    label: str = ""


@dataclass(frozen=True)
class Bar:
    """A bar of a histogram: what it counts and how many, with another beside it if there is one."""

    label: str
    count: int
    beside: int | None = None


@dataclass(frozen=True)
class Line:
    """A line over days, with the range around it where there is one."""

    name: str
    values: tuple[DayValue, ...]
    lows: tuple[int, ...] = ()
    highs: tuple[int, ...] = ()


@dataclass(frozen=True)
class Dot:
    """A point of a scatter."""

    x: int
    y: int
    label: str


def step_chart(
    language: Language,
    title: str,
    heads: tuple[str, str],
    values: Sequence[DayValue],
    marks: Sequence[DayValue] = (),
    *,
    source: str = "",
) -> Chart:
    """A rating over the lists: it holds from one list to the next; marks are tournaments."""
    if not values:
        return Chart(title, Markup(""), heads, (), source)
    x, days = day_axis([point.day for point in (*values, *marks)], *_X)
    y, ticks = value_axis([point.value for point in (*values, *marks)], *_Y, span=_RATING_SPAN)
    path = f"M{x.at(values[0].day.toordinal())} {y.at(values[0].value)}"
    for point in values[1:]:
        path += f"H{x.at(point.day.toordinal())}V{y.at(point.value)}"
    drawn = [
        _grid(language, x, days, y, ticks),
        Markup('<path class="line a" d="{}"/>').format(path),
    ]
    drawn += [_point(x.at(p.day.toordinal()), y.at(p.value), _said(language, p)) for p in values]
    drawn += [
        _point(x.at(p.day.toordinal()), y.at(p.value), _said(language, p), kind="mark")
        for p in marks
    ]
    rows = tuple((writing.day(language, p.day), writing.rating(p.value)) for p in values)
    return Chart(title, _svg(title, drawn), heads, rows, source)


def histogram(
    language: Language,
    title: str,
    heads: tuple[str, ...],
    bars: Sequence[Bar],
    *,
    source: str = "",
    y_label: str = "",
) -> Chart:
    """How many fall into each class, the classes in the order given.

    `heads` name the class, the bars, and those beside them where there are two.
    """
    if not bars:
        return Chart(title, Markup(""), heads, (), source)
    counted = [[bar.count for bar in bars]]
    if len(heads) > len(_ONE_SERIES):
        counted.append([bar.beside or 0 for bar in bars])
    y, ticks = value_axis([n for counts in counted for n in counts], *_Y, zero=True)
    x = Axis(0, len(bars) * len(counted), *_X)
    every = -(-len(bars) // 16)
    y_label = y_label or heads[1]
    drawn = [_horizontals(language, y, ticks), *_axis_names(heads[0], y_label)]
    for number, bar in enumerate(bars):
        for place, counts in enumerate(counted):
            at = number * len(counted) + place
            left, right, top = x.at(at), x.at(at + 1), y.at(counts[number])
            name = f"{heads[place + 1]}, " if len(counted) > 1 else ""
            text = f"{bar.label}: {name}{_figure(language, counts[number])}"
            box = (left + 1, top, max(right - left - 2, 1), max(y.at(0) - top, 0))
            drawn.append(
                Markup(
                    '<rect class="bar{}" x="{}" y="{}" width="{}" height="{}">'
                    "<title>{}</title></rect>"
                ).format("" if place == 0 else f" {_KINDS[place]}", *box, text)
            )
        if number % every == 0:
            middle = (x.at(number * len(counted)) + x.at((number + 1) * len(counted))) // 2
            drawn.append(svg_text(middle, HEIGHT - _LABELS, bar.label, "middle"))
    rows = tuple(
        (bar.label, *(_figure(language, counts[number]) for counts in counted))
        for number, bar in enumerate(bars)
    )
    named = [(f"bar {_KINDS[place]}", head) for place, head in enumerate(heads[1:])]
    figures = {
        "kind": "bars",
        "labels": [bar.label for bar in bars],
        "x": heads[0],
        "y": y_label,
        "series": [
            {"name": head, "values": counts}
            for head, counts in zip(heads[1:], counted, strict=True)
        ],
    }
    legend = tuple(named) if len(counted) > 1 else ()
    return Chart(title, _svg(title, drawn), heads, rows, source, legend, _json(figures))


def line_chart(
    language: Language,
    title: str,
    day_head: str,
    lines: Sequence[Line],
    *,
    source: str = "",
    y_label: str = "",
) -> Chart:
    """Lines over the same days, at most three, each with its range; a line has its own dashes."""
    if len(lines) > len(_KINDS):
        raise ValueError(f"{len(lines)} lines cannot be told apart")
    everything = [point for line in lines for point in line.values]
    heads = (day_head, *(line.name for line in lines))
    if not everything:
        return Chart(title, Markup(""), heads, (), source)
    reach = [p.value for p in everything] + [v for line in lines for v in (*line.lows, *line.highs)]
    x, days = day_axis([point.day for point in everything], *_X)
    y, ticks = value_axis(reach, *_Y)
    drawn = [_grid(language, x, days, y, ticks), *_axis_names(day_head, y_label)]
    for kind, line in zip(_KINDS, lines, strict=False):
        across = [x.at(point.day.toordinal()) for point in line.values]
        if line.lows:
            edge = [f"{px} {y.at(v)}" for px, v in zip(across, line.highs, strict=True)]
            back = [f"{px} {y.at(v)}" for px, v in zip(across, line.lows, strict=True)]
            area = "M" + "L".join([*edge, *reversed(back)]) + "Z"
            drawn.append(Markup('<path class="range {}" d="{}"/>').format(kind, area))
        way = "M" + "L".join(
            f"{px} {y.at(p.value)}" for px, p in zip(across, line.values, strict=True)
        )
        drawn.append(Markup('<path class="line {}" d="{}"/>').format(kind, way))
        drawn += [
            _point(px, y.at(p.value), f"{line.name} · {_said(language, p)}")
            for px, p in zip(across, line.values, strict=True)
        ]
    legend = tuple((kind, line.name) for kind, line in zip(_KINDS, lines, strict=False))
    by_day = [{point.day: point for point in line.values} for line in lines]
    rows = tuple(
        (
            writing.day(language, day),
            *(_figure(language, of[day].value if day in of else None) for of in by_day),
        )
        for day in sorted({point.day for point in everything})
    )
    figures = {
        "kind": "days",
        "x": day_head,
        "y": y_label,
        "series": [
            {
                "name": line.name,
                "days": [_since_1970(p.day) for p in line.values],
                "values": [p.value for p in line.values],
                "low": line.lows,
                "high": line.highs,
            }
            for line in lines
        ],
    }
    return Chart(
        title,
        _svg(title, drawn),
        heads,
        rows,
        source,
        legend if len(lines) > 1 else (),
        _json(figures),
        is_over_days=True,
    )


def scatter(
    language: Language,
    title: str,
    heads: tuple[str, str, str],
    dots: Sequence[Dot],
    *,
    source: str = "",
    diagonal: str = "",
) -> Chart:
    """Points by two values; `heads` name the point, its x and its y.

    `diagonal` names the line on which both are the same, where it is drawn.
    """
    if not dots:
        return Chart(title, Markup(""), heads, (), source)
    x, x_ticks = value_axis([dot.x for dot in dots], *_X, most=8)
    y, y_ticks = value_axis([dot.y for dot in dots], *_Y)
    drawn = [_horizontals(language, y, y_ticks), *_axis_names(heads[1], heads[2])]
    drawn += [svg_text(x.at(v), HEIGHT - _LABELS, _figure(language, v), "middle") for v in x_ticks]
    low, high = max(x.low, y.low), min(x.high, y.high)
    if diagonal and low < high:
        way = f"M{x.at(low)} {y.at(low)}L{x.at(high)} {y.at(high)}"
        drawn.append(Markup('<path class="line b" d="{}"/>').format(way))
    drawn += [_point(x.at(dot.x), y.at(dot.y), dot.label, kind="dot") for dot in dots]
    rows = tuple((dot.label, _figure(language, dot.x), _figure(language, dot.y)) for dot in dots)
    figures = {
        "kind": "dots",
        "x": heads[1],
        "y": heads[2],
        "diagonal": diagonal,
        "dots": [(dot.x, dot.y, dot.label) for dot in dots],
    }
    legend = (("b", diagonal),) if diagonal else ()
    return Chart(title, _svg(title, drawn), heads, rows, source, legend, _json(figures))


# --- drawing --------------------------------------------------------------------------------------


def _svg(title: str, drawn: Sequence[Markup]) -> Markup:
    frame = '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    return Markup(frame).format(WIDTH, HEIGHT, title, Markup("").join(drawn))


def _grid(
    language: Language, x: Axis, days: Sequence[date], y: Axis, ticks: Sequence[int]
) -> Markup:
    under = [
        svg_text(x.at(day.toordinal()), HEIGHT - _LABELS, day_mark(language, day, x), "middle")
        for day in days
    ]
    return _horizontals(language, y, ticks) + Markup("").join(under)


def _horizontals(language: Language, y: Axis, ticks: Sequence[int]) -> Markup:
    line = Markup('<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"/>')
    drawn = []
    for number, tick in enumerate(ticks):
        at = y.at(tick)
        drawn.append(line.format("axis" if number == 0 else "grid", *_X, at, at))
        drawn.append(svg_text(_LEFT - 8, at + 4, _figure(language, tick), "end"))
    return Markup("").join(drawn)


def _axis_names(x: str, y: str) -> list[Markup]:
    """What the axes measure: above the upright one, and under the end of the other."""
    named = [svg_text(4, 12, y, "start")] if y else []
    return [*named, svg_text(WIDTH - _RIGHT, HEIGHT - 8, x, "end")]


def _json(figures: dict[str, Any]) -> str:
    return msgspec.json.encode(figures).decode()


def _since_1970(day: date) -> int:
    return day.toordinal() - date(1970, 1, 1).toordinal()


def svg_text(x: int, y: int, text: str, anchor: str) -> Markup:
    return Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(x, y, anchor, text)


def _point(x: int, y: int, text: str, *, kind: str = "spot") -> Markup:
    """A point that can be hovered; a plain spot of a line is seen only then.

    None can be focused: a chart would have hundreds of tab stops, and its table says the same.
    """
    radius = 4 if kind != "spot" else 7
    return Markup('<circle class="{}" cx="{}" cy="{}" r="{}"><title>{}</title></circle>').format(
        kind, x, y, radius, text
    )


def _said(language: Language, point: DayValue) -> str:
    told = f"{writing.day(language, point.day)}: {_figure(language, point.value)}"
    return f"{told} · {point.label}" if point.label else told


def _figure(language: Language, value: int | None) -> str:
    """A number of a chart; thousands are parted from five digits on, as ratings never are."""
    if value is not None and abs(value) < _PARTED_FROM:
        return writing.true_minus(str(value))
    return writing.count(language, value)
