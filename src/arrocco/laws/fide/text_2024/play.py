"""FIDE 2024, articles 1, 3, 5 and 6: what kind of play is rated."""

from __future__ import annotations

from collections.abc import Sequence

from arrocco.laws.edition import Legal
from arrocco.laws.rating import Exclusion, PlayRated, RatingLaw
from arrocco.records.report import GameKind
from arrocco.records.timecontrol import TimeControl


class Play(RatingLaw):
    """Rate of play, hours of play, unplayed games and matches."""

    PLAY_RATED = PlayRated(online=False, article="2.1")

    HIGH_BAND = Legal(2400, "1.1", "rating").means(
        "from this rating of either player both need the longest time",
        "da questo rating di uno dei due serve il tempo più lungo",
    )
    MIDDLE_BAND = Legal(1800, "1.1", "rating").means(
        "from this rating of either player both need the middle time",
        "da questo rating di uno dei due serve il tempo medio",
    )
    HIGH_BAND_MINUTES = Legal(120, "1.1", "minutes").means(
        "least time for 60 moves in the high band", "tempo minimo per 60 mosse nella fascia alta"
    )
    MIDDLE_BAND_MINUTES = Legal(90, "1.1", "minutes").means(
        "least time for 60 moves in the middle band", "tempo minimo per 60 mosse nella fascia media"
    )
    LOW_BAND_MINUTES = Legal(60, "1.1", "minutes").means(
        "least time for 60 moves when both are below the middle band",
        "tempo minimo per 60 mosse se entrambi sono sotto la fascia media",
    )
    FIRST_CONTROL_MOVES = Legal(30, "1.2", "moves").means(
        "least number of moves of a first control that counts moves",
        "numero minimo di mosse del primo controllo, se indicato",
    )
    HOURS_PER_DAY = Legal(12, "3", "hours").means(
        "of play a day at most, games taken at 60 moves",
        "di gioco al giorno al massimo, con partite di 60 mosse",
    )

    def minimum_minutes(self, first: int | None, other: int | None) -> int:
        """1.1 — the least time for 60 moves in a game between these two; unrated is below
        {MIDDLE_BAND}.
        """
        higher = max(first or 0, other or 0)
        if higher >= self.HIGH_BAND:
            return self.HIGH_BAND_MINUTES
        if higher >= self.MIDDLE_BAND:
            return self.MIDDLE_BAND_MINUTES
        return self.LOW_BAND_MINUTES

    def excluded_by_time(
        self, control: TimeControl, own: int | None, opponent: int | None
    ) -> Exclusion | None:
        """1.1 — a game is rated only if each player has the least time for these two ratings."""
        if control.seconds_for_60_moves < 60 * self.minimum_minutes(own, opponent):
            return Exclusion.TOO_FAST
        return None

    def first_control_is_valid(self, control: TimeControl) -> bool:
        """1.2 — a first control that counts moves has at least {FIRST_CONTROL_MOVES} of them."""
        moves = control.first_control_moves
        return moves is None or moves >= self.FIRST_CONTROL_MOVES

    def day_is_within_limit(self, control: TimeControl, rounds: int) -> bool:
        """3 — the rounds of one day take at most {HOURS_PER_DAY} hours, both players' time for 60
        moves.
        """
        seconds = control.seconds_for_60_moves + control.longest_seconds_for_60_moves
        return rounds * seconds <= self.HOURS_PER_DAY * 3600

    def is_played(self, kind: GameKind) -> bool:
        """5.1 — only a game in which both made at least one move counts."""
        return kind is GameKind.PLAYED

    def match_is_rated(self, *ratings: int | None) -> bool:
        """6.1 — a match with an unrated player is not rated."""
        return all(rating is not None for rating in ratings)

    def games_rated_in_match(
        self, scores: Sequence[tuple[int, int]], games: int, *, waiver: bool = False
    ) -> int:
        """6.2 — how many games of a match are rated: those until one side has more than half.

        `scores` holds the half points of the two sides game by game, `games` how many were agreed.
        """
        if waiver:
            return len(scores)
        first = second = 0
        for played, (own, other) in enumerate(scores, start=1):
            first, second = first + own, second + other
            if max(first, second) > games:  # in half points, more than half of 2 * games
                return played
        return len(scores)
