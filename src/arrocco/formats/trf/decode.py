"""From a line to its record; what a line says wrongly is reported with its column."""

from __future__ import annotations

import re
from collections.abc import Callable

from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import FIRST_COLUMN, MAX_ROUNDS, WIDTH
from arrocco.formats.trf.columns import Fields, tenths, whole
from arrocco.formats.trf.days import Form, read_day, read_round_day
from arrocco.formats.trf.players import national_rating, player
from arrocco.formats.trf.seen import Seen, refusal

_RESERVED = ("XX", "BB")
"""Prefixes of the pairing programs' records: no federation starts with them."""


def decode(text: str, line: int, seen: Seen) -> r.Record:
    """The record of a line."""
    tag = text[:3]
    if tag == "001":
        return player(Fields(text, line, seen))
    if not text or text.isspace():
        return r.Blank()
    decoder = _DECODERS.get(tag)
    if decoder is not None:
        return decoder(Fields(text, line, seen))
    if tag == "###":
        return r.Comment(text[3:])
    if _is_national(text):
        return national_rating(Fields(text, line, seen))
    looks_like_record = (whole(tag) is not None and len(tag) == 3 and text[3:4] in ("", " ")) or (
        tag[:2] in _RESERVED and text[3:4] == " "
    )
    key = "unknown_record" if looks_like_record else "unknown_text"
    seen.add(key, line, 1, record=tag, text=text.strip()[:40])
    return r.Unknown(text)


def _is_national(text: str) -> bool:
    """Whether a line is a federation's record: three capitals, a blank, a starting number."""
    tag = text[:3]
    return (
        len(tag) == 3
        and tag.isascii()
        and tag.isalpha()
        and tag.isupper()
        and not tag.startswith(_RESERVED)
        and text[3:4] == " "
        and whole(text[4:8].strip()) is not None
    )


# --- tournament records ---------------------------------------------------------------------------


def _text(f: Fields) -> r.Record:
    return r.Text(f.tag, f.rest())


def _raw_text(f: Fields) -> r.Record:
    """Text whose own columns matter: blanks at its start are kept."""
    return r.Text(f.tag, f.text[4:].rstrip())


def _day(f: Fields) -> r.Record:
    text = f.rest()
    day, form = read_day(text)
    _say_form(f, form, 5, text)
    return r.Day(f.tag, day, text)


def _say_form(f: Fields, form: Form, column: int, text: str) -> None:
    key = {
        Form.OTHER: "day_form",
        Form.ASSUMED: "day_order_assumed",
        Form.WRONG: "day_not_understood",
    }.get(form)
    if key:
        f.seen.add(key, f.line, column, record=f.tag, text=text)


def _count(f: Fields) -> r.Record:
    text = f.rest()
    number = whole(text) if len(text) <= 9 else None
    if text and number is None:
        f.wrong(5, len(f.text.rstrip()), "field_not_a_number")
    if f.tag in ("142", "XXR") and number is not None and number > MAX_ROUNDS:
        raise refusal("too_many_rounds", f.seen.source, f.line, rounds=number, most=MAX_ROUNDS)
    return r.Count(f.tag, number)


def _round_dates(f: Fields) -> r.Record:
    if f.text[3 : FIRST_COLUMN - 1].strip():
        f.wrong(4, FIRST_COLUMN - 1, "field_not_understood")
    days = []
    for column in range(FIRST_COLUMN, len(f.text.rstrip()) + 1, WIDTH):
        # ten columns, so that a date with four digits of the year is read and not cut
        text = f.word(column, column + 9)
        day, form = read_round_day(text)
        _say_form(f, form, column, text)
        days.append(day)
    if len(days) > MAX_ROUNDS:
        raise refusal("too_many_rounds", f.seen.source, f.line, rounds=len(days), most=MAX_ROUNDS)
    return r.RoundDates(tuple(days))


def _initial_colour(f: Fields) -> r.Record:
    colour = f.rest().upper()
    if colour not in ("W", "B"):
        f.wrong(5, max(5, len(f.text.rstrip())), "field_not_understood")
        colour = ""
    return r.InitialColour(colour)


def _ranking_method(f: Fields) -> r.Record:
    return r.RankingMethod(f.word(5, 7), f.word(9, 13))


# --- points ---------------------------------------------------------------------------------------


def _scoring_162(f: Fields) -> r.Record:
    return _symbols(f, 6, 1, "WDLAPX")


def _scoring_362(f: Fields) -> r.Record:
    return _symbols(f, 5, 2, ("TW", "TD", "TL"))


def _symbols(f: Fields, first: int, width: int, known: str | tuple[str, ...]) -> r.Record:
    """A symbol and four columns of points, every nine columns."""
    values = []
    for column in range(first, len(f.text.rstrip()) + 1, 9):
        symbol = f.word(column, column + width - 1).upper()
        points = f.tenths(column + width, column + width + 3)
        if not symbol and points is None:
            continue
        if not symbol or symbol not in known:
            f.wrong(column, column + width - 1, "field_not_understood")
        elif points is not None:
            values.append((symbol, points))
    return r.Scoring(f.tag, tuple(values))


_XXS_CODES = frozenset(
    ("WW", "BW", "WD", "BD", "WL", "BL", "ZPB", "HPB", "FPB", "PAB", "FW", "FL", "W", "D", "L")
)
_WORD = re.compile(r"\S+")


def _scoring_xxs(f: Fields) -> r.Record:
    values = []
    for match in _WORD.finditer(f.text, 3):
        code, _, value = match[0].partition("=")
        points = tenths(value)
        if code.upper() in _XXS_CODES and points is not None:
            values.append((code.upper(), points))
        else:
            f.wrong(match.start() + 1, match.end(), "field_not_understood")
    return r.Scoring(f.tag, tuple(values))


