"""RIO and UISP: PA rounded to tenths in each tournament, variations summed over the period.

Everyone has a rating, at least the one of entry, so nobody is unrated and nothing is pooled. The
ratings of a tournament are those at its start; a new player's first one is his base. Neither text
speaks of matches: all their games count. Neither knows a floor, delisting or inactivity.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

from .exclusions import time_class
from .records import (
    JPlayer,
    JPlayerResult,
    JResult,
    JSide,
    JSum,
    JTournament,
    Verdict,
    month_index,
)
from .tables import expected_score, half_up, tenths_half_down

ZERO = Fraction(0)

RIO_CATEGORIES = (
    ("OM", 2200),
    ("OCM", 2000),
    ("1O", 1800),
    ("2O", 1600),
    ("3O", 1500),
    ("OA", 999),
)
"""14.7, the highest first."""

ENTRY_ORDER = {
    "rio_rapid": ("fide_rapid", "fide_standard", "fsi"),
    "rio_blitz": ("fide_blitz", "fide_standard", "fsi"),
    "rio_bullet": ("fide_blitz", "fide_standard", "fsi"),
    "uisp": ("fide_standard", "elo_italia", "fide_rapid", "rapid_italia", "fide_blitz"),
}
ENTRY_DEFAULT = {"rio_rapid": 999, "rio_blitz": 999, "rio_bullet": 999, "uisp": 1440}


def entry_rating(law: str, known: dict[str, int | None]) -> int:
    """RIO 14.2, UISP I.5: the first rating there is in the law's order, else its fixed one."""
    for source in ENTRY_ORDER[law]:
        rating = known.get(source)
        if rating is not None:
            return rating
    return ENTRY_DEFAULT[law]


def uisp_coefficient(tournament: JTournament) -> int | None:
    """II.2: 30' and 10" first, then 60 minutes on, rapid, blitz; nothing for 3 minutes or less."""
    minutes = tournament.minutes60
    if (tournament.base_minutes >= 30 and tournament.increment >= 10) or minutes >= 60:
        k = 30
    elif minutes > 10:
        k = 20
    elif minutes > 3:
        k = 10
    else:
        return None
    return k // 2 if tournament.online else k


def rio_band(rating: int) -> str:
    """The category of a rating; below 999 it stays OA."""
    for category, least in RIO_CATEGORIES:
        if rating >= least:
            return category
    return "OA"


def rio_category(held: str | None, rating: int, reading: str) -> str:
    """14.6: the highest category ever reached (`kept`), or the one of the rating (`current`)."""
    band = rio_band(rating)
    if reading == "current" or held is None:
        return band
    order = [category for category, _ in RIO_CATEGORIES]
    return min(held, band, key=order.index)


def by_start(tournament: JTournament) -> tuple[date, date, str]:
    return tournament.start, tournament.end, tournament.id


def by_end(tournament: JTournament) -> tuple[date, date, str]:
    return tournament.end, tournament.start, tournament.id


def quarter_before(list_date: date) -> date:
    """The UISP ranking before this one."""
    year, month = divmod(month_index(list_date) - 3, 12)
    return date(year, month + 1, 1)


def ratings_left(
    tournament: JTournament, players: dict[int, JPlayer], left: dict[int, Fraction]
) -> dict[int, int | None]:
    """What everybody starts a tournament from: what the ones before left, rounded for D.

    Without one before it is the rating on the list, without that the one of entry.
    """
    return {
        id_: half_up(left[id_]) if id_ in left else players[id_].rating or entry
        for id_, entry in tournament.ratings.items()
    }


