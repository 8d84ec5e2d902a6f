"""Short ways to write tournaments down in tests."""

from __future__ import annotations

from datetime import date, timedelta

from .records import JGame, JTournament

HALF_POINTS = {"1": (2, 0), "0": (0, 2), "=": (1, 1), "+": (2, 0), "-": (0, 2)}


def event(
    id_: str,
    start: date,
    ratings: dict[int, int | None],
    *games: tuple[int, str, int],
    system: str = "swiss",
    minutes: tuple[int, int] = (90, 30),
    **facts: object,
) -> JTournament:
    """A tournament of games such as ``(1, "=", 2)``; ``+`` and ``-`` are forfeits.

    `minutes` are the base minutes and the seconds per move. Each game is a round of its own.
    """
    played = tuple(
        JGame(round_, white, black, *HALF_POINTS[result], played=result not in "+-")
        for round_, (white, result, black) in enumerate(games, 1)
    )
    return JTournament(
        id=id_,
        start=start,
        end=start + timedelta(days=2),
        system=system,
        games=played,
        ratings=ratings,
        minutes60=sum(minutes),
        base_minutes=minutes[0],
        increment=minutes[1],
        **facts,  # type: ignore[arg-type]
    )


def against_all(player: int, scores: str, opponents: list[int]) -> list[tuple[int, str, int]]:
    """One game with White against each opponent in turn, with the given results."""
    return [(player, result, opponent) for result, opponent in zip(scores, opponents, strict=True)]
