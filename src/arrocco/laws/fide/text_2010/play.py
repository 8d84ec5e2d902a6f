"""FIDE 2010, articles 1, 3 and 5 with 6.5 and 6.6: what kind of play is rated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from arrocco.laws.edition import Legal
from arrocco.laws.rating import Exclusion, PlayRated, RatingLaw
from arrocco.records.report import GameKind
from arrocco.records.timecontrol import TimeControl


class Play(RatingLaw):
    """Rate of play, hours of play, unplayed games and matches."""

    PLAY_RATED = PlayRated(online=False, article="2.1")
    MINIMUM_TIME_BY_FIELD: ClassVar[bool] = True
    """The least time is the same for a whole tournament: its highest rating sets it (1.1)."""

    HIGH_BAND = Legal(2200, "1.1", "rating").means(
        "from this rating of anyone in the tournament all need the longest time",
        "da questo rating di uno qualsiasi del torneo serve a tutti il tempo più lungo",
    )
    MIDDLE_BAND = Legal(1600, "1.1", "rating").means(
        "from this rating of anyone in the tournament all need the middle time",
        "da questo rating di uno qualsiasi del torneo serve a tutti il tempo medio",
    )
    HIGH_BAND_MINUTES = Legal(120, "1.1", "minutes").means(
        "least time for 60 moves in the high band", "tempo minimo per 60 mosse nella fascia alta"
    )
    MIDDLE_BAND_MINUTES = Legal(90, "1.1", "minutes").means(
        "least time for 60 moves in the middle band", "tempo minimo per 60 mosse nella fascia media"
    )
    LOW_BAND_MINUTES = Legal(60, "1.1", "minutes").means(
        "least time for 60 moves when all are below the middle band",
        "tempo minimo per 60 mosse se tutti sono sotto la fascia media",
    )
    FIRST_CONTROL_MOVES = Legal(40, "1.3", "moves").means(
        "in a first control that counts moves, no more and no fewer",
        "nel primo controllo, se indicate: né più né meno",
    )
    GAMES_PER_DAY = Legal(3, "3.1", "games").means("a day at most", "al giorno al massimo")
    HOURS_PER_DAY = Legal(12, "3.1", "hours").means(
        "of play a day at most, games taken at 60 moves",
        "di gioco al giorno al massimo, con partite di 60 mosse",
    )

    def minimum_minutes_of_field(self, ratings: Iterable[int | None]) -> int:
        """1.1 — the least time for 60 moves in a tournament of these; unrated is below
        {MIDDLE_BAND}.
        """
        highest = max((rating or 0 for rating in ratings), default=0)
        if highest >= self.HIGH_BAND:
            return self.HIGH_BAND_MINUTES
        if highest >= self.MIDDLE_BAND:
            return self.MIDDLE_BAND_MINUTES
        return self.LOW_BAND_MINUTES

    def excluded_by_time_of_field(
        self, control: TimeControl, ratings: Iterable[int | None]
    ) -> Exclusion | None:
        """1.2 — games faster than the least time of their tournament are not rated."""
        if control.seconds_for_60_moves < 60 * self.minimum_minutes_of_field(ratings):
            return Exclusion.TOO_FAST
        return None

    def excluded_by_time(
        self, control: TimeControl, own: int | None, opponent: int | None
    ) -> Exclusion | None:
        """Why a game at this time control is not rated, where the two ratings are the whole field.

        The bands of 1.1 look at the tournament, not at the game: pass the highest rating of the
        field as one of the two, as `MINIMUM_TIME_BY_FIELD` tells.
        """
        return self.excluded_by_time_of_field(control, (own, opponent))

    def first_control_is_valid(self, control: TimeControl) -> bool:
        """1.3 — a first control that counts moves has exactly {FIRST_CONTROL_MOVES} of them, for
        both players.
        """
        firsts = (control.white[0].moves, control.black[0].moves)
        return all(moves in (None, self.FIRST_CONTROL_MOVES) for moves in firsts)

    def day_is_within_limit(self, control: TimeControl, rounds: int) -> bool:
        """3.1 — at most {GAMES_PER_DAY} games a day, and both players' time for 60 moves within
        {HOURS_PER_DAY} hours.
        """
        seconds = control.seconds_for_60_moves + control.longest_seconds_for_60_moves
        return rounds <= self.GAMES_PER_DAY and rounds * seconds <= self.HOURS_PER_DAY * 3600

    def is_played(self, kind: GameKind) -> bool:
        """5.1 — only a game in which both made at least one move counts."""
        return kind is GameKind.PLAYED

    def games_rated_in_match(
        self, scores: Sequence[tuple[int, int]], games: int, *, waiver: bool = False
    ) -> int:
        """6.5 — how many games of a match are rated: those until one side has more than half.

        `scores` holds the half points of the two sides game by game, `games` how many were agreed.
        The waiver of later texts does not exist here and changes nothing.
        """
        first = second = 0
        for played, (own, other) in enumerate(scores, start=1):
            first, second = first + own, second + other
            if max(first, second) > games:  # in half points, more than half of 2 * games
                return played
        return len(scores)

    def match_is_rated(self, *ratings: int | None) -> bool:
        """6.6 — a match in which one or both are unrated is not rated."""
        return all(rating is not None for rating in ratings)
