"""Tie-breaks, each by its article of FIDE Handbook C.07 (in force since 1 March 2026).

Everything is an integer: points are in tenths, Sonneborn-Berger in hundredths, ratings are ratings.
In a Swiss unplayed rounds count as article 16 says; in a round robin as results against the
opponents of the table (15.2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from arrocco.hall.event.cards import Cards, Slot, SlotKind
from arrocco.hall.event.records import TieBreak
from arrocco.laws.online.score import Scoring
from arrocco.laws.online.side import Side
from arrocco.laws.rounding import half_up
from arrocco.laws.tables import rating_difference


@dataclass(frozen=True)
class Results:
    """The results of an event so far, as far as tie-breaks ask."""

    cards: Cards
    scoring: Scoring
    ratings: Mapping[int, int]
    """Of everybody; who has none counts as the event's rules say."""
    round_robin: bool = False

    @cached_property
    def scores(self) -> dict[int, int]:
        """The points of everybody, with or without playing."""
        return {entry: sum(slot.points for slot in card) for entry, card in self.cards.items()}

    def score(self, entry: int) -> int:
        return self.scores[entry]

    @cached_property
    def adjusted(self) -> dict[int, int]:
        """16.3 — everybody's score as it counts for their opponents."""
        if self.round_robin:
            return self.scores
        return {entry: self._adjusted(card) for entry, card in self.cards.items()}

    def _adjusted(self, card: tuple[Slot, ...]) -> int:
        """16.3.2 — byes asked for count as draws where only unplayed rounds of one's own follow."""
        total, only_voluntary_follow = 0, True
        for slot in reversed(card):
            as_draw = slot.is_requested_bye and only_voluntary_follow
            total += self.scoring.draw if as_draw else slot.points
            only_voluntary_follow = only_voluntary_follow and slot.is_voluntary
        return total

    def opponent_score(self, entry: int, slot: Slot) -> int | None:
        """What a round brings to Buchholz: an opponent's score, or a dummy's (16.4).

        The dummy has the player's own score, but not more than the opponent of a forfeited game
        (16.4.1), and else not more than draws in all rounds (16.4.2). `None` for a game that goes
        on, and in a round robin for a round without an opponent.
        """
        if slot.kind is SlotKind.PENDING or (self.round_robin and slot.opponent is None):
            return None
        if slot.opponent is not None:
            opponent = self.adjusted.get(slot.opponent, 0)
            if slot.was_played or self.round_robin:
                return opponent
            return min(self.score(entry), opponent)
        return min(self.score(entry), self.scoring.draw * len(self.cards[entry]))

    def played(self, entry: int) -> list[Slot]:
        """The games that a player played over the board."""
        return [slot for slot in self.cards[entry] if slot.was_played]


# --- of one's own results (7) ---------------------------------------------------------------------


def wins(results: Results, entry: int) -> int:
    """7.1 — WIN: rounds with as many points as for a win, with or without playing."""
    return sum(
        slot.points == results.scoring.win and slot.kind is not SlotKind.PENDING
        for slot in results.cards[entry]
    )


def games_won(results: Results, entry: int) -> int:
    """7.2 — WON: games won over the board."""
    return sum(slot.points == results.scoring.win for slot in results.played(entry))


def games_with_black(results: Results, entry: int) -> int:
    """7.3 — BPG: games played with Black."""
    return sum(slot.side is Side.BLACK for slot in results.played(entry))


def games_won_with_black(results: Results, entry: int) -> int:
    """7.4 — BWG: games won over the board with Black."""
    black = [slot for slot in results.played(entry) if slot.side is Side.BLACK]
    return sum(slot.points == results.scoring.win for slot in black)


def progressive(results: Results, entry: int) -> int:
    """7.5 — PS: the sum of the scores after each round, in tenths."""
    return sum(accumulate(slot.points for slot in results.cards[entry]))


# --- of the opponents' results (8, 9) -------------------------------------------------------------


