"""What excludes a whole game for both sides: not played, too fast, a match already decided."""

from __future__ import annotations

from collections.abc import Sequence

from arrocco.engine.columns import COUNTED, EXCLUSION_CODE, Tournament
from arrocco.laws.rating import Exclusion
from arrocco.report import Game, GameKind, System

_UNPLAYED = EXCLUSION_CODE[Exclusion.UNPLAYED]


def exclusion_codes(
    tournament: Tournament, games: Sequence[Game], shown: dict[int, int]
) -> list[int]:
    """The exclusion code of every game; `shown` gives the ratings by starting number, 0 unrated."""
    codes = [COUNTED if game.kind is GameKind.PLAYED else _UNPLAYED for game in games]
    _exclude_by_time(tournament, games, shown, codes)
    if tournament.system is System.MATCH:
        exclude_in_match(tournament, games, shown, codes)
    return codes


def _exclude_by_time(
    tournament: Tournament, games: Sequence[Game], shown: dict[int, int], codes: list[int]
) -> None:
    """Asks the law about the strongest pair first: what is slow enough for them is for all."""
    control, law = tournament.control, tournament.law
    if control is None:
        return
    top = max(shown.values(), default=0) or None
    if law.excluded_by_time(control, top, top) is None:
        return
    for index, game in enumerate(games):
        if codes[index] != COUNTED:
            continue
        if law.MINIMUM_TIME_BY_FIELD:
            reason = law.excluded_by_time(control, top, top)
        else:
            white, black = shown.get(game.white) or None, shown.get(game.black) or None
            reason = law.excluded_by_time(control, white, black)
        if reason is not None:
            codes[index] = EXCLUSION_CODE[reason]


def exclude_in_match(
    tournament: Tournament, games: Sequence[Game], shown: dict[int, int], codes: list[int]
) -> None:
    """A match with an unrated player is not rated; nor are games after the match was decided."""
    law, facts = tournament.law, tournament.facts
    if not law.match_is_rated(*((rating or None) for rating in shown.values())):
        for index, code in enumerate(codes):
            if code == COUNTED:
                codes[index] = EXCLUSION_CODE[Exclusion.MATCH_UNRATED]
        return
    if facts.match_games is None or not games:
        return
    order = sorted(range(len(games)), key=lambda index: games[index].round)
    first = games[order[0]].white
    scores = [
        (g.white_score, g.black_score) if g.white == first else (g.black_score, g.white_score)
        for g in (games[index] for index in order)
    ]
    rated = law.games_rated_in_match(scores, facts.match_games, waiver=facts.match_waiver)
    for index in order[rated:]:
        if codes[index] == COUNTED:
            codes[index] = EXCLUSION_CODE[Exclusion.MATCH_DECIDED]
