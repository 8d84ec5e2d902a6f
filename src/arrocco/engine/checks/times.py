"""The time control: whether it is known, whether it is this list's, whether it is slow enough."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arrocco.engine.checks.case import Case, some
from arrocco.engine.checks.questions import (
    BandsOfAnotherLaw,
    FirstControl,
    MinimumByField,
    MinimumByPair,
)
from arrocco.errors import Illegal
from arrocco.findings import Finding, Severity
from arrocco.laws.fide.classes import fide_class
from arrocco.laws.rating import Exclusion
from arrocco.records.report import Game
from arrocco.records.timecontrol import TimeControl


def time_control_known(case: Case) -> Iterator[Finding]:
    """Without a time control nothing below can be judged; without one UISP has no K at all."""
    if case.report.time_control is None:
        yield case.finding(
            Severity.WARNING if _has_coefficient(case) else Severity.ERROR,
            "time_control_unknown",
            article=_time_article(case),
        )


def first_control(case: Case) -> Iterator[Finding]:
    """A first control that counts moves has the number the edition asks for."""
    control, law = case.report.time_control, case.law
    needed = case.value("FIRST_CONTROL_MOVES")
    if control is None or needed is None or not isinstance(law, FirstControl):
        return
    if not law.first_control_is_valid(control):
        yield case.finding(
            Severity.ERROR,
            "first_control",
            article=needed.article,
            control=str(control),
            moves=control.first_control_moves,
            needed=int(needed),
        )


def time_class(case: Case) -> Iterator[Finding]:
    """The time is that of this list, and the same for both where the edition wants it so."""
    control, law = case.report.time_control, case.law
    if control is None:
        return
    reason = law.excluded_by_time(control, case.top_rating, case.top_rating)
    if reason is Exclusion.WRONG_CLASS:
        yield case.finding(
            Severity.ERROR,
            "wrong_class",
            article=law.exclusion_article(reason),
            law=law.law,
            belongs=str(fide_class(control) or "-"),
            **_time(control),
        )
    elif reason is Exclusion.UNEQUAL_TIMES:
        yield case.finding(
            Severity.ERROR,
            "unequal_times",
            article=law.exclusion_article(reason),
            control=str(control),
        )


def least_time(case: Case) -> Iterator[Finding]:
    """Each game, or the whole field, has the least time that its ratings ask for."""
    control = case.report.time_control
    if control is None:
        return
    if case.law.MINIMUM_TIME_BY_FIELD:
        yield from _least_time_of_field(case, control)
    else:
        yield from _least_time_of_games(case, control)


def _least_time_of_field(case: Case, control: TimeControl) -> Iterator[Finding]:
    law, top = case.law, case.top_rating
    reason = law.excluded_by_time(control, top, top)
    if reason is Exclusion.TOO_FAST and isinstance(law, MinimumByField):
        yield case.finding(
            Severity.ERROR,
            "field_too_fast",
            article=law.exclusion_article(reason),
            top=top or "-",
            needed=law.minimum_minutes_of_field(case.ratings.values()),
            **_time(control),
        )


def _least_time_of_games(case: Case, control: TimeControl) -> Iterator[Finding]:
    games = case.excluded(Exclusion.TOO_FAST)
    if not games:
        return
    every = len(games) == len(case.played)
    yield case.finding(
        Severity.ERROR if every else Severity.WARNING,
        "all_games_too_fast" if every else "games_too_fast",
        games[0].place,
        article=case.law.exclusion_article(Exclusion.TOO_FAST),
        count=len(games),
        played=len(case.played),
        games=some(_game_and_need(case, game) for game in games),
        **_time(control),
    )


def _game_and_need(case: Case, game: Game) -> str:
    """A game with the minutes it needed: ``1. Rossi, Ada 2410 – Verdi, Bo 1950 (120')``."""
    text = case.game(game)
    if not isinstance(case.law, MinimumByPair):
        return text
    white, black = case.ratings.get(game.white), case.ratings.get(game.black)
    return f"{text} ({case.law.minimum_minutes(white, black)}')"


def tournament_coefficient(case: Case) -> Iterator[Finding]:
    """Where K belongs to tournaments, the edition has one for this time control."""
    control, law = case.report.time_control, case.law
    if control is None or law.excluded_by_time(control, None, None) or _has_coefficient(case):
        return
    yield case.finding(
        Severity.ERROR, "no_coefficient", article=law.article("k"), law=law.law, **_time(control)
    )


def between_bands(case: Case) -> Iterator[Finding]:
    """UISP takes FIDE's lists for K; games that FIDE leaves out for their players still count."""
    control, law, top = case.report.time_control, case.law, case.top_rating
    if control is None or not isinstance(law, BandsOfAnotherLaw):
        return
    if law.is_between_bands(control) and law.is_left_out_by_fide(control, top):
        yield case.finding(
            Severity.WARNING,
            "between_bands",
            article=case.article("is_between_bands"),
            top=top,
            **_time(control),
        )


def _has_coefficient(case: Case) -> bool:
    law, report = case.law, case.report
    if not law.K_FROM_TOURNAMENT:
        return True
    try:
        law.tournament_coefficient(report.time_control, online=report.facts.online)
    except Illegal:
        return False
    return True


def _time_article(case: Case) -> str:
    """The article on the time of play: of the field in the 2010 text, else of the game."""
    return case.article("excluded_by_time_of_field") or case.article("excluded_by_time")


def _time(control: TimeControl) -> dict[str, Any]:
    """A control and the lesser side's time for 60 moves, in minutes: ``90`` or ``90:30``."""
    minutes, seconds = divmod(control.seconds_for_60_moves, 60)
    shown = f"{minutes}:{seconds:02d}" if seconds else str(minutes)
    return {"control": str(control), "minutes": shown}
