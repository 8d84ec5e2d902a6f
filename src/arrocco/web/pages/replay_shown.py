"""What a replay found, as its page shows it: charts, tables, files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from msgspec import Struct

from arrocco.desk.replay_records import Replay
from arrocco.engine.statistics import mean_hundredths
from arrocco.formats.csv_cells import defused_row
from arrocco.lawbook import meaning, title
from arrocco.laws.edition import edition_name
from arrocco.laws.registry import edition_named
from arrocco.laws.rounding import half_away_from_zero
from arrocco.office.replaying import Offered, Other
from arrocco.web import writing
from arrocco.web.charts import Bar, Chart, DayValue, Line, histogram, line_chart
from arrocco.web.view import View
from arrocco.words import number

LISTS, PLAYERS = "lists.csv", "players.csv"
FILES = (LISTS, PLAYERS)
Row = dict[str, Any]


class ShownReplay(Struct, frozen=True, kw_only=True):
    """The figures of a replay that is done."""

    day: date | None
    """The last list that both regulations have."""
    last: Row
    is_same: bool
    means: Chart
    differences: Chart
    rows: list[tuple[date, Row, str, str, str]]
    """By list: its figures, the two means and the mean difference as they are written."""
    mean: str


# --- regulations ----------------------------------------------------------------------------------


def named(view: View, other: Other) -> str:
    """A regulation as a replay reads it, in words."""
    law = view.t(f"law_pages.law.{other.law}")
    if not other.edition:
        return f"{law}, {view.t('replay_pages.as_in_force')}"
    edition = edition_named(other.law, other.edition)
    said = title(view.language, edition)
    for reading in edition.READINGS:
        if reading.name in other.readings:
            choice = reading.choice(other.readings[reading.name])
            words = meaning(view.language, choice)
            said += f" · {view.t('replay_pages.reading', article=reading.article, words=words)}"
    return said


def offered(view: View, offers: Iterable[Offered]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Groups of a list to choose from: each regulation with its editions and their readings."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for offer in offers:
        law = view.t(f"law_pages.law.{offer.other.law}")
        choices = groups.setdefault(law, [])
        if offer.edition is None:
            choices.append((offer.other.key, f"{law}, {view.t('replay_pages.as_in_force')}"))
            continue
        named = f"{law} {writing.edition_day(view.language, edition_name(offer.edition))}"
        choices.append((offer.other.key, f"{named}: {view.t('replay_pages.as_read')}"))
        for other, reading, choice in offer.readings:
            words = meaning(view.language, choice)
            said = view.t("replay_pages.reading", article=reading.article, words=words)
            choices.append((other.key, f"{named}, {said}"))
    return list(groups.items())


# --- figures --------------------------------------------------------------------------------------


def shown(view: View, replay: Replay) -> ShownReplay:
    """The figures of a replay, in the language of the page."""
    assert replay.found is not None
    lists = replay.found.lists
    last: Row = lists[-1] if lists else {}
    day = _day(last) if lists else None
    same = all(
        not (listed["different"] or listed["only_one"]["count"] or listed["only_other"]["count"])
        for listed in lists
    )
    return ShownReplay(
        day=day,
        last=last,
        is_same=same,
        means=_means(view, lists),
        differences=_differences(view, last, day),
        rows=[_row(view, one) for one in lists],
        mean=_decimal(view, last.get("mean")),
    )


def _row(view: View, one: Row) -> tuple[date, Row, str, str, str]:
    means = one["one"]["mean"], one["other"]["mean"], one["mean"]
    was, replayed, difference = (_decimal(view, mean) for mean in means)
    return _day(one), one, was, replayed, difference


def _means(view: View, lists: list[Row]) -> Chart:
    lines = []
    for side, key in (("one", "as_was"), ("other", "replayed")):
        values = []
        for listed in lists:
            mean = mean_hundredths(listed[side]["points"], listed[side]["count"])
            if mean is not None:
                exact = _decimal(view, listed[side]["mean"])
                values.append(DayValue(_day(listed), half_away_from_zero(mean, 100), exact))
        if values:
            lines.append(Line(view.t(f"replay_pages.{key}"), tuple(values)))
    heading = view.t("replay_pages.means")
    return line_chart(view.language, heading, view.t("statistics.head.list"), lines)


def _differences(view: View, last: Row, day: date | None) -> Chart:
    bars = list(_bars(last["buckets"])) if last else []
    heads = view.t("replay_pages.difference"), view.t("replay_pages.players")
    source = view.t("statistics_pages.of_list", day=writing.day(view.language, day)) if day else ""
    return histogram(view.language, view.t("replay_pages.differences"), heads, bars, source=source)


def _bars(buckets: list[Row]) -> Iterator[Bar]:
    """From far lower to far higher; the first bucket counts those without a difference."""
    none, *sizes = buckets
    while len(sizes) > 1 and not (sizes[-1]["higher"] or sizes[-1]["lower"]):
        sizes.pop()  # nobody is that far away, on either side
    for size in reversed(sizes):
        yield Bar(_range(size, "−"), size["lower"])
    yield Bar("0", none["higher"])
    for size in sizes:
        yield Bar(_range(size, "+"), size["higher"])


def _range(bucket: Row, sign: str) -> str:
    """A size of difference on one side of nought, short enough to stand under its bar."""
    low, high = bucket["from"], bucket["to"]
    if high is None:
        return f"{'<' if sign == '−' else '>'} {sign}{low - 1}"
    return f"{sign}{low}–{high}"


def _day(row: Row) -> date:
    return date.fromisoformat(row["list"])


def _decimal(view: View, text: str | None) -> str:
    return "–" if text is None else writing.true_minus(number(view.language, text))


# --- files ----------------------------------------------------------------------------------------


def csv_of(replay: Replay, players: Path, file: str) -> bytes:
    """A table of text: list against list, or every player whose rating differs."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if file == LISTS:
        writer.writerow(
            (
                "list",
                "mean_as_was",
                "mean_replayed",
                "rated_as_was",
                "rated_replayed",
                "both",
                "different",
                "mean_difference",
            )
        )
        for first in replay.found.lists if replay.found else ():
            writer.writerow(
                (
                    first["list"],
                    first["one"]["mean"],
                    first["other"]["mean"],
                    first["one"]["count"],
                    first["other"]["count"],
                    first["both"],
                    first["different"],
                    first["mean"],
                )
            )
    else:
        table = pq.read_table(players)
        writer.writerow((*table.column_names, "difference"))
        for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
            first, other = row[-2:]
            writer.writerow(defused_row((*row, other - first if first and other else None)))
    return text.getvalue().encode()
