"""From a record to its line, column by column; blanks at the end are not written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import FIRST_COLUMN, write_cell
from arrocco.formats.trf.columns import show_tenths
from arrocco.records.report import Birth


def encode(record: r.Record) -> str:
    """The line of a record, without its ending."""
    return _ENCODERS[type(record)](record).rstrip()


def _number(number: int | None, width: int) -> str:
    return " " * width if number is None else f"{number:>{width}}"


def _points(points: int | None, width: int = 4) -> str:
    return " " * width if points is None else f"{show_tenths(points):>{width}}"


def _list(numbers: tuple[int, ...], width: int = 4) -> str:
    return " ".join(f"{number:>{width}}" if number else " " * width for number in numbers)


def _birth(birth: Birth | None) -> str:
    if birth is None:
        return ""
    if birth.month is None or birth.day is None:
        return f"{birth.year:04d}/00/00"
    return f"{birth.year:04d}/{birth.month:02d}/{birth.day:02d}"


def _person(
    tag: str,
    number: int | None,
    sex: str,
    title: str,
    name: str,
    rating: int | None,
    federation: str,
    id_: str,
    birth: Birth | None,
) -> str:
    """Columns 1 to 79, shared by players and national ratings."""
    return (
        f"{tag} {_number(number, 4)} {sex:1}{title:>3} {name:<33} {_number(rating, 4)}"
        f" {federation:<3} {id_:>11} {_birth(birth):<10}"
    )


def _player(p: r.PlayerRecord) -> str:
    person = _person(
        "001",
        p.number,
        p.sex,
        p.title,
        p.name,
        p.rating,
        p.federation,
        "" if p.id is None else str(p.id),
        p.birth,
    )
    rounds = "".join("  " + write_cell(cell) for cell in p.rounds)
    return f"{person} {_points(p.points)} {_number(p.rank, 4)}{rounds}"


def _national(n: r.NationalRating) -> str:
    return _person(
        n.federation, n.number, n.sex, n.classification, n.name, n.rating, n.origin, n.id, n.birth
    )


def _round_dates(record: r.RoundDates) -> str:
    days = "  ".join(f"{day:%y/%m/%d}" if day else " " * 8 for day in record.days)
    return "132".ljust(FIRST_COLUMN - 1) + days


def _scoring(record: r.Scoring) -> str:
    if record.tag == "162":
        return "162 " + "   ".join(f" {symbol:1}{_points(v)}" for symbol, v in record.values)
    if record.tag == "362":
        return "362 " + "   ".join(f"{symbol:2}{_points(v)}" for symbol, v in record.values)
    if record.tag == "XXS":
        return "XXS " + " ".join(f"{code}={show_tenths(v)}" for code, v in record.values)
    return f"{record.tag} {_points(record.values[0][1] if record.values else None)}"


def _team_results(t: r.TeamResults) -> str:
    rounds = "".join(
        f"{part.opponent:>3} {part.colour:1} {_points(part.game_points)}"
        f"{'f' if part.forfeited else ' '}  "
        for part in t.rounds
    )
    return (
        f"802 {_number(t.number, 3)} {t.nickname:<5} {_points(t.match_points, 6)}"
        f" {_points(t.game_points, 6)} {rounds}"
    )


_ENCODERS: dict[type, Callable[[Any], str]] = {
    r.Blank: lambda _: "",
    r.Comment: lambda c: f"###{c.text}",
    r.Unknown: lambda u: u.text,
    r.Text: lambda t: f"{t.tag} {t.text}",
    r.Day: lambda d: f"{d.tag} {f'{d.day:%Y/%m/%d}' if d.day else d.text}",
    r.Count: lambda c: f"{c.tag} {'' if c.number is None else c.number}",
    r.RoundDates: _round_dates,
    r.InitialColour: lambda c: f"152 {c.colour}",
    r.Scoring: _scoring,
    r.RankingMethod: lambda m: f"172 {m.federation:3} {m.method}",
    r.PlayerRecord: _player,
    r.NationalRating: _national,
    r.OldTeam: lambda t: f"013 {t.name:<32}{_list(t.members)}",
    r.Byes: lambda b: f"240 {b.kind:1} {_number(b.round, 3)} {_list(b.ids)}",
    r.Acceleration: lambda a: (
        f"250 {_points(a.match_points)} {_points(a.game_points)}"
        f" {_number(a.first_round, 3)} {_number(a.last_round, 3)}"
        f" {_number(a.first_id, 4)} {_number(a.last_id, 4)}"
    ),
    r.ProhibitedPairings: lambda p: (
        f"260 {_number(p.first_round, 3)} {_number(p.last_round, 3)} {_list(p.ids)}"
    ),
    r.AbnormalPoints: lambda a: (
        f"299 {a.kind:1} {_points(a.match_points, 5)} {_points(a.points, 5)}"
        f"  {_number(a.round, 3)} {_list(a.ids)}"
    ),
    r.LineUp: lambda u: (
        f"300 {_number(u.round, 3)} {_number(u.team, 3)} {_number(u.opponent, 3)} "
        + " ".join(f"{player:>4}" for player in u.players)
    ),
    r.Team: lambda t: (
        f"310 {_number(t.number, 3)} {t.name:<32} {t.nickname:<5} {_number(t.strength, 6)}"
        f" {_points(t.match_points, 6)} {_points(t.game_points, 6)} {_number(t.rank, 3)}"
        f"  {_list(t.members)}"
    ),
    r.TeamByes: lambda b: (
        f"320 {_points(b.match_points)} {_points(b.game_points)} {_list(b.teams, 3)}"
    ),
    r.ForfeitedMatch: lambda f: (
        f"330 {f.kind:2} {_number(f.round, 3)} {_number(f.white, 3)} {_number(f.black, 3)}"
    ),
    r.TeamResults: _team_results,
    r.Ids: lambda i: f"{i.tag} {' '.join(map(str, i.ids))}",
    r.PlayerAcceleration: lambda a: (
        f"XXA {_number(a.number, 4)} {' '.join(map(_points, a.points))}"
    ),
}
