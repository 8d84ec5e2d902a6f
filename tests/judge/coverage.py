"""Counts which rules random histories reach, so that none stays untried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from .coefficient import is_junior
from .italian import rio_band
from .random_periods import JHistory, JPeriod
from .readings import READINGS, complete
from .records import JPlayer, JPlayerResult, JResult, JSide, JTournament, Verdict, month_index
from .round_robin import is_complete_round_robin

NAMES: dict[str, str] = {
    "all": """
        late_report bye reported_forfeit several_tournaments base_is_not_the_start_rating
    """,
    "2024": """
        counted pooled unplayed too_fast too_slow unequal_times match_unrated match_decided gap_600
        one_sided opponent_unrated first_event_ignored
        k_10 k_20 k_40_junior k_40_new k_explicit k_10_with_few_games junior_once_2300
        junior_by_year_only birthday_and_year_end_differ turns_18 reaches_30_games reaches_2300
        reaches_2400 falls_under_2400 k_40_cut_by_700 k_20_cut_by_700
        half_point_gained half_point_lost
        difference_cut full_difference_from_2650 cut_before_october_2025
        gap_counted_before_december match_counted one_sided_own delisted_since_start
        delisted returns_after_delisting inactive active_again
        first_rating first_rating_2200 first_rating_too_low first_rating_waits
        first_rating_without_play first_rating_p_tie first_rating_half_tie
        pool_over_periods pool_forgets pool_resets
        first_event_zero first_event_zero_again first_event_saved_by_an_unrated later_zero_pooled
        standard_stands_in standard_unused
    """,
    "2022": """
        active_again birthday_and_year_end_differ counted delisted delisted_since_start
        difference_cut falls_under_2400 first_event_ignored first_event_saved_by_an_unrated
        first_event_zero first_event_zero_again first_rating first_rating_above_half
        first_rating_below_half first_rating_half first_rating_over_2400 first_rating_too_low
        first_rating_waits half_point_gained half_point_lost inactive junior_by_year_only
        junior_once_2300 k_10 k_10_with_few_games k_20 k_20_cut_by_700 k_40_cut_by_700 k_40_junior
        k_40_new k_explicit later_zero_pooled match_counted match_decided match_unrated one_sided
        one_sided_own one_upgrade_used opponent_unrated pool_forgets pool_over_periods pool_resets
        pooled reaches_2300 reaches_2400 reaches_30_games returns_after_delisting too_fast
        turns_18 unplayed
    """,
    "2010": """
        counted pooled unplayed too_fast match_unrated match_decided one_sided opponent_unrated
        first_event_ignored below_floor_ignored opponent_ignored
        k_10 k_15 k_30 reaches_2400 falls_under_2400 half_point_tie difference_cut
        match_counted one_sided_own delisted_since_start
        delisted returns_after_delisting inactive active_again
        first_rating first_rating_waits first_rating_too_low first_rating_above_half
        first_rating_half first_rating_below_half first_rating_over_2400 first_rating_7_team
        first_rating_7_member pool_over_periods pool_forgets pool_resets pool_mixes_systems
        first_event_under_a_point first_event_few_opponents first_event_ignored_again
        later_zero_pooled
        round_robin round_robin_double round_robin_incomplete round_robin_all_rated
        round_robin_second_pass round_robin_one_out round_robin_late_out round_robin_delisted_in
        round_robin_rated_counts_unrated
    """,
    "rio": """
        counted unplayed too_fast too_slow match_counted rapid blitz bullet difference_cut_at_735
        pa_falls pa_rises pa_stays per_tournament_is_not_per_period
        enters category_kept category_reached
    """,
    "uisp": """
        counted unplayed too_fast match_counted k_5 k_10 k_15 k_20 k_30 difference_cut
        pa_falls pa_rises pa_stays enters half_point decimals_carried
    """,
}

RULES: frozenset[str] = frozenset(
    [f"{text}.{name}" for text, names in NAMES.items() for name in names.split()]
    + [f"reading.{name}.{value}" for name, values in READINGS.items() for value in values]
)
"""What histories must reach; a name starts with the text it belongs to."""


def rules_reached(history: JHistory) -> Counter[str]:
    """How often each rule is met in a history."""
    readings = complete(history.readings)
    count: Counter[str] = Counter(
        f"reading.{name}.{value}" for name, value in readings.items() if name in READINGS
    )
    text = "2024" if history.law.startswith("fide") else history.law.split("_", maxsplit=1)[0]
    if history.law == "fide_standard":
        text = {"2011-07-01": "2010", "2022-01-01": "2022"}.get(history.edition, "2024")
    players = history.players
    ignored_once: set[int] = set()
    for period, result in zip(history.periods, history.results, strict=True):
        count.update(common(period, result))
        count.update(f"{text}.{side.verdict}" for side in result.sides)
        count.update(f"{text}.{rule}" for rule in of_sides(history, period, players, result))
        for id_, outcome in result.players.items():
            if history.law.startswith("fide"):
                rules = of_fide_player(text, period, readings, players[id_], outcome)
            else:
                rules = of_italian_player(history.law, outcome, players[id_])
            count.update(f"{text}.{rule}" for rule in rules)
            if outcome.before is None and players[id_].standard and outcome.base:
                count[f"{text}.standard_{'stands_in' if outcome.n else 'unused'}"] += 1
        for tournament in period.tournaments:
            sides = [side for side in result.sides if side.tournament == tournament.id]
            old = "2010" if text == "2010" else "2024"
            rules = of_first_events(old, players, sides, ignored_once)
            count.update(f"{text}.{rule}" for rule in rules)
        if text == "2010":
            count.update(f"2010.{rule}" for rule in of_round_robins(period, players, result))
        players = {id_: outcome.after for id_, outcome in result.players.items()}
    return count


def common(period: JPeriod, result: JResult) -> Iterator[str]:
    for tournament in period.tournaments:
        if tournament.start < period.previous_list:
            yield "all.late_report"
        yield from ["all.bye"] * len(tournament.byes)
        yield from ("all.reported_forfeit" for game in tournament.games if not game.played)
    for outcome in result.players.values():
        if len(outcome.sums) > 1:
            yield "all.several_tournaments"
    for side in result.sides:
        if side.own is not None and side.own != result.players[side.player].base:
            yield "all.base_is_not_the_start_rating"


def of_sides(
    history: JHistory, period: JPeriod, players: dict[int, JPlayer], result: JResult
) -> Iterator[str]:
    """Rules seen in single games."""
    tournaments = {tournament.id: tournament for tournament in period.tournaments}
    for side in result.sides:
        tournament = tournaments[side.tournament]
        start = tournament.ratings[side.player]
        if side.verdict == Verdict.POOLED and start is not None:
            yield "delisted_since_start"
        if side.verdict != Verdict.COUNTED:
            continue
        if tournament.system == "match":
            yield "match_counted"
        if start is None and players[side.player].rating is not None:
            yield "one_sided_own"
        yield from of_difference(history, tournament, side)


def of_difference(history: JHistory, tournament: JTournament, side: JSide) -> Iterator[str]:
    gap, counted = abs(side.difference or 0), abs(side.counted_difference or 0)
    if gap != counted:
        yield "difference_cut_at_735" if history.law.startswith("rio") else "difference_cut"
        if history.edition == "2025-10-01" and (side.own or 0) >= 2650:
            assert tournament.start < date(2025, 10, 1)
            yield "cut_before_october_2025"
    elif gap > 400 and history.edition == "2022-01-01":
        yield "one_upgrade_used"
    elif gap > 400 and history.law.startswith("fide"):
        yield "full_difference_from_2650"
    strongest = max(side.own or 0, side.against or 0)
    is_before = history.edition == "2024-12-01" and tournament.start < date(2024, 12, 1)
    if is_before and gap >= 600 and strongest > 2600:
        yield "gap_counted_before_december"


def of_fide_player(
    text: str, period: JPeriod, readings: dict[str, str], before: JPlayer, outcome: JPlayerResult
) -> Iterator[str]:
    after = outcome.after
    if outcome.k is not None and outcome.n:
        yield from of_coefficient(text, period, readings, before, outcome)
    if outcome.variation.denominator == 2:
        if text == "2010":
            yield "half_point_tie"
        else:
            yield "half_point_gained" if outcome.variation > 0 else "half_point_lost"
    if not before.ever_2400 and (before.rating or 2400) < 2400 and after.ever_2400:
        yield "reaches_2400"
    if before.ever_2400 and 0 < (after.rating or 0) < 2400:
        yield "falls_under_2400"
    if outcome.delisted:
        yield "delisted"
    if outcome.inactive:
        yield "inactive"
    month = month_index(period.previous_list)
    if before.rating is not None and month - (before.last_rated_month or 0) >= 12 and outcome.n:
        yield "active_again"
    if text != "2010" and before.rating is not None:
        if before.games_total < 30 <= after.games_total:
            yield "reaches_30_games"
        if not before.ever_2300 and before.rating < 2300 and after.ever_2300:
            yield "reaches_2300"
    yield from of_pool(text, period, readings, before, outcome)


def of_coefficient(
    text: str, period: JPeriod, readings: dict[str, str], before: JPlayer, outcome: JPlayerResult
) -> Iterator[str]:
    """How K came about."""
    if text == "2010":
        yield f"k_{outcome.k}"
        return
    opening = period.previous_list
    reading = readings["junior_until"]
    junior = is_junior(before, opening, reading)
    if before.k is not None and before.k not in (10, 20, 40):
        raise AssertionError(f"K {before.k}")
    ever_2400 = before.ever_2400 or (before.rating or 0) >= 2400
    ever_2300 = before.ever_2300 or (before.rating or 0) >= 2300
    if ever_2400:
        rule, k = "k_10", 10
        if before.games_total < 30:
            yield "k_10_with_few_games"
    elif junior and not ever_2300:
        rule, k = "k_40_junior", 40
        if before.birth is None:
            yield "junior_by_year_only"
    elif before.games_total < 30:
        rule, k = "k_40_new", 40
    else:
        rule, k = "k_20", 20
        if junior:
            yield "junior_once_2300"
    yield rule if k == outcome.k else "k_explicit"
    if is_junior(before, opening, "birthday") != is_junior(before, opening, "year_end"):
        yield "birthday_and_year_end_differ"
    if junior and not is_junior(before, period.list_date, reading):
        yield "turns_18"
    if outcome.k_applied != outcome.k:
        yield f"k_{outcome.k}_cut_by_700"


def of_pool(
    text: str, period: JPeriod, readings: dict[str, str], before: JPlayer, outcome: JPlayerResult
) -> Iterator[str]:
    """First ratings and what they are made of."""
    month = month_index(period.list_date)
    window = 24 if text == "2010" else 26
    if any(month - result.month >= window for result in before.pool):
        yield "pool_forgets" if readings["unrated_pool"] == "sliding_window" else "pool_resets"
    initial = outcome.initial
    if initial is None:
        return
    pool = [r for r in before.pool if month - r.month < window]
    fresh = outcome.games_in_period
    if fresh and sum(result.n for result in pool) + fresh == initial.n and pool:
        yield "pool_over_periods"
    needed = 9 if text == "2010" else 5
    if not outcome.published_first:
        yield "first_rating_waits" if initial.n < needed else "first_rating_too_low"
        return
    yield "first_rating"
    if before.games_total:
        yield "returns_after_delisting"
    if text == "2024":
        if not fresh:
            yield "first_rating_without_play"
        if initial.initial == 2200 < initial.unrounded:
            yield "first_rating_2200"
        if (100 * (initial.score + 1) / (initial.n + 2)).denominator == 2:
            yield "first_rating_p_tie"
        if initial.unrounded.denominator == 2:
            yield "first_rating_half_tie"
        return
    if initial.initial >= 2400:
        yield "first_rating_over_2400"
    if text == "2010" and initial.n < 9:
        yield "first_rating_7_member" if before.special_body else "first_rating_7_team"
    if initial.dp is not None:
        yield "first_rating_below_half"
    else:
        yield "first_rating_above_half" if initial.above_half else "first_rating_half"


def of_italian_player(law: str, outcome: JPlayerResult, before: JPlayer) -> Iterator[str]:
    if law != "uisp" and outcome.n:
        yield law.removeprefix("rio_")
    if outcome.published_first:
        yield "enters"
    total = Fraction(0)
    for part in outcome.sums:
        total += part.expected_unrounded
        if law == "uisp":
            yield f"k_{part.k}"
        if part.expected == part.expected_unrounded:
            yield "pa_stays"
        else:
            yield "pa_falls" if part.expected < part.expected_unrounded else "pa_rises"
    if law == "uisp":
        if outcome.variation.denominator == 2:
            yield "half_point"
        if before.exact is not None and before.exact.denominator == 2:
            yield "decimals_carried"
        return
    if len(outcome.sums) > 1 and abs(outcome.expected - total) > Fraction(5, 100):
        yield "per_tournament_is_not_per_period"
    after = outcome.after
    if after.rating is not None and after.category != rio_band(after.rating):
        yield "category_kept"
    if before.category is not None and after.category != before.category:
        yield "category_reached"


def of_round_robins(period: JPeriod, players: dict[int, JPlayer], result: JResult) -> Iterator[str]:
    """2010: what becomes of round robins, and of first events."""
    for tournament in period.tournaments:
        starts = tournament.ratings
        sides = [side for side in result.sides if side.tournament == tournament.id]
        if any(side.verdict == Verdict.TOO_FAST for side in sides):
            continue
        if not tournament.system.endswith("round_robin"):
            continue
        if not is_complete_round_robin(tournament):
            if None in starts.values():
                yield "round_robin_incomplete"
            continue
        if None not in starts.values():
            yield "round_robin_all_rated"
        table = result.round_robins.get(tournament.id)
        if table is None:
            continue
        yield "round_robin_double" if "double" in tournament.system else "round_robin"
        if any(rc != table.ra for rc in table.rc_new.values()):
            yield "round_robin_second_pass"
        if any(side.verdict == Verdict.OPPONENT_IGNORED for side in sides):
            yield "round_robin_one_out"
        if any(start is None and players[id_].rating for id_, start in starts.items()):
            yield "round_robin_late_out"
        if any(start and players[id_].rating is None for id_, start in starts.items()):
            yield "round_robin_delisted_in"
        if any(s.verdict == Verdict.COUNTED and starts[s.opponent] is None for s in sides):
            yield "round_robin_rated_counts_unrated"
    for outcome in result.players.values():
        systems = {kept.round_robin_opponents is None for kept in outcome.after.pool}
        if len(systems) == 2:
            yield "pool_mixes_systems"


def of_first_events(
    text: str, players: dict[int, JPlayer], sides: list[JSide], ignored_once: set[int]
) -> Iterator[str]:
    """What becomes of poor results of the unrated."""
    for player in sorted({side.player for side in sides}):
        mine = [side for side in sides if side.player == player]
        ignored = [side for side in mine if side.verdict == Verdict.FIRST_EVENT_IGNORED]
        if ignored and text == "2024":
            yield "first_event_zero_again" if player in ignored_once else "first_event_zero"
        elif ignored:
            scored = sum((side.score for side in ignored), Fraction(0)) >= 1
            yield "first_event_few_opponents" if scored else "first_event_under_a_point"
            if player in ignored_once:
                yield "first_event_ignored_again"
        if ignored:
            ignored_once.add(player)
        pooled = [side for side in mine if side.verdict == Verdict.POOLED]
        if pooled and not any(side.score for side in pooled):
            newcomer = not players[player].first_event_done and player not in ignored_once
            if newcomer and text == "2024" and any(side.score for side in mine):
                yield "first_event_saved_by_an_unrated"
            else:
                yield "later_zero_pooled"
