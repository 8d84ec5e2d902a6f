"""Statistics for people: a table for each question, and a line that shows how a figure moved."""

from __future__ import annotations

from collections.abc import Sequence

from arrocco.cli.output import Column, Output
from arrocco.engine.statistics import (
    QUANTILES,
    RANKS,
    Distribution,
    Group,
    Scores,
    mean_hundredths,
)
from arrocco.engine.statistics.flow import Common
from arrocco.store.statistics import Watched
from arrocco.units import decimal, points, signed
from arrocco.words import number, show

_BARS = "▁▂▃▄▅▆▇█"


def print_statistics(out: Output, watched: Sequence[Watched], federations: int) -> None:
    """Everything there is to tell of some lists."""
    _print_spread(out, watched)
    _print_ranks(out, watched)
    _print_points(out, watched)
    _print_coefficients(out, watched)
    _print_games(out, watched)
    _print_scores(out, watched)
    if federations:
        _print_federations(out, watched[-1], federations)


def trend(values: Sequence[int | None]) -> str:
    """A line of bars, one a list, from the lowest value to the highest; empty below two values."""
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return ""
    low, spread = min(known), max(known) - min(known)
    top = len(_BARS) - 1
    return "".join(
        " " if value is None else _BARS[(value - low) * top // spread if spread else 0]
        for value in values
    )


def _head(out: Output, *names: str) -> list[Column]:
    return [Column(out.say(f"statistics.head.{name}"), right=name != "list") for name in names]


def _table(out: Output, title: str, heads: list[Column], rows: list[list[str]]) -> None:
    if rows:
        out.table(heads, rows, title=out.say(f"statistics.title.{title}"))
        out.line()


def _day(out: Output, listed: Watched) -> str:
    return show(out.language, listed.on)


def _mean(out: Output, hundredths: int | None) -> str:
    return "-" if hundredths is None else number(out.language, decimal(hundredths))


def _signed(out: Output, hundredths: int | None) -> str:
    return "-" if hundredths is None else number(out.language, signed(hundredths))


def _apart(value: int | None) -> str:
    """A number with its thousands apart."""
    return "-" if value is None else f"{value:,}".replace(",", " ")


def _rating(rating: int | None) -> str:
    return "-" if rating is None else str(rating)


def _trends(out: Output, columns: list[Sequence[int | None]]) -> list[str]:
    """A last row that shows how each column moved."""
    lines = [trend(column) for column in columns]
    return [out.say("statistics.trend"), *lines] if any(lines) else []


# --- spread and drift -----------------------------------------------------------------------------


def _print_spread(out: Output, watched: Sequence[Watched]) -> None:
    for name in ("rated", "active"):
        parts: list[Distribution] = [getattr(listed.statistics, name) for listed in watched]
        heads = [
            *_head(out, "list", name, "mean"),
            *(Column(f"{percent} %", right=True) for percent in QUANTILES),
        ]
        rows = [
            [
                _day(out, listed),
                _apart(part.count),
                _mean(out, part.mean),
                *(_rating(part.quantile(percent)) for percent in QUANTILES),
            ]
            for listed, part in zip(watched, parts, strict=True)
        ]
        columns: list[Sequence[int | None]] = [
            [part.count for part in parts],
            [part.mean for part in parts],
            *([part.quantile(percent) for part in parts] for percent in QUANTILES),
        ]
        more = _trends(out, columns)
        _table(out, f"spread_{name}", heads, [*rows, more] if more else rows)


def _print_ranks(out: Output, watched: Sequence[Watched]) -> None:
    ranks = [r for r in RANKS if any(listed.statistics.active.at_rank(r) for listed in watched)]
    heads = [*_head(out, "list"), *(Column(_apart(rank), right=True) for rank in ranks)]
    parts = [listed.statistics.active for listed in watched]
    rows = [
        [_day(out, listed), *(_rating(part.at_rank(rank)) for rank in ranks)]
        for listed, part in zip(watched, parts, strict=True)
    ]
    more = _trends(out, [[part.at_rank(rank) for part in parts] for rank in ranks])
    _table(out, "ranks", heads, [*rows, more] if more else rows)


# --- points ---------------------------------------------------------------------------------------


def _print_points(out: Output, watched: Sequence[Watched]) -> None:
    flows = [listed for listed in watched if listed.flow is not None]
    balance, people, inflation = [], [], []
    for flow in flows:
        assert flow.flow is not None
        points_flow = flow.flow
        balance.append(
            [
                _day(out, flow),
                _apart(points_flow.before),
                _apart(points_flow.common.gained),
                _apart(points_flow.common.lost),
                _apart(points_flow.entering.points),
                _apart(-points_flow.leaving.points),
                _apart(points_flow.after),
            ]
        )
        groups = (
            points_flow.entering,
            points_flow.delisted,
            points_flow.gone,
            points_flow.became_inactive,
            points_flow.became_active,
        )
        people.append([_day(out, flow), *(cell for group in groups for cell in _group(out, group))])
        inflation.append(
            [
                _day(out, flow),
                *(
                    cell
                    for common in (points_flow.common, points_flow.played)
                    for cell in _common(out, common)
                ),
            ]
        )
    names = ("before", "gained", "lost", "entering_points", "leaving_points", "after")
    _table(out, "points", _head(out, "list", *names), balance)
    turned = ("entering", "delisted", "gone", "became_inactive", "became_active")
    heads = _head(out, "list", *(part for name in turned for part in (name, "mean")))
    _table(out, "people", heads, people)
    heads = _head(out, "list", "common", "mean_change", "played", "mean_change")
    _table(out, "common", heads, inflation)


def _group(out: Output, group: Group) -> list[str]:
    return [_apart(group.count), _mean(out, group.mean)]


def _common(out: Output, common: Common) -> list[str]:
    return [_apart(common.count), _signed(out, common.mean_change)]


# --- calculations ---------------------------------------------------------------------------------


def _print_coefficients(out: Output, watched: Sequence[Watched]) -> None:
    rows = []
    for listed in watched:
        if listed.calculations is not None:
            total = sum(line.players for line in listed.calculations.coefficients)
            rows += [
                [
                    _day(out, listed),
                    str(line.k),
                    _apart(line.players),
                    _share(out, line.players, total),
                    _apart(line.games),
                    _apart(line.limited),
                ]
                for line in listed.calculations.coefficients
            ]
        else:
            total = sum(count for _, count in listed.statistics.k)
            rows += [
                [_day(out, listed), str(k), _apart(count), _share(out, count, total), "-", "-"]
                for k, count in listed.statistics.k
            ]
    heads = _head(out, "list", "k", "players", "share", "games", "limited")
    _table(out, "coefficients", heads, rows)


def _share(out: Output, part: int, whole: int) -> str:
    """A part in per cent with two decimals."""
    return f"{_mean(out, mean_hundredths(100 * part, whole))} %"


def _print_games(out: Output, watched: Sequence[Watched]) -> None:
    kept = [listed for listed in watched if listed.calculations is not None]
    rows = []
    for listed in kept:
        assert listed.calculations is not None
        groups = listed.calculations.game_groups
        rows.append(
            [
                _day(out, listed),
                *(_apart(count) for _, _, count in groups),
                _mean(out, listed.calculations.games.mean),
            ]
        )
    if kept and kept[0].calculations is not None:
        groups = kept[0].calculations.game_groups
        heads = [
            *_head(out, "list"),
            *(Column(_range(low, high), right=True) for low, high, _ in groups),
            *_head(out, "mean"),
        ]
        _table(out, "games", heads, rows)


def _range(low: int, high: int | None) -> str:
    return f"≥ {low}" if high is None else f"{low}" if low == high else f"{low}–{high}"


def _print_scores(out: Output, watched: Sequence[Watched]) -> None:
    together = Scores()
    for listed in watched:
        if listed.scores is not None:
            together.merge(listed.scores)
    rows = [
        [
            _range(band.low, band.high),
            _apart(band.sides),
            _mean(out, band.expected),
            number(out.language, points(band.half_points)),
            _signed(out, band.surplus),
            _mean(out, band.mean_expected),
            _mean(out, band.mean_actual),
            _bar(band.mean_actual),
        ]
        for band in together.bands()
    ]
    names = ("difference", "sides", "expected", "actual", "surplus", "percent", "percent_actual")
    _table(out, "scores", [*_head(out, *names), Column("")], rows)


def _bar(percent_hundredths: int | None) -> str:
    """A bar of up to twenty blocks for a score in per cent."""
    return "█" * ((percent_hundredths or 0) // 500)


def _print_federations(out: Output, last: Watched, most: int) -> None:
    total = last.statistics.rated.count
    rows = [
        [
            share.federation or "-",
            _apart(share.rated),
            _share(out, share.rated, total),
            _apart(share.active),
            _mean(out, share.mean),
        ]
        for share in last.statistics.federations[:most]
    ]
    heads = [Column(out.say("statistics.head.federation"))]
    _table(out, "federations", [*heads, *_head(out, "rated", "share", "active", "mean")], rows)
