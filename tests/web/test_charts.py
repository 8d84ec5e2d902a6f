"""Charts: what they draw is what their tables say, on axes that hold every value."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from arrocco.web.axes import day_axis, round_step, value_axis
from arrocco.web.charts import (
    HEIGHT,
    WIDTH,
    Bar,
    Chart,
    DayValue,
    Dot,
    Line,
    histogram,
    line_chart,
    scatter,
    step_chart,
)

DAYS = [date(2024, month, 1) for month in range(1, 7)]
RATINGS = [DayValue(day, 1500 + 7 * n, f"list {n}") for n, day in enumerate(DAYS)]


def charts() -> list[Chart]:
    return [
        step_chart("en", "Rating <b>", ("List", "Rating"), RATINGS, [DayValue(DAYS[2], 1510)]),
        histogram("it", "Variazioni", ("Classe", "Giocatori"), [Bar("−5", 3), Bar("0", 1200)]),
        line_chart(
            "en",
            "Drift",
            "List",
            [
                Line("mean", tuple(RATINGS), tuple([1400] * 6), tuple([1600] * 6)),
                Line("median", tuple(RATINGS[:3])),
            ],
        ),
        histogram("en", "Ages", ("Age", "Women", "Men"), [Bar("0–9", 3, 4), Bar("10–13", 9, 8)]),
        scatter(
            "en",
            "Scores",
            ("Player", "x", "y"),
            [Dot(-3, 4, "A & B"), Dot(5, 5, "C")],
            diagonal="as expected",
        ),
    ]


@pytest.mark.parametrize("chart", charts(), ids=lambda chart: chart.title)
def test_a_chart_is_sound_svg_within_its_frame(chart: Chart) -> None:
    drawn = etree.fromstring(str(chart.svg))
    assert drawn.get("aria-label") == chart.title
    for name, most in (("cx", WIDTH), ("x", WIDTH), ("cy", HEIGHT), ("y", HEIGHT)):
        for value in drawn.xpath(f"//@{name}"):  # type: ignore[union-attr]
            assert 0 <= int(str(value)) <= most
    assert not chart.is_empty
    assert all(len(row) == len(chart.heads) for row in chart.rows)


@pytest.mark.parametrize("chart", charts(), ids=lambda chart: chart.title)
def test_every_point_says_its_value(chart: Chart) -> None:
    drawn = etree.fromstring(str(chart.svg))
    points = [node for node in drawn.iter() if node.find("{*}title") is not None]
    assert len(points) >= len(chart.rows)
    assert all(len(node) == 1 and node[0].text for node in points)
    assert "tabindex" not in str(chart.svg), "a chart is one tab stop, made by its script"


def test_a_step_holds_until_the_next_list() -> None:
    drawn = str(step_chart("en", "x", ("a", "b"), RATINGS[:3]).svg)
    assert drawn.count("H") == drawn.count("V") == 2


def test_ratings_are_not_parted_and_large_counts_are() -> None:
    assert ">1500<" in str(step_chart("it", "x", ("a", "b"), RATINGS).svg)
    assert ">20.000<" in str(histogram("it", "x", ("a", "b"), [Bar("a", 20_000)]).svg)


def test_without_figures_there_is_no_drawing() -> None:
    assert step_chart("en", "x", ("a", "b"), []).is_empty
    assert histogram("en", "x", ("a", "b"), []).is_empty
    assert line_chart("en", "x", "a", [Line("n", ())]).is_empty
    assert scatter("en", "x", ("a", "b", "c"), []).is_empty


def test_more_lines_than_can_be_told_apart_are_refused() -> None:
    with pytest.raises(ValueError, match="4 lines"):
        line_chart("en", "x", "a", [Line(str(n), tuple(RATINGS)) for n in range(4)])


@given(st.lists(st.integers(-(10**7), 10**7), min_size=1))
def test_an_axis_holds_all_values_between_round_marks(values: list[int]) -> None:
    axis, marks = value_axis(values, 300, 0)
    assert axis.low <= min(values) <= max(values) <= axis.high
    assert (marks[0], marks[-1]) == (axis.low, axis.high)
    assert 2 <= len(marks) <= 9
    assert (axis.at(axis.low), axis.at(axis.high)) == (300, 0)


@given(st.lists(st.dates(date(1970, 1, 1), date(2100, 1, 1)), min_size=1))
def test_days_are_marked_at_the_first_of_months(days: list[date]) -> None:
    axis, marks = day_axis(days, 0, 800)
    assert axis.low <= min(days).toordinal() <= max(days).toordinal() <= axis.high
    assert 1 <= len(marks) <= 10
    assert marks == [min(days)] or all(mark.day == 1 for mark in marks)


@pytest.mark.parametrize(("span", "step"), [(1, 1), (6, 1), (7, 2), (30, 5), (31, 10), (900, 200)])
def test_steps_are_round(span: int, step: int) -> None:
    assert round_step(span, 6) == step


def test_a_change_of_two_points_does_not_look_like_a_fall() -> None:
    axis, marks = value_axis([2334, 2336], 300, 0, span=60)
    assert axis.high - axis.low >= 60
    assert marks[0] <= 2334
    assert marks[-1] >= 2336
    assert axis.at(2334) - axis.at(2336) <= 10
