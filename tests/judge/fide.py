"""A FIDE rating period: standard of 2010, standard, rapid and blitz of 2024 and after.

How a period is read
--------------------
* The base of the new rating and the K are those of the previous list. D is taken between the
  ratings of the list in force at the start of each tournament.
* A player who is rated on the previous list but was not at the start of a tournament is rated in it
  with the rating of his first list after the start (or, read so, that of the previous list); his
  opponents do not count the game (8.2.4; 2010: 8.4).
* A player who is unrated on the previous list but was rated at the start of a tournament (delisted
  since): opponents count the game with that rating; he himself is unrated, and the result goes to
  his pool.
* A pooled result counts the opponents rated at the start of the tournament, with those ratings.
* Tournaments are taken by start, end and id wherever their order matters (the first event of a
  player).
* The per-game rules of an amendment hold for tournaments that start on its day or later (0.1), also
  inside one period.
* Rapid and blitz: who has no rating there stands in with the standard rating, at the start of the
  tournament for D and on the day of the previous list as the base. He enters the list only with a
  counted game; what he had in his pool is dropped and does not count among his games.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from .account import Account, Period, open_account
from .records import (
    JPlayer,
    JPlayerResult,
    JResult,
    JRoundRobin,
    JSide,
    JSum,
    JTournament,
    Verdict,
)
from .tables import half_away_from_zero, half_up
from .tournament import rate_tournament

ZERO = Fraction(0)


def judge_fide(
    period: Period, players: dict[int, JPlayer], tournaments: list[JTournament]
) -> JResult:
    """Rates the tournaments and settles every player."""
    accounts = {id_: open_account(period, player) for id_, player in players.items()}
    sides: list[JSide] = []
    round_robins: dict[str, JRoundRobin] = {}
    for tournament in sorted(tournaments, key=lambda t: (t.start, t.end, t.id)):
        sides += rate_tournament(period, tournament, accounts, round_robins)
    for side in sides:
        if side.verdict == Verdict.COUNTED:
            accounts[side.player].counted.setdefault(side.tournament, []).append(side)
    settled = {id_: settle(period, account) for id_, account in accounts.items()}
    return JResult(settled, tuple(sides), round_robins)


def settle(period: Period, account: Account) -> JPlayerResult:
    """The player on the new list."""
    return (
        settle_unrated(period, account) if account.base is None else settle_rated(period, account)
    )


def settle_rated(period: Period, account: Account) -> JPlayerResult:
    """8.3.2-8.3.4; 2010: 8.55-8.57: one K and one rounding for the period, then the floor.

    2024: the 700 rule, and the change is rounded. 2010: the new rating is rounded. A rating below
    the floor leaves the player unrated with an empty pool; 2024: as if he had never played
    (`reentry`), 2010: his games and flags stay.
    """
    player, base = account.player, account.base
    assert base is not None
    k = player.k or period.coefficient(player, period.previous_list)
    n = sum(len(sides) for sides in account.counted.values())
    k_applied = k
    if not period.is_2010 and k * n > 700:
        k_applied = 700 // n
    sums = []
    for tournament, sides in account.counted.items():
        score = sum((s.score for s in sides), ZERO)
        expected = sum((s.expected or ZERO for s in sides), ZERO)
        variation = k_applied * (score - expected)
        sums.append(JSum(tournament, len(sides), score, expected, expected, k_applied, variation))
    variation = sum((s.variation for s in sums), ZERO)
    if period.is_2010:
        change = half_up(base + variation) - base
    elif period.readings["half_point_rounding"] == "up":
        change = half_up(variation)
    else:
        change = half_away_from_zero(variation)

    is_standing_in = player.rating is None and n == 0
    new: int | None = None if is_standing_in else base + change
    delisted = new is not None and new < period.floor
    if delisted:
        new = None
    after = replace(
        player,
        rating=new,
        games_total=player.games_total + n,
        last_rated_month=period.month if n else player.last_rated_month,
        pool=tuple(account.kept) if is_standing_in else (),
        first_event_done=account.first_done or not is_standing_in,
    )
    if delisted and not period.is_2010 and period.readings["reentry"] == "as_new":
        after = replace(after, games_total=0, first_event_done=False)
    after = on_the_list(period, player, after)
    return JPlayerResult(
        id=player.id,
        before=player.rating,
        base=base,
        n=n,
        score=sum((s.score for s in sums), ZERO),
        expected=sum((s.expected for s in sums), ZERO),
        expected_unrounded=sum((s.expected_unrounded for s in sums), ZERO),
        k=None if is_standing_in else k,
        k_applied=None if is_standing_in else k_applied,
        variation=variation,
        change=change,
        new_rating=new,
        k_printed=after.k,
        games_in_period=n,
        initial=None,
        published_first=False,
        delisted=delisted,
        inactive=is_inactive(period, after),
        sums=tuple(sums),
        after=after,
    )


def settle_unrated(period: Period, account: Account) -> JPlayerResult:
    """7.1.4; 2010: 7.14: the pool worked out again on every list, also without a new result.

    Once published, the games of the pool count among his games and the pool is empty.
    """
    player = account.player
    pool = account.kept + account.fresh
    initial = period.initial(pool, player.special_body) if pool else None
    published = initial is not None and initial.publishable
    games = player.games_total
    if initial is not None and published:
        games += initial.n
    fresh = sum(result.n for result in account.fresh) - account.returned
    after = replace(
        player,
        rating=initial.initial if initial is not None and published else None,
        games_total=games,
        last_rated_month=period.month if fresh else player.last_rated_month,
        pool=() if published else (*pool, *account.pointless),
        first_event_done=account.first_done,
    )
    after = on_the_list(period, player, after)
    return JPlayerResult(
        id=player.id,
        before=None,
        base=None,
        n=0,
        score=ZERO,
        expected=ZERO,
        expected_unrounded=ZERO,
        k=None,
        k_applied=None,
        variation=ZERO,
        change=0,
        new_rating=after.rating,
        k_printed=after.k,
        games_in_period=fresh,
        initial=initial,
        published_first=published,
        delisted=False,
        inactive=is_inactive(period, after),
        sums=(),
        after=after,
    )


def on_the_list(period: Period, before: JPlayer, after: JPlayer) -> JPlayer:
    """The flags a published rating sets, and the K printed beside it (never cut by 700)."""
    rating = after.rating or 0
    after = replace(
        after,
        ever_2400=after.ever_2400 or rating >= 2400,
        ever_2300=after.ever_2300 or rating >= 2300,
    )
    if before.rating is None and after.rating is not None:
        after = replace(after, entered=(*after.entered, (period.list_date, after.rating)))
    k = None if after.rating is None else period.coefficient(after, period.list_date)
    return replace(after, k=k)


def is_inactive(period: Period, after: JPlayer) -> bool:
    """7.2.2; 2010: 7.23a: listed, and no rated game for the lists of the last twelve months.

    Games that go to a pool are rated games. Without any known game a listed player is inactive.
    """
    if after.rating is None:
        return False
    return after.last_rated_month is None or period.month - after.last_rated_month >= 12
