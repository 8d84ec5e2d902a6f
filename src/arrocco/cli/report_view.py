"""What the renderings of a rated period share: the same figures for text, JSON, CSV and HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal

from arrocco.engine.admission import Waived
from arrocco.engine.columns import COUNTED, reason_of
from arrocco.engine.explain import PlayerRows
from arrocco.engine.rate_reports import RatedReports
from arrocco.findings import Finding
from arrocco.laws.rating import Exclusion
from arrocco.laws.rounding import half_up
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Game, GameKind, Report
from arrocco.words import Language, show

Side = Literal["white", "black", "both"]

_RESULTS = {2: "1", 1: "½", 0: "0"}


@dataclass(frozen=True)
class RatedFiles:
    """A rated period with the list it started from and all that was found on the way."""

    law: str
    rated: RatedReports
    listed: RatingList | None
    findings: list[Finding]
    waived: Sequence[Waived] = ()
    """Errors that were let pass, with the reasons given."""

    @property
    def editions(self) -> list[str]:
        """The editions the tournaments were rated under, the oldest first."""
        return sorted({t.law.edition for t in self.rated.period.tournaments})

    @cached_property
    def players(self) -> list[PlayerRows]:
        """Every player who had a rating, the highest first."""
        return self.rated.players()

    @cached_property
    def newcomers(self) -> list[PlayerRows]:
        """Every player without a rating, by id."""
        return self.rated.newcomers()

    @property
    def next_list(self) -> date | None:
        """The list these ratings are for, where the law gives lists a calendar."""
        period = self.rated.period
        last = max(tournament.start for tournament in period.tournaments)
        return period.outcome.list_date if period.outcome.list_date > last else None


@dataclass(frozen=True)
class ExcludedGame:
    """A game that does not count, for whom, and why; players are rows of the players' table."""

    tournament: int
    game: Game
    white: int
    black: int
    side: Side
    reason: Exclusion
    article: str

    @property
    def counts_elsewhere(self) -> bool:
        """Whether the game counts after all, towards the first rating of an unrated player."""
        return self.reason is Exclusion.OWN_UNRATED


def days_text(language: Language, report: Report) -> str:
    """The days of a tournament; one day is said once."""
    days = [show(language, day) for day in dict.fromkeys((report.start, report.end)) if day]
    return " – ".join(days) or "–"


def known_id(number: int) -> int | None:
    """A player's id; the engine numbers players without one below zero."""
    return number if number > 0 else None


def id_text(number: int) -> str:
    return str(number) if number > 0 else "-"


def result_text(game: Game) -> str:
    """The result as a cross-table prints it; a game that was not played has + and -."""
    if game.kind is GameKind.FORFEIT:
        marks = ("+" if score else "-" for score in (game.white_score, game.black_score))
        return ":".join(marks)
    return f"{_RESULTS[game.white_score]}-{_RESULTS[game.black_score]}"


def excluded_games(rated: RatedReports) -> Iterator[ExcludedGame]:
    """Every game that counts for one side only or for none, in the order of the reports."""
    period = rated.period
    games = [game for report in rated.assembled.reports for game in report.games]
    codes = period.sides.exclusion.tolist()
    for index, game in enumerate(games):
        of_white, of_black = codes[index], codes[index + len(games)]
        entry = int(period.games.white[index])
        white = int(period.entries.player[entry])
        black = int(period.entries.player[period.games.black[index]])
        tournament = int(period.entries.tournament[entry])
        law = period.tournaments[tournament].law
        sides: list[tuple[Side, int]]
        if of_white == of_black:
            sides = [("both", of_white)]
        else:
            sides = [("white", of_white), ("black", of_black)]
        for side, code in sides:
            reason = reason_of(code)
            if code != COUNTED and reason is not None:
                article = law.exclusion_article(reason)
                yield ExcludedGame(tournament, game, white, black, side, reason, article)


def average_of_opponents(player: PlayerRows) -> int | None:
    """Rc over the whole period: the mean rating of the opponents that count, a half upwards."""
    ratings = [
        game.opponent_rating or 0
        for event in player.events
        for game in event.games
        if game.exclusion is None
    ]
    return half_up(sum(ratings), len(ratings)) if ratings else None


def coefficients_of(player: PlayerRows, *, of_tournaments: bool) -> list[int]:
    """K as it was applied: the player's, or that of each tournament in which games count."""
    if not of_tournaments:
        return [player.k_applied]
    return list(dict.fromkeys(event.k for event in player.events if event.n))


def rating_after(player: PlayerRows) -> int | None:
    """The rating plus its change, whether it is still published or not."""
    return None if player.rating is None else player.rating + player.change
