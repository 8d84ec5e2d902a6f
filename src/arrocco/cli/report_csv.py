"""A rated period as CSV: one row for each player, or one for each game seen from one side.

UTF-8, comma-separated, a heading line, decimals with a point, lines ended by CR LF as RFC 4180
has them. A cell that a spreadsheet would take for a formula is written behind an apostrophe.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from arrocco.cli.report_text import state_of
from arrocco.cli.report_view import (
    RatedFiles,
    average_of_opponents,
    coefficients_of,
    known_id,
    rating_after,
)
from arrocco.engine.explain import PlayerRows
from arrocco.engine.rate_reports import RatedReports
from arrocco.formats.csv_cells import defused_row
from arrocco.units import decimal, points

PLAYER_HEADING = tuple(
    """
    id name rating average score n expected expected_unrounded delta k k_reason k_applied
    variation change new_rating published remark
""".split()
)
GAME_HEADING = tuple(
    """
    tournament start round id name own_rating opponent_id opponent_name opponent_rating score
    difference counted_difference expected delta counts reason article
""".split()
)

Cell = str | int | None


def players_csv(files: RatedFiles) -> bytes:
    """One row for each player: first those with a rating, then the newcomers."""
    return _csv(
        PLAYER_HEADING,
        [
            *(_rated_row(files.rated, player) for player in files.players),
            *(_newcomer_row(files.rated, player) for player in files.newcomers),
        ],
    )


def games_csv(files: RatedFiles) -> bytes:
    """One row for each game from each side, player by player."""
    rated = files.rated
    ids = rated.period.players.id
    rows = [
        (
            event.tournament.key,
            event.tournament.start.isoformat(),
            game.round,
            known_id(player.id),
            rated.name(player.row),
            event.own_rating,
            known_id(int(ids[game.opponent])),
            rated.name(game.opponent),
            game.opponent_rating,
            points(game.half_points),
            game.difference,
            game.counted_difference,
            None if game.expected is None else decimal(game.expected),
            None if game.delta is None else decimal(game.delta),
            "no" if game.exclusion else "yes",
            game.exclusion.value if game.exclusion else "",
            game.article,
        )
        for player in (*files.players, *files.newcomers)
        for event in player.events
        for game in event.games
    ]
    return _csv(GAME_HEADING, rows)


def _rated_row(rated: RatedReports, player: PlayerRows) -> Sequence[Cell]:
    of_tournaments = rated.period.law.K_FROM_TOURNAMENT
    applied = coefficients_of(player, of_tournaments=of_tournaments)
    return (
        known_id(player.id),
        rated.name(player.row),
        player.rating,
        average_of_opponents(player),
        points(player.half_points),
        player.n,
        decimal(player.expected),
        decimal(player.expected_unrounded),
        decimal(player.delta),
        None if of_tournaments else player.k,
        "" if of_tournaments else player.k_reason,
        " ".join(map(str, applied)),
        decimal(player.variation),
        player.change,
        rating_after(player),
        player.new_rating,
        "delisted" if player.delisted else "",
    )


def _newcomer_row(rated: RatedReports, player: PlayerRows) -> Sequence[Cell]:
    first = player.first_rating
    name, number = rated.name(player.row), known_id(player.id)
    if first is None:
        blank = [None] * 12
        return (number, name, None, *blank, None, state_of(player))
    initial_rating = first.rating
    return (
        number,
        name,
        None,
        decimal(initial_rating.average_hundredths),
        points(initial_rating.half_points),
        initial_rating.games,
        None,
        None,
        None,
        None,
        "",
        None,
        None,
        None,
        initial_rating.rating,
        player.new_rating,
        " ".join(("initial", *first.reasons)),
    )


def _csv(heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(heading)
    writer.writerows(defused_row(row) for row in rows)
    return text.getvalue().encode("utf-8")