def judge_italian(
    law: str,
    readings: dict[str, str],
    list_date: date,
    players: dict[int, JPlayer],
    tournaments: list[JTournament],
) -> JResult:
    """Rates the period of one of the RIO lists or of UISP."""
    sides: list[JSide] = []
    sums: dict[int, list[JSum]] = {player: [] for player in players}
    entry: dict[int, int] = {}
    in_sequence = law != "uisp" and readings["rio_update_cycle"] == "tournament"
    late_as_current = law == "uisp" and readings["uisp_late_tournaments"] == "of_period"
    opened = quarter_before(list_date)
    left: dict[int, Fraction] = {}
    for given in sorted(tournaments, key=by_end if in_sequence else by_start):
        tournament = given
        if in_sequence:
            tournament = replace(given, ratings=ratings_left(given, players, left))
        elif late_as_current and given.start < opened:
            tournament = replace(given, ratings=ratings_left(given, players, {}))
        mine = tournament_sides(law, tournament)
        sides += mine
        k = 20 if law != "uisp" else uisp_coefficient(tournament) or 0
        if law == "uisp" and k:  # I.1: everybody who takes part has a rating
            for player, own in tournament.ratings.items():
                if own is not None:
                    entry.setdefault(player, own)
        for player in sorted({s.player for s in mine if s.verdict == Verdict.COUNTED}):
            counted = [s for s in mine if s.player == player and s.verdict == Verdict.COUNTED]
            own = counted[0].own
            assert own is not None
            entry.setdefault(player, own)
            score = sum((s.score for s in counted), ZERO)
            unrounded = sum((s.expected or ZERO for s in counted), ZERO)
            expected = tenths_half_down(unrounded)
            sums[player].append(
                JSum(
                    tournament.id,
                    len(counted),
                    score,
                    expected,
                    unrounded,
                    k,
                    k * (score - expected),
                )
            )
            start = left.get(player, Fraction(players[player].rating or entry[player]))
            left[player] = start + k * (score - expected)
    return JResult(
        {
            id_: settle(law, readings, list_date, player, entry.get(id_), sums[id_])
            for id_, player in players.items()
        },
        tuple(sides),
        {},
    )


def tournament_sides(law: str, tournament: JTournament) -> list[JSide]:
    """Every played game of a fitting time control counts, for both, with D cut at 735 or 400."""
    shut: Verdict | None
    if law == "uisp":
        shut = Verdict.TOO_FAST if uisp_coefficient(tournament) is None else None
    else:
        shut = time_class(tournament.minutes60, law.removeprefix("rio_"))
    cap = 400 if law == "uisp" else 735
    sides = []
    for at, game in enumerate(tournament.games):
        for me, opponent, half in (
            (game.white, game.black, game.white_half),
            (game.black, game.white, game.black_half),
        ):
            verdict = shut or Verdict.COUNTED
            if not game.played:
                verdict = Verdict.UNPLAYED
            side = JSide(tournament.id, at, me, opponent, verdict, Fraction(half, 2))
            if verdict == Verdict.COUNTED:
                own, against = tournament.ratings[me], tournament.ratings[opponent]
                if own is None or against is None:
                    raise ValueError(f"{tournament.id}: everyone needs at least an entry rating")
                counted, expected = expected_score(own, against, cap)
                side = replace(
                    side,
                    own=own,
                    against=against,
                    difference=own - against,
                    counted_difference=counted,
                    expected=expected,
                )
            sides.append(side)
    return sides


def settle(
    law: str,
    readings: dict[str, str],
    list_date: date,
    player: JPlayer,
    entry: int | None,
    sums: list[JSum],
) -> JPlayerResult:
    """The sum of the variations, the rating rounded with a half up, the RIO category.

    UISP `carried`: the unrounded rating is the next base, the printed one is used for D.
    """
    base = player.rating if player.rating is not None else entry
    n = sum(s.n for s in sums)
    variation = sum((s.variation for s in sums), ZERO)
    after = player
    change = 0
    if base is not None:
        exact = Fraction(base)
        carried = law == "uisp" and readings["uisp_decimals"] == "carried"
        if carried and player.exact is not None:
            exact = player.exact
        exact += variation
        new = half_up(exact)
        change = new - base
        category = None
        if law != "uisp":
            held = player.category
            if player.rating is not None:
                held = rio_category(held, player.rating, "kept")
            category = rio_category(held, new, readings["rio_category"])
        after = replace(
            player,
            rating=new,
            games_total=player.games_total + n,
            last_rated_month=month_index(list_date) if n else player.last_rated_month,
            category=category,
            exact=exact if carried else None,
        )
    k = None if law == "uisp" else 20
    return JPlayerResult(
        id=player.id,
        before=player.rating,
        base=base,
        n=n,
        score=sum((s.score for s in sums), ZERO),
        expected=sum((s.expected for s in sums), ZERO),
        expected_unrounded=sum((s.expected_unrounded for s in sums), ZERO),
        k=k,
        k_applied=k,
        variation=variation,
        change=change,
        new_rating=after.rating,
        k_printed=k,
        games_in_period=n,
        initial=None,
        published_first=player.rating is None and after.rating is not None,
        delisted=False,
        inactive=False,
        sums=tuple(sums),
        after=after,
    )
