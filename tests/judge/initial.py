"""First ratings: 2024 with two players of 1800, 2022 with 20 a half point, 2010 with Rc and 15."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .records import JInitial, JPoolResult, JRoundRobin
from .tables import dp_of, half_up


def initial_2024(pool: Sequence[JPoolResult]) -> JInitial:
    """8.2.2-8.2.3 and 7.1.4: two draws with 1800, at most 2200, from 5 games and 1400 on.

    The fraction p is rounded to hundredths with a half up, Ru to the integer with a half up; the
    maximum of 2200 comes after the rounding and the comparison with 1400 last.
    """
    n = sum(result.n for result in pool)
    score = Fraction(sum(result.half for result in pool), 2)
    average = Fraction(sum(result.opponent_sum for result in pool) + 2 * 1800, n + 2)
    p = half_up(100 * (score + 1) / (n + 2))
    dp = dp_of(p)
    unrounded = average + dp
    initial = min(half_up(unrounded), 2200)
    return JInitial(
        n, score, average, p, dp, 0, unrounded, initial, publishable=n >= 5 and initial >= 1400
    )


def initial_2022(pool: Sequence[JPoolResult]) -> JInitial:
    """8.2.2-8.2.3 of 2022 and 7.1.4: Ra, 20 more for each half point above one half, dp below."""
    n = sum(result.n for result in pool)
    half = sum(result.half for result in pool)
    average = Fraction(sum(result.opponent_sum for result in pool), n)
    p = half_up(Fraction(100 * half, 2 * n))
    dp = dp_of(p) if half < n else None
    unrounded = average + (20 * (half - n) if dp is None else dp)
    initial = half_up(unrounded)
    return JInitial(
        n,
        Fraction(half, 2),
        average,
        p,
        dp,
        max(half - n, 0),
        unrounded,
        initial,
        publishable=n >= 5 and initial >= 1000,
    )


def unrated_performance_2010(
    rc: Fraction, half: int, games: int, round_robin_opponents: int | None
) -> Fraction:
    """8.22-8.25: the unrounded Ru for half points out of a number of games against Rc."""
    if half == games:
        return rc
    if half > games:
        return rc + 15 * (half - games)
    dp = dp_of(half_up(Fraction(100 * half, 2 * games)))
    if round_robin_opponents is None:
        return rc + dp
    return rc + dp * Fraction(round_robin_opponents, round_robin_opponents + 1)


def initial_2010(pool: Sequence[JPoolResult], special_body: bool) -> JInitial:
    """8.3, 7.14: all results as one tournament; 9 games (or 7) and 1200 to be published.

    Rc weighs each event by its games. The factor n/(n+1) of 8.25 holds only when the whole pool is
    one round robin. Seven games suffice when every result comes from a world or continental team
    event (7.14f), or for a member of the three special bodies (7.14g).
    """
    n = sum(result.n for result in pool)
    half = sum(result.half for result in pool)
    rc = Fraction(sum(result.opponent_sum for result in pool), n)
    opponents = pool[0].round_robin_opponents if len(pool) == 1 else None
    unrounded = unrated_performance_2010(rc, half, n, opponents)
    initial = half_up(unrounded)
    p = half_up(Fraction(100 * half, 2 * n))
    needed = 7 if special_body or all(result.world_team for result in pool) else 9
    return JInitial(
        n,
        Fraction(half, 2),
        rc,
        p,
        dp_of(p) if half < n else None,
        max(half - n, 0),
        unrounded,
        initial,
        publishable=n >= needed and initial >= 1200,
    )


def round_robin_2010(
    ratings: dict[int, int | None], halves: dict[int, int], games_each: int
) -> JRoundRobin:
    """8.21(b) and 8.58: Ra from the rated players, then Ru of the others in two passes.

    `n` is the number of opponents, also in a double round robin, where `games_each` is 2n. Ra is
    rounded to an integer before it is used. The second pass moves Ra by the average of what
    opponents are further than 400 points away from Ru, above or below, where unrated opponents
    stand with the Ru of the first pass; Rc (new) and Ru (new) are rounded. There is no third pass.
    """
    n = len(ratings) - 1
    rated = {player: rating for player, rating in ratings.items() if rating is not None}
    rar = Fraction(sum(rated.values()), len(rated))
    dps = [dp_of(half_up(Fraction(100 * halves[player], 2 * games_each))) for player in rated]
    dpa = Fraction(sum(dps), len(dps))
    ra = half_up(rar - dpa * Fraction(n, n + 1))

    first = {
        player: half_up(unrated_performance_2010(Fraction(ra), halves[player], games_each, n))
        for player, rating in ratings.items()
        if rating is None
    }
    rc_new: dict[int, int] = {}
    ru_new: dict[int, int] = {}
    for player, ru in first.items():
        correction = 0
        for opponent, rating in ratings.items():
            if opponent == player:
                continue
            strength = first[opponent] if rating is None else rating
            if strength > ru + 400:
                correction -= strength - (ru + 400)
            elif strength < ru - 400:
                correction += (ru - 400) - strength
        rc_new[player] = half_up(ra + Fraction(correction, n))
        ru_new[player] = half_up(
            unrated_performance_2010(Fraction(rc_new[player]), halves[player], games_each, n)
        )
    return JRoundRobin(n, rar, dpa, ra, first, rc_new, ru_new)
