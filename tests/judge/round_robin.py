"""The round robin of the 2010 text, in which unrated opponents count."""

from __future__ import annotations

from dataclasses import replace

from .account import Account, Period
from .initial import round_robin_2010
from .records import JPoolResult, JRoundRobin, JSide, JTournament, Verdict
from .sides import open_verdict, played_half_points, pool_open_results, side, take_in


def is_complete_round_robin(tournament: JTournament) -> bool:
    """6.43: every two entrants have played, once or twice as the system says, and no more."""
    times = {"round_robin": 1, "double_round_robin": 2}.get(tournament.system)
    if times is None or not all(game.played for game in tournament.games):
        return False
    met: dict[frozenset[int], int] = {}
    for game in tournament.games:
        pair = frozenset((game.white, game.black))
        met[pair] = met.get(pair, 0) + 1
    entrants = sorted(tournament.ratings)
    pairs = [frozenset((a, b)) for a in entrants for b in entrants if a < b]
    return len(met) == len(pairs) and all(met.get(pair) == times for pair in pairs)


def rate_round_robin_2010(
    period: Period,
    tournament: JTournament,
    accounts: dict[int, Account],
    starts: dict[int, int | None],
    round_robins: dict[str, JRoundRobin],
) -> list[JSide]:
    """A complete round robin with rated and unrated players (8.21(b), 8.52, 8.58).

    Two kinds of players are taken out, and the rest is a round robin among the others: the unrated
    who score less than a point in their first event (6.1; judged once, on the whole event), and
    those rated since the start, whose opponents have no change by 8.4. The latter are rated
    themselves, against those who were rated at the start only. A player delisted since the start
    counts as rated for the others; his own result goes to his pool as from a Swiss, that is against
    those rated at the start.
    """
    ignored: set[int] = set()
    late: set[int] = set()
    for player, rating in starts.items():
        if rating is not None:
            continue
        if accounts[player].base is not None:
            late.add(player)
        elif not accounts[player].first_done and played_half_points(tournament, player) < 2:
            ignored.add(player)
            accounts[player].first_done = period.readings["repeated_zero"] == "first_only"
    staying = {p: rating for p, rating in starts.items() if p not in ignored and p not in late}
    games_each = (len(staying) - 1) * (2 if tournament.system == "double_round_robin" else 1)
    halves = dict.fromkeys(staying, 0)
    for game in tournament.games:
        if game.white in staying and game.black in staying:
            halves[game.white] += game.white_half
            halves[game.black] += game.black_half
    strength: dict[int, int] = {p: rating for p, rating in staying.items() if rating is not None}
    if any(rating is None for rating in staying.values()):
        table = round_robin_2010(staying, halves, games_each)
        round_robins[tournament.id] = table
        strength.update(table.ru_new)

    drafts: list[JSide] = []
    for at, game in enumerate(tournament.games):
        for me, opponent in ((game.white, game.black), (game.black, game.white)):
            if me in ignored:
                verdict = Verdict.FIRST_EVENT_IGNORED
            elif me not in late and opponent in ignored:
                verdict = Verdict.OPPONENT_IGNORED
            elif me in late or opponent in late or accounts[me].base is None:
                verdict = open_verdict(me, opponent, accounts, starts)
            else:
                verdict = Verdict.COUNTED
            if starts[me] is None and me in staying and opponent in staying:
                # Taken in below as one result of the round robin, not game by game.
                verdict = Verdict.OPPONENT_UNRATED
            against = strength.get(opponent)
            drafts.append(side(period, tournament, at, me, verdict, accounts, starts, against))
    drafts = pool_open_results(period, tournament, accounts, drafts)

    fate: dict[int, Verdict] = {}
    rated = sum(rating is not None for rating in staying.values())
    for player in sorted(p for p, rating in staying.items() if rating is None):
        table = round_robins[tournament.id]
        result = JPoolResult(
            period.pool_month(tournament.start),
            tournament.id,
            games_each,
            (table.ra if period.readings["published_ru"] == "first" else table.rc_new[player])
            * games_each,
            halves[player],
            round_robin_opponents=table.n,
            world_team=tournament.world_team,
        )
        fate[player] = take_in(
            period, accounts[player], result, halves[player], rated, is_open=False
        )
    return [
        replace(d, verdict=fate[d.player], against=strength[d.opponent])
        if d.player in fate and d.opponent in staying
        else d
        for d in drafts
    ]
