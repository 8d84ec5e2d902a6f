"""Finds the player somebody asks about, by id or by name, among those of the reports."""

from __future__ import annotations

from difflib import SequenceMatcher, get_close_matches

from arrocco.cli.report_view import id_text
from arrocco.engine.explain import PlayerRows, rows_of_player
from arrocco.engine.rate_reports import RatedReports
from arrocco.errors import Inconsistent

_NEAREST = 5


def find_player(rated: RatedReports, asked: str) -> PlayerRows:
    """The player with that id, or the only one whose name has these words in it.

    Refuses otherwise, with the ids and names that come nearest.
    """
    period = rated.period
    rows = sorted({int(row) for row in period.entries.player})
    by_id = {str(int(period.players.id[row])): row for row in rows}
    text = asked.strip()
    if text in by_id:
        return rows_of_player(period, by_id[text])
    names = {row: rated.name(row) for row in rows}
    matching = [row for row in rows if text and text.casefold() in names[row].casefold()]
    if len(matching) == 1:
        return rows_of_player(period, matching[0])
    key = "report.several_players" if matching else "report.unknown_player"
    near = matching[:_NEAREST] or _nearest(text, by_id, names)
    shown = "; ".join(f"{names[row]} ({id_text(int(period.players.id[row]))})" for row in near)
    raise Inconsistent.of(key, asked=asked, near=shown or "-")


def _nearest(text: str, by_id: dict[str, int], names: dict[int, str]) -> list[int]:
    """The players whose id or name looks most like a text; the first ones if none does."""
    ids = get_close_matches(text, by_id, n=len(by_id))
    if ids and text.isdecimal():
        # Ids that look alike differ in a digit: the one next in number comes first.
        ids.sort(key=lambda number: (-_likeness(text, number), abs(int(number) - int(text))))
        return [by_id[number] for number in ids[:_NEAREST]]
    row_of = {name.casefold(): row for row, name in names.items()}
    words = get_close_matches(text.casefold(), row_of, n=_NEAREST, cutoff=0.4)
    return [row_of[name] for name in words] or list(names)[:_NEAREST]


def _likeness(first: str, other: str) -> float:
    return SequenceMatcher(None, other, first).ratio()
