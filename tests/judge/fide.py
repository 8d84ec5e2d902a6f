"""A FIDE rating period: standard of 2010, standard, rapid and blitz of 2024 and after.

How a period is read
--------------------
* The base of the new rating and the K are those of the previous list. D is taken between the
  ratings of the list in force at the start of each tournament.
* A player who is rated on the previous list but was not at the start of a tournament is rated in it
  with the rating of the previous list; his opponents do not count the game (8.2.4; 2010: 8.4).
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

from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

from .coefficient import coefficient_2010, coefficient_2024
from .exclusions import (
    decided_games,
    gap_verdict,
    match_verdict,
    minutes_needed,
    time_class,
)
from .initial import initial_2010, initial_2024, round_robin_2010
from .records import (
    JGame,
    JInitial,
    JPlayer,
    JPlayerResult,
    JPoolResult,
    JResult,
    JRoundRobin,
    JSide,
    JSum,
    JTournament,
    Verdict,
    month_index,
)
from .tables import expected_score, half_away_from_zero, half_up

ZERO = Fraction(0)


@dataclass(frozen=True)
class Period:
    """What is the same for every player and tournament of one period."""

    kind: str
    """standard, rapid or blitz."""
    is_2010: bool
    edition: date
    readings: dict[str, str]
    list_date: date

    @property
    def month(self) -> int:
        return month_index(self.list_date)

    @property
    def previous_list(self) -> date:
        """The list that opens the period: a month before, in 2010 two months."""
        year, month = divmod(self.month - (2 if self.is_2010 else 1), 12)
        return date(year, month + 1, 1)

    @property
    def floor(self) -> int:
        return 1200 if self.is_2010 else 1400

    @property
    def window(self) -> int:
        """Months of lists a pool may span, the current one included."""
        return 24 if self.is_2010 else 26

    def coefficient(self, player: JPlayer, on: date) -> int:
        if self.is_2010:
            return coefficient_2010(player)
        return coefficient_2024(player, on, self.readings["junior_until"])

    def initial(self, pool: list[JPoolResult], special_body: bool) -> JInitial:
        return initial_2010(pool, special_body) if self.is_2010 else initial_2024(pool)


@dataclass
class Account:
    """A player while his period is being added up."""

    player: JPlayer
    base: int | None
    first_done: bool
    kept: list[JPoolResult]
    fresh: list[JPoolResult] = field(default_factory=list)
    counted: dict[str, list[JSide]] = field(default_factory=dict)


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


def open_account(period: Period, player: JPlayer) -> Account:
    """The player with his base and with what is left of his pool.

    `sliding_window` forgets results older than the window one by one; `reset` forgets all earlier
    results as soon as one of them is older. A published rating of 2400 or 2300 on the previous
    list counts as reached even if the flags do not say so. Who has a rating has had a first event.
    """
    rating = player.rating
    player = replace(
        player,
        ever_2400=player.ever_2400 or (rating or 0) >= 2400,
        ever_2300=player.ever_2300 or (rating or 0) >= 2300,
    )
    kept = [result for result in player.pool if period.month - result.month < period.window]
    if period.readings["unrated_pool"] == "reset" and len(kept) < len(player.pool):
        kept = []
    base = rating
    if base is None and period.kind != "standard":
        base = player.standard
    return Account(player, base, player.first_event_done or rating is not None, kept)


# --- tournaments ----------------------------------------------------------------------------------


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
    decided = decided_games(tournament)
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
    return pool_open_results(period, tournament, accounts, drafts)


def period_begin(period: Period) -> date:
    """The first day of the text an edition belongs to; earlier starts have another text."""
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
    own = starts[me] if starts[me] is not None else accounts[me].base
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


# --- results of unrated players -------------------------------------------------------------------


def pool_open_results(
    period: Period, tournament: JTournament, accounts: dict[int, Account], drafts: list[JSide]
) -> list[JSide]:
    """Puts each unrated player's games against rated ones into his pool, or ignores them all."""
    fate: dict[int, Verdict] = {}
    for id_ in sorted({draft.player for draft in drafts if draft.verdict == Verdict.POOLED}):
        mine = [d for d in drafts if d.player == id_ and d.verdict == Verdict.POOLED]
        result = JPoolResult(
            period.month,
            tournament.id,
            len(mine),
            sum(d.against or 0 for d in mine),
            int(2 * sum((d.score for d in mine), ZERO)),
            world_team=tournament.world_team,
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
    if not account.first_done:
        if period.is_2010:
            passes = (event_half >= 2 or not is_open) and rated_opponents >= 3
        else:
            passes = event_half > 0
        account.first_done = passes or period.readings["repeated_zero"] == "first_only"
        if not passes:
            return Verdict.FIRST_EVENT_IGNORED
    if period.is_2010 and not account.kept and not account.fresh:
        worth = initial_2010([result], account.player.special_body)
        if worth.initial < period.floor:
            return Verdict.BELOW_FLOOR_IGNORED
    account.fresh.append(result)
    return Verdict.POOLED


def played_half_points(tournament: JTournament, player: int) -> int:
    """The half points of all games of a player that were played, whoever the opponent."""
    total = 0
    for game in tournament.games:
        if game.played and game.white == player:
            total += game.white_half
        elif game.played and game.black == player:
            total += game.black_half
    return total


# --- the round robin of 2010 ----------------------------------------------------------------------


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
            period.month,
            tournament.id,
            games_each,
            table.rc_new[player] * games_each,
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


# --- the end of the period ------------------------------------------------------------------------


def settle(period: Period, account: Account) -> JPlayerResult:
    """The player on the new list."""
    return (
        settle_unrated(period, account) if account.base is None else settle_rated(period, account)
    )


def settle_rated(period: Period, account: Account) -> JPlayerResult:
    """8.3.2-8.3.4; 2010: 8.55-8.57: one K and one rounding for the period, then the floor.

    2024: the 700 rule, and the change is rounded. 2010: the new rating is rounded. A rating below
    the floor leaves the player unrated with an empty pool; his games and flags stay.
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
    after = on_the_list(period, after)
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
    fresh = sum(result.n for result in account.fresh)
    after = replace(
        player,
        rating=initial.initial if initial is not None and published else None,
        games_total=games,
        last_rated_month=period.month if fresh else player.last_rated_month,
        pool=() if published else tuple(pool),
        first_event_done=account.first_done,
    )
    after = on_the_list(period, after)
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


def on_the_list(period: Period, after: JPlayer) -> JPlayer:
    """The flags a published rating sets, and the K printed beside it (never cut by 700)."""
    rating = after.rating or 0
    after = replace(
        after,
        ever_2400=after.ever_2400 or rating >= 2400,
        ever_2300=after.ever_2300 or rating >= 2300,
    )
    k = None if after.rating is None else period.coefficient(after, period.list_date)
    return replace(after, k=k)


def is_inactive(period: Period, after: JPlayer) -> bool:
    """7.2.2; 2010: 7.23a: listed, and no rated game for the lists of the last twelve months.

    Games that go to a pool are rated games. Without any known game a listed player is inactive.
    """
    if after.rating is None:
        return False
    return after.last_rated_month is None or period.month - after.last_rated_month >= 12
