"""A FIDE tournament: what shuts games out, and who counts or pools the others."""

from __future__ import annotations

from datetime import date

from .account import Account, Period
from .exclusions import decided_games, gap_verdict, match_verdict, minutes_needed, time_class
from .records import JGame, JRoundRobin, JSide, JTournament, Verdict
from .round_robin import is_complete_round_robin, rate_round_robin_2010
from .sides import one_upgrade_each, open_verdict, pool_open_results, side


def rate_tournament(
    period: Period,
    tournament: JTournament,
    accounts: dict[int, Account],
    round_robins: dict[str, JRoundRobin],
) -> list[JSide]:
    """A verdict for both sides of every game, and the pooled results of unrated players."""
    if tournament.start < period_begin(period):
        raise ValueError(f"{tournament.id}: no regulation here for a start on {tournament.start}")
    starts = dict(tournament.ratings)
    if period.kind != "standard":
        for player, standard in tournament.standard_ratings.items():
            if starts.get(player) is None:
                starts[player] = standard
    decided = decided_games(tournament, waivable=not period.is_2010)
    shut = {
        at: shut_out(period, tournament, at, starts, decided) for at in range(len(tournament.games))
    }
    if (
        period.is_2010
        and is_complete_round_robin(tournament)
        and not any(shut.values())
        and any(rating is None for rating in starts.values())
        and any(rating is not None for rating in starts.values())
    ):
        return rate_round_robin_2010(period, tournament, accounts, starts, round_robins)

    drafts: list[JSide] = []
    for at, game in enumerate(tournament.games):
        for me, opponent in ((game.white, game.black), (game.black, game.white)):
            verdict = shut[at] or open_verdict(me, opponent, accounts, starts)
            drafts.append(
                side(period, tournament, at, me, verdict, accounts, starts, starts[opponent])
            )
    if period.is_2022:
        drafts = one_upgrade_each(drafts, of_both=period.readings["one_upgrade"] == "both")
    return pool_open_results(period, tournament, accounts, drafts)


def period_begin(period: Period) -> date:
    """The first day of the text an edition belongs to; earlier starts have another text."""
    if period.is_2022:
        return date(2022, 1, 1)
    return date(2011, 7, 1) if period.is_2010 else date(2024, 3, 1)


def shut_out(
    period: Period,
    tournament: JTournament,
    at: int,
    starts: dict[int, int | None],
    decided: set[int],
) -> Verdict | None:
    """The first reason that keeps the game out for both players."""
    game = tournament.games[at]
    if not game.played:
        return Verdict.UNPLAYED
    slow = time_verdict(period, tournament, game, starts)
    if slow is not None:
        return slow
    match = match_verdict(tournament, at, starts, decided)
    if match is not None:
        return match
    amended = period.edition >= date(2024, 12, 1) and tournament.start >= date(2024, 12, 1)
    if period.kind != "standard" and amended:
        return gap_verdict(game, starts)
    return None


def time_verdict(
    period: Period, tournament: JTournament, game: JGame, starts: dict[int, int | None]
) -> Verdict | None:
    """1.1: 2010 looks at every entrant of the tournament, 2024 at the two players of the game."""
    if period.kind != "standard":
        fits = time_class(tournament.minutes60, period.kind)
        if fits is None and not tournament.equal_times:
            return Verdict.UNEQUAL_TIMES
        return fits
    if period.is_2010:
        needed = minutes_needed(list(starts.values()), 2200, 1600)
    else:
        needed = minutes_needed([starts[game.white], starts[game.black]], 2400, 1800)
    return Verdict.TOO_FAST if tournament.minutes60 < needed else None