def _contributions(results: Results, entry: int) -> list[tuple[int, bool]]:
    """What each round brings to Buchholz, and whether it was left unplayed by one's own will."""
    contributions = []
    for slot in results.cards[entry]:
        score = results.opponent_score(entry, slot)
        if score is not None:
            contributions.append((score, slot.is_voluntary))
    return contributions


def buchholz(results: Results, entry: int) -> int:
    """8.1 — BH: the sum of the opponents' scores, in tenths."""
    return sum(score for score, _ in _contributions(results, entry))


def buchholz_cut_1(results: Results, entry: int) -> int:
    """14.1, 16.5 — BH-C1: without the lowest; first goes a round that one chose not to play."""
    contributions = _contributions(results, entry)
    return sum(score for score, _ in contributions) - _cut(contributions)


def buchholz_median(results: Results, entry: int) -> int:
    """14.3 — BH-M1: without the lowest, as in Cut-1, and without the highest of the others."""
    contributions = _contributions(results, entry)
    lowest = _cut(contributions)
    scores = [score for score, _ in contributions]
    if len(scores) < 2:
        return 0
    scores.remove(lowest)
    return sum(scores) - max(scores)


def _cut(contributions: list[tuple[int, bool]]) -> int:
    """14.1.1, 16.5.1 — what Cut-1 takes away: the lowest unplayed by choice, else the lowest."""
    voluntary = [score for score, chosen in contributions if chosen]
    return min(voluntary or [score for score, _ in contributions], default=0)


def sonneborn_berger(results: Results, entry: int) -> int:
    """9.1 — SB: each opponent's score times the points made against them, in hundredths."""
    total = 0
    for slot in results.cards[entry]:
        score = results.opponent_score(entry, slot)
        if score is not None:
            total += score * slot.points
    return total


# --- of ratings (10) ------------------------------------------------------------------------------


def average_rating(results: Results, entry: int) -> int:
    """10.1 — ARO: the average rating of the opponents played, a half rounded up."""
    ratings = [
        results.ratings[slot.opponent]
        for slot in results.played(entry)
        if slot.opponent is not None
    ]
    return half_up(sum(ratings), len(ratings)) if ratings else 0


def performance(results: Results, entry: int) -> int:
    """10.2 — TPR: that average, and the difference that the rating tables have for the score."""
    games = results.played(entry)
    if not games:
        return 0
    percent = half_up(100 * sum(slot.half_points for slot in games), 2 * len(games))
    return average_rating(results, entry) + rating_difference(percent)


VALUES: Mapping[TieBreak, Callable[[Results, int], int]] = {
    TieBreak.WINS: wins,
    TieBreak.GAMES_WON: games_won,
    TieBreak.GAMES_WITH_BLACK: games_with_black,
    TieBreak.GAMES_WON_WITH_BLACK: games_won_with_black,
    TieBreak.PROGRESSIVE: progressive,
    TieBreak.BUCHHOLZ: buchholz,
    TieBreak.BUCHHOLZ_CUT_1: buchholz_cut_1,
    TieBreak.BUCHHOLZ_MEDIAN: buchholz_median,
    TieBreak.SONNEBORN_BERGER: sonneborn_berger,
    TieBreak.AVERAGE_RATING: average_rating,
    TieBreak.PERFORMANCE: performance,
}
"""Every tie-break that is a value of one player; direct encounter is one of a group."""

ACRONYMS: Mapping[TieBreak, str] = {
    TieBreak.DIRECT_ENCOUNTER: "DE",
    TieBreak.WINS: "WIN",
    TieBreak.GAMES_WON: "WON",
    TieBreak.GAMES_WITH_BLACK: "BPG",
    TieBreak.GAMES_WON_WITH_BLACK: "BWG",
    TieBreak.PROGRESSIVE: "PS",
    TieBreak.BUCHHOLZ: "BH",
    TieBreak.BUCHHOLZ_CUT_1: "BH-C1",
    TieBreak.BUCHHOLZ_MEDIAN: "BH-M1",
    TieBreak.SONNEBORN_BERGER: "SB",
    TieBreak.AVERAGE_RATING: "ARO",
    TieBreak.PERFORMANCE: "TPR",
}
"""5 — the short names of the text."""
