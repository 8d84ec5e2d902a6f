"""One player's view of a FIDE game, and the results an unrated player takes along."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

from .account import Account, Period
from .initial import initial_2010
from .records import JPoolResult, JSide, JTournament, Verdict
from .tables import expected_score


def open_verdict(
    me: int, opponent: int, accounts: dict[int, Account], starts: dict[int, int | None]
) -> Verdict:
    """Counted, pooled, or out because the opponent had no rating at the start."""
    if starts[opponent] is None:
        if accounts[opponent].base is not None:
            return Verdict.ONE_SIDED
        return Verdict.OPPONENT_UNRATED
    return Verdict.POOLED if accounts[me].base is None else Verdict.COUNTED


def side(
    period: Period,
    tournament: JTournament,
    at: int,
    me: int,
    verdict: Verdict,
    accounts: dict[int, Account],
    starts: dict[int, int | None],
    against: int | None,
) -> JSide:
    """One player's view of a game; a counted one with D and the expected score."""
    game = tournament.games[at]
    opponent = game.black if me == game.white else game.white
    half = game.white_half if me == game.white else game.black_half
    plain = JSide(tournament.id, at, me, opponent, verdict, Fraction(half, 2))
    if verdict == Verdict.POOLED:
        return replace(plain, against=against)
    if verdict != Verdict.COUNTED:
        return plain
    own = starts[me]
    if own is None:
        own = accounts[me].base_since(tournament.start, period.readings["listed_since"])
    assert own is not None
    assert against is not None
    full = (
        period.kind == "standard"
        and period.edition >= date(2025, 10, 1)
        and tournament.start >= date(2025, 10, 1)
        and own >= 2650
    )
    counted, expected = expected_score(own, against, None if full else 400)
    return replace(
        plain,
        own=own,
        against=against,
        difference=own - against,
        counted_difference=counted,
        expected=expected,
    )


def one_upgrade_each(drafts: list[JSide], *, of_both: bool) -> list[JSide]:
    """8.3.1 of 2022: of the games cut in a player's favour only the one furthest apart stays cut.

    Who is weaker gains nothing by the cut, so it stays in all games unless `of_both`.
    """
    settled = list(drafts)
    for player in {draft.player for draft in drafts}:
        upgraded = [
            at
            for at, draft in enumerate(drafts)
            if draft.player == player
            and draft.verdict == Verdict.COUNTED
            and ((draft.difference or 0) > 400 or (of_both and (draft.difference or 0) < -400))
        ]
        furthest = sorted(upgraded, key=lambda at: -abs(drafts[at].difference or 0))
        for at in furthest[1:]:
            draft = drafts[at]
            counted, expected = expected_score(draft.own or 0, draft.against or 0, None)
            settled[at] = replace(draft, counted_difference=counted, expected=expected)
    return settled


def pool_open_results(
    period: Period, tournament: JTournament, accounts: dict[int, Account], drafts: list[JSide]
) -> list[JSide]:
    """Puts each unrated player's games against rated ones into his pool, or ignores them all."""
    fate: dict[int, Verdict] = {}
    for id_ in sorted({draft.player for draft in drafts if draft.verdict == Verdict.POOLED}):
        mine = [d for d in drafts if d.player == id_ and d.verdict == Verdict.POOLED]
        result = JPoolResult(
            period.pool_month(tournament.start),
            tournament.id,
            len(mine),
            sum(d.against or 0 for d in mine),
            int(2 * sum((d.score for d in mine), Fraction(0))),
            world_team=tournament.world_team,
            pointless_in=interim_of(period, tournament),
        )
        half = result.half
        if period.readings["zero_first_event"] == "whole_event":
            half = played_half_points(tournament, id_)
        fate[id_] = take_in(
            period, accounts[id_], result, half, len({d.opponent for d in mine}), is_open=True
        )
    return [
        replace(d, verdict=fate[d.player]) if d.verdict == Verdict.POOLED else d for d in drafts
    ]


def take_in(
    period: Period,
    account: Account,
    result: JPoolResult,
    event_half: int,
    rated_opponents: int,
    *,
    is_open: bool,
) -> Verdict:
    """8.2.1; 2010: 8.21, 6.1 and 8.31 — whether an unrated player's result is kept.

    Only an event with a rated opponent can be the first one. 2024: it is ignored with no points;
    2010: with less than one point or fewer than three rated opponents (in a round robin the points
    have been looked at before). `first_only`: only the first event of all can be ignored;
    `until_score`: every event is, up to the first that passes. In 2010 a result worth less than the
    floor is ignored too as long as the pool holds none.
    """
    long = result.pointless_in
    earlier = [held for held in account.pointless if long and held.pointless_in == long]
    if not account.first_done or earlier:
        if period.is_2010:
            passes = (event_half >= 2 or not is_open) and rated_opponents >= 3
        else:
            passes = event_half > 0
        account.first_done |= passes or period.readings["repeated_zero"] == "first_only"
        if not passes:
            if long:
                account.pointless.append(result)
            return Verdict.FIRST_EVENT_IGNORED
    # The first point of a long tournament brings back the months before it.
    account.pointless = [held for held in account.pointless if held not in earlier]
    account.fresh += [replace(held, pointless_in="") for held in earlier]
    account.returned += sum(held.n for held in earlier if held in account.player.pool)
    result = replace(result, pointless_in="")
    if period.is_2010 and not account.kept and not account.fresh:
        worth = initial_2010([result], account.player.special_body)
        if worth.initial < period.floor:
            return Verdict.BELOW_FLOOR_IGNORED
    account.fresh.append(result)
    return Verdict.POOLED


def interim_of(period: Period, tournament: JTournament) -> str:
    """4 and 8.2.1: the long tournament that is one event; read as `each_report` there is none."""
    whole = period.readings["interim_first_event"] == "whole_tournament"
    return tournament.interim_of if whole and not period.is_2010 else ""


def played_half_points(tournament: JTournament, player: int) -> int:
    """The half points of all games of a player that were played, whoever the opponent."""
    total = 0
    for game in tournament.games:
        if game.played and game.white == player:
            total += game.white_half
        elif game.played and game.black == player:
            total += game.black_half
    return total
