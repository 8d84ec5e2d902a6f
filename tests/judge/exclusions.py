"""Reasons that keep a whole game out, for both of its players: no play, time, match, 600 points."""

from __future__ import annotations

from .records import JGame, JTournament, Verdict


def time_class(minutes60: int, name: str) -> Verdict | None:
    """Rapid 10 < T < 60, blitz 3 < T <= 10, bullet 1 <= T <= 3; `None` when it fits."""
    if name == "rapid":
        too_fast, too_slow = minutes60 <= 10, minutes60 >= 60
    elif name == "blitz":
        too_fast, too_slow = minutes60 <= 3, minutes60 > 10
    else:
        too_fast, too_slow = minutes60 < 1, minutes60 > 3
    if too_fast:
        return Verdict.TOO_FAST
    return Verdict.TOO_SLOW if too_slow else None


def minutes_needed(ratings: list[int | None], upper: int, lower: int) -> int:
    """120 minutes with anyone at `upper`, 90 at `lower`, else 60; no rating counts as below."""
    best = max((rating for rating in ratings if rating is not None), default=0)
    if best >= upper:
        return 120
    return 90 if best >= lower else 60


def decided_games(tournament: JTournament, *, waivable: bool = True) -> set[int]:
    """2024: 6.2, 2010: 6.5 — positions of the games played after a match was won.

    A match over N games is won with more than N/2 points. Games are taken by round, then as
    listed. Points by forfeit decide a match too. Each pair of players is a match of its own. Only
    the text of 2024 lets the rule be waived on request (`waivable`).
    """
    after: set[int] = set()
    if tournament.match_games is None or (waivable and tournament.match_waiver):
        return after
    points: dict[tuple[int, int], dict[int, int]] = {}
    order = sorted(range(len(tournament.games)), key=lambda at: (tournament.games[at].round, at))
    for at in order:
        game = tournament.games[at]
        pair = (min(game.white, game.black), max(game.white, game.black))
        score = points.setdefault(pair, {game.white: 0, game.black: 0})
        if max(score.values()) > tournament.match_games:
            after.add(at)
        score[game.white] += game.white_half
        score[game.black] += game.black_half
    return after


def match_verdict(
    tournament: JTournament, at: int, starts: dict[int, int | None], decided: set[int]
) -> Verdict | None:
    """2024: 6.1-6.2, 2010: 6.5-6.6. Without a rating means: at the start of the match."""
    game = tournament.games[at]
    if tournament.system != "match":
        return None
    if starts[game.white] is None or starts[game.black] is None:
        return Verdict.MATCH_UNRATED
    return Verdict.MATCH_DECIDED if at in decided else None


def gap_verdict(game: JGame, starts: dict[int, int | None]) -> Verdict | None:
    """Rapid and blitz from 1 December 2024: 600 points or more apart, one above 2600.

    Both by their ratings at the start of the tournament; without one there, no gap.
    """
    white, black = starts[game.white], starts[game.black]
    if white is None or black is None:
        return None
    if abs(white - black) >= 600 and max(white, black) > 2600:
        return Verdict.GAP_600
    return None
