"""K: 2024 and 2010 for a player as he stands on a list."""

from __future__ import annotations

from datetime import date

from .records import JPlayer


def is_junior(player: JPlayer, on: date, junior_until: str) -> bool:
    """Whether a list of that day counts the player as under 18.

    `birthday`: he has not turned 18 on the day of the list (born on 29 February: on 1 March).
    `year_end`: until the list of December of the year he turns 18; so too where only the year of
    birth is known. Nobody knows anything: no junior.
    """
    birth = player.birth
    if birth is None or junior_until == "year_end":
        year = birth.year if birth is not None else player.birth_year
        return year is not None and on.year <= year + 18
    return (on.year - 18, on.month, on.day) < (birth.year, birth.month, birth.day)


def coefficient_2024(player: JPlayer, on: date, junior_until: str) -> int:
    """8.3.3, in the order of the published K: 2400 for ever, junior, fewer than 30 games, 20."""
    if player.ever_2400:
        return 10
    if is_junior(player, on, junior_until) and not player.ever_2300:
        return 40
    return 40 if player.games_total < 30 else 20


def coefficient_2010(player: JPlayer) -> int:
    """8.56, 2400 for ever before fewer than 30 games."""
    if player.ever_2400:
        return 10
    return 30 if player.games_total < 30 else 15