def _scoring_bb(f: Fields) -> r.Record:
    points = tenths(f.rest())
    if points is None:
        f.wrong(5, max(5, len(f.text.rstrip())), "field_not_a_number")
    return r.Scoring(f.tag, ((f.tag[2], points),) if points is not None else ())


# --- byes, pairings, teams ------------------------------------------------------------------------


def _byes(f: Fields) -> r.Record:
    kind = f.word(5, 5).upper()
    if kind not in ("F", "H", "Z"):
        f.wrong(5, 5, "field_not_understood")
    return r.Byes(kind, f.number(7, 9), f.numbers(11, 4, 5))


def _acceleration(f: Fields) -> r.Record:
    return r.Acceleration(
        f.tenths(5, 8),
        f.tenths(10, 13),
        f.number(15, 17),
        f.number(19, 21),
        f.number(23, 26),
        f.number(28, 31),
    )


def _prohibited(f: Fields) -> r.Record:
    return r.ProhibitedPairings(f.number(5, 7), f.number(9, 11), f.numbers(13, 4, 5))


def _abnormal(f: Fields) -> r.Record:
    kind = f.word(5, 5).upper()
    if kind not in ("W", "D", "L", "F", "H", "Z", "+", "-", ""):
        f.wrong(5, 5, "field_not_understood")
    return r.AbnormalPoints(
        kind, f.tenths(7, 11), f.tenths(13, 17), f.number(20, 22), f.numbers(24, 4, 5)
    )


def _line_up(f: Fields) -> r.Record:
    return r.LineUp(f.number(5, 7), f.number(9, 11), f.number(13, 15), f.numbers(17, 4, 5))


def _old_team(f: Fields) -> r.Record:
    return r.OldTeam(f.word(5, 36), f.numbers(37, 4, 5))


def _team(f: Fields) -> r.Record:
    return r.Team(
        f.number(5, 7),
        f.word(9, 40),
        f.word(42, 46),
        f.number(48, 53),
        f.tenths(55, 60),
        f.tenths(62, 67),
        f.number(69, 71),
        f.numbers(74, 4, 5),
    )


def _team_byes(f: Fields) -> r.Record:
    return r.TeamByes(f.tenths(5, 8), f.tenths(10, 13), f.numbers(15, 3, 4))


def _forfeited_match(f: Fields) -> r.Record:
    kind = f.word(5, 6)
    if kind not in ("+-", "-+", "--"):
        f.wrong(5, 6, "field_not_understood")
    return r.ForfeitedMatch(kind, f.number(8, 10), f.number(12, 14), f.number(16, 18))


_TEAM_BYES = frozenset(("PAB", "FPB", "HPB", "ZPB", ""))


def _team_results(f: Fields) -> r.Record:
    """802 only informs: a line in other columns is kept as text, with a note."""
    trial = Seen(f.seen.source)
    g = Fields(f.text, f.line, trial)
    rounds = tuple(
        r.TeamRound(
            g.word(column, column + 2),
            g.word(column + 4, column + 4),
            g.tenths(column + 6, column + 9),
            g.word(column + 10, column + 10).upper() == "F",
        )
        for column in range(29, len(f.text.rstrip()) + 1, 13)
    )
    record = r.TeamResults(
        g.number(5, 7), g.word(9, 13), g.tenths(15, 20), g.tenths(22, 27), rounds
    )
    plausible = all(
        part.opponent in _TEAM_BYES or (whole(part.opponent) and part.colour in ("w", "b"))
        for part in rounds
    )
    if not trial.is_empty or not plausible:
        f.seen.add("informative_not_understood", f.line, 5, record=f.tag)
        return _raw_text(f)
    return record


# --- the pairing programs' records ----------------------------------------------------------------


def _ids(f: Fields) -> r.Record:
    ids = []
    for match in _WORD.finditer(f.text, 3):
        number = whole(match[0])
        if number is None:
            f.wrong(match.start() + 1, match.end(), "field_not_a_number")
        else:
            ids.append(number)
    return r.Ids(f.tag, tuple(ids))


def _player_acceleration(f: Fields) -> r.Record:
    points = tuple(
        f.tenths(column, column + 3) or 0 for column in range(10, len(f.text.rstrip()) + 1, 5)
    )
    return r.PlayerAcceleration(f.number(5, 8), points)


_DECODERS: dict[str, Callable[[Fields], r.Record]] = {
    "012": _text,
    "022": _text,
    "032": _text,
    "042": _day,
    "052": _day,
    "062": _count,
    "072": _count,
    "082": _count,
    "092": _text,
    "102": _text,
    "112": _text,
    "122": _text,
    "132": _round_dates,
    "142": _count,
    "152": _initial_colour,
    "162": _scoring_162,
    "172": _ranking_method,
    "182": _text,
    "192": _text,
    "202": _text,
    "212": _text,
    "222": _text,
    "352": _text,
    "362": _scoring_362,
    "013": _old_team,
    "240": _byes,
    "250": _acceleration,
    "260": _prohibited,
    "299": _abnormal,
    "300": _line_up,
    "310": _team,
    "320": _team_byes,
    "330": _forfeited_match,
    "801": _raw_text,
    "802": _team_results,
    "XXR": _count,
    "XXC": _text,
    "XXZ": _ids,
    "XXS": _scoring_xxs,
    "XXA": _player_acceleration,
    "XXP": _ids,
    "BBW": _scoring_bb,
    "BBD": _scoring_bb,
    "BBL": _scoring_bb,
    "BBZ": _scoring_bb,
    "BBF": _scoring_bb,
    "BBU": _scoring_bb,
}
"""The decoder of each record but 001 and the national ratings."""
