"""The charts of a rating system, made from the tables of `store.statistics_rows`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from arrocco.engine.statistics import RANKS, mean_hundredths
from arrocco.laws.rounding import half_away_from_zero
from arrocco.store.statistics_rows import Row, Tables
from arrocco.web import writing
from arrocco.web.charts import Bar, Chart, DayValue, Dot, Line, histogram, line_chart, scatter
from arrocco.web.view import View

_DRIFTING = (100, 1_000, 10_000)
"""Ranks whose drift is drawn where a list is long enough; otherwise the last that there are."""


class ShownChart(Struct, frozen=True):
    """A chart, what it tells, and the table that can be fetched."""

    name: str
    chart: Chart
    about: str
    table: str


def charts_of(
    view: View, tables: Tables, source: str, hidden: Collection[str] = ()
) -> list[ShownChart]:
    """All charts of a system, in the order of the questions they answer.

    What the office hides of players is not counted in public either.
    """
    makers: tuple[tuple[str, str, Callable[[View, Tables, str, str], Chart]], ...] = (
        ("bands", "bands", _bands),
        ("ages", "ages", _ages),
        ("drift", "ranks", _drift),
        ("games", "games", _games),
        ("scores", "scores", _scores),
        ("spread", "lists", _spread),
        ("points", "points", _points),
        ("people", "points", _people),
        ("coefficients", "coefficients", _coefficients),
    )
    return [
        ShownChart(
            name,
            make(view, tables, view.t(f"statistics_pages.chart.{name}.title"), source),
            view.t(f"statistics_pages.chart.{name}.about"),
            table,
        )
        for name, table, make in makers
        if name != "ages" or not hidden
    ]


def _bands(view: View, tables: Tables, title: str, source: str) -> Chart:
    """The newest list by ratings: all rated players, and the active ones beside them."""
    rows = _of_last(tables["bands"])
    bars = [Bar(str(row["from"]), row["rated"], row["active"]) for row in rows]
    heads = tuple(view.t(f"statistics.head.{name}") for name in ("rating", "rated", "active"))
    return _bars(view, title, source, rows, heads, bars)


def _ages(view: View, tables: Tables, title: str, source: str) -> Chart:
    """The newest list by age, women and men beside each other."""
    rows = _of_last(tables["ages"])
    counts: dict[tuple[int, int | None], dict[str, int]] = defaultdict(dict)
    for row in rows:
        counts[row["from"], row["to"]][row["sex"]] = row["rated"]
    bars = [
        Bar(_range(*years), count.get("women", 0), count.get("men", 0))
        for years, count in counts.items()
    ]
    heads = tuple(view.t(f"statistics.head.{name}") for name in ("age", "women", "men"))
    return _bars(view, title, source, rows, heads, bars)


def _drift(view: View, tables: Tables, title: str, source: str) -> Chart:
    """The rating at fixed ranks, as its distance from the first list."""
    rows = [row for row in tables["ranks"] if row["of"] == "active"]
    there = [rank for rank in RANKS if any(row[f"rank_{rank}"] is not None for row in rows)]
    drawn = [rank for rank in _DRIFTING if rank in there] or there[-3:]
    lines = []
    for rank in drawn:
        known = [(_day(row), row[f"rank_{rank}"]) for row in rows if row[f"rank_{rank}"]]
        first = known[0][1]
        values = tuple(DayValue(day, value - first, str(value)) for day, value in known)
        name = view.t("statistics_pages.rank", rank=writing.count(view.language, rank))
        lines.append(Line(name, values))
    if lines and tables["points"]:
        lines.append(Line(view.t("statistics_pages.both_lists"), tuple(_both(tables))))
    label = view.t("statistics_pages.points_label")
    return line_chart(view.language, title, _list_head(view), lines, source=source, y_label=label)


def _both(tables: Tables) -> Iterator[DayValue]:
    """What those on both lists gained on average, added up list by list since the first one.

    A fixed rank rises when the pool grows; this does not.
    """
    rows, total = tables["points"], 0
    yield DayValue(date.fromisoformat(rows[0]["before_list"]), 0, "0")
    for row in rows:
        total += _hundredths(row["common_mean_change"] or 0)
        yield DayValue(_day(row), half_away_from_zero(total, 100))


def _spread(view: View, tables: Tables, title: str, source: str) -> Chart:
    """Median with the middle half of the players, and the mean."""
    rows = [row for row in tables["lists"] if row["of"] == "active" and row["count"]]
    median = Line(
        view.t("statistics_pages.median"),
        tuple(DayValue(_day(row), row["q50"]) for row in rows),
        tuple(row["q25"] for row in rows),
        tuple(row["q75"] for row in rows),
    )
    mean = Line(
        view.t("statistics_pages.mean"),
        tuple(DayValue(_day(row), _whole(row["mean"])) for row in rows),
    )
    lines = [median, mean] if rows else []
    label = view.t("statistics.head.rating")
    return line_chart(view.language, title, _list_head(view), lines, source=source, y_label=label)


def _points(view: View, tables: Tables, title: str, source: str) -> Chart:
    rows = tables["points"]
    parts: Sequence[tuple[str, Callable[[Row], int]]] = (
        ("common", lambda row: row["common_change"]),
        ("entering", lambda row: row["entering_points"]),
        ("leaving", lambda row: -row["leaving_points"]),
    )
    return _lines(view, rows, title, source, "points", parts)


def _people(view: View, tables: Tables, title: str, source: str) -> Chart:
    parts: Sequence[tuple[str, Callable[[Row], int]]] = (
        ("entering", lambda row: row["entering"]),
        ("leaving", lambda row: row["leaving"]),
    )
    return _lines(view, tables["points"], title, source, "people", parts)


def _lines(
    view: View,
    rows: Sequence[Row],
    title: str,
    source: str,
    group: str,
    parts: Sequence[tuple[str, Callable[[Row], int]]],
) -> Chart:
    lines = [
        Line(
            view.t(f"statistics_pages.{group}.{name}"),
            tuple(DayValue(_day(row), value(row)) for row in rows),
        )
        for name, value in parts
        if rows
    ]
    label = view.t(f"statistics_pages.{group}_label")
    return line_chart(view.language, title, _list_head(view), lines, source=source, y_label=label)


def _scores(view: View, tables: Tables, title: str, source: str) -> Chart:
    """By band of differences: what the table expects of the stronger, and what they scored."""
    sums: dict[tuple[int, int | None], list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in tables["scores"]:
        band = sums[row["from"], row["to"]]
        for place, value in enumerate(
            (row["sides"], _hundredths(row["expected"]), _hundredths(row["actual"]))
        ):
            band[place] += value
    dots = []
    for (low, high), (sides, expected, actual) in sorted(sums.items(), key=lambda item: item[0][0]):
        at = [
            half_away_from_zero(mean_hundredths(part, sides) or 0, 100)
            for part in (expected, actual)
        ]
        dots.append(Dot(at[0], at[1], _range(low, high)))
    heads = (
        view.t("statistics.head.difference"),
        view.t("statistics.head.percent"),
        view.t("statistics.head.percent_actual"),
    )
    diagonal = view.t("statistics_pages.diagonal")
    return scatter(view.language, title, heads, dots, source=source, diagonal=diagonal)


def _coefficients(view: View, tables: Tables, title: str, source: str) -> Chart:
    rows = _of_last(tables["coefficients"])
    bars = [Bar(f"K {row['k']}", row["players"]) for row in rows]
    heads = (view.t("statistics.head.k"), view.t("statistics.head.players"))
    return _bars(view, title, source, rows, heads, bars)


def _games(view: View, tables: Tables, title: str, source: str) -> Chart:
    rows = _of_last(tables["games"])
    bars = [Bar(_range(row["from"], row["to"]), row["players"]) for row in rows]
    heads = (view.t("statistics.head.games"), view.t("statistics.head.players"))
    return _bars(view, title, source, rows, heads, bars)


def _bars(
    view: View,
    title: str,
    source: str,
    rows: Sequence[Row],
    heads: tuple[str, ...],
    bars: list[Bar],
) -> Chart:
    if rows:
        shown = writing.day(view.language, _day(rows[0]))
        source = view.t("statistics_pages.of_list", day=shown)
    label = view.t("statistics.head.players")
    return histogram(view.language, title, heads, bars, source=source, y_label=label)


def _of_last(rows: Sequence[Row]) -> list[Row]:
    """The rows of the newest list that has any."""
    last = max((row["list"] for row in rows), default="")
    return [row for row in rows if row["list"] == last]


def _list_head(view: View) -> str:
    return view.t("statistics.head.list")


def _day(row: Row) -> date:
    return date.fromisoformat(row["list"])


def _range(low: int, high: int | None) -> str:
    return f"≥ {low}" if high is None else f"{low}" if low == high else f"{low}–{high}"


def _hundredths(text: Any) -> int:
    """A decimal of the tables in hundredths: they have none, one or two decimals."""
    whole, _, decimals = str(text).partition(".")
    sign = -1 if whole.startswith("-") else 1
    return sign * (100 * abs(int(whole)) + int(decimals.ljust(2, "0") or 0))


def _whole(text: Any) -> int:
    return half_away_from_zero(_hundredths(text), 100)
