"""What the rules of an event lack or cannot say, each with its article."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arrocco.findings import Finding, Severity
from arrocco.hall.event.records import TieBreak
from arrocco.hall.event.rules import ZERO, Chat, Rules, Supervision
from arrocco.laws.hall import Laws, OnlineRating
from arrocco.laws.online.event_rules import EventRules
from arrocco.laws.online.law import OnlineLaw

MAX_ROUNDS = 99
MAX_TEXT = 2000
"""The longest text that a person can write into an event."""

_NOT_IN_ROUND_ROBINS = (TieBreak.BUCHHOLZ, TieBreak.BUCHHOLZ_CUT_1, TieBreak.BUCHHOLZ_MEDIAN)


def objections(rules: Rules, laws: Laws) -> list[Finding]:
    """What stands against the rules of an event; nothing when it can be announced."""
    return [
        *_by_regulation(rules, laws.online),
        *_by_rating(rules, laws.rio),
        *_by_fide(rules),
        *_by_sense(rules),
    ]


def _objection(key: str, article: str = "", **details: Any) -> Finding:
    return Finding(Severity.ERROR, f"event.rules.{key}", article=article, details=details)


def _by_regulation(rules: Rules, law: OnlineLaw) -> Iterator[Finding]:
    """1.3.5, 1.3.6, 5.9, 7.4, 12.8 as the regulation checks them; 1.3.3, 5.2, 6.9g, 7.7, 9."""
    stated = EventRules(
        time_control=rules.control,
        tolerance=rules.tolerance,
        disconnection_rule=rules.disconnection_rule,
        device_sanction=rules.device_sanction,
        fair_play_only_by_platform=rules.fair_play_only_by_platform,
    )
    for rule in law.objections_to_rules(stated):
        yield _objection(rule.key, rule.article)
    control = rules.control
    if control is not None and not (control.white[0].seconds and control.black[0].seconds):
        yield _objection("no_time_to_begin", "1.3.3", control=rules.time_control)
    if rules.chat is Chat.EVERYBODY:
        yield _objection("chat_open", "5.2")
    if rules.spectators.delay < ZERO or rules.spectators.delay_half_moves < 0:
        yield _objection("negative", "5.17")
    if rules.announced_fine is not None and rules.announced_fine <= 0:
        yield _objection("fine_not_positive", "6.9g")
    if rules.reconnection_limit is not None and rules.reconnection_limit < ZERO:
        yield _objection("negative", "7.7")
    if (rules.supervision is Supervision.SAMPLE) is not (rules.sample > 0):
        yield _objection("sample_size", "9.1")
    if rules.needs_second_camera and rules.supervision is Supervision.NONE:
        yield _objection("second_camera_alone", "10.3")
    if rules.red_card_from is not None and (not rules.cards or rules.red_card_from < 1):
        yield _objection("cards", "9.2")


def _by_rating(rules: Rules, rio: OnlineRating) -> Iterator[Finding]:
    """14.2, 14.3 — games that are to be rated need a time control that is."""
    if not 1 <= rules.rating_of_unrated <= 4000:
        yield _objection("rating_of_unrated", "14.2", rating=rules.rating_of_unrated)
    if not rules.rated or rules.control is None:
        return
    reason = rio.excluded_by_time(rules.control)
    if reason is not None:
        article = rio.EXCLUSION_ARTICLES[reason]
        yield _objection("not_rateable", article, control=str(rules.control))


def _by_fide(rules: Rules) -> Iterator[Finding]:
    """C.04.1 on byes, C.07 on tie-breaks."""
    if not 0 <= rules.points_for_bye <= rules.scoring.win:
        yield _objection("bye_points", "C.04.1 3")
    if rules.system.is_round_robin and set(_NOT_IN_ROUND_ROBINS) & set(rules.tie_breaks):
        yield _objection("no_buchholz", "C.07 8")
    if len(set(rules.tie_breaks)) < len(rules.tie_breaks):
        yield _objection("tie_break_repeated", "C.07 4.1")


def _by_sense(rules: Rules) -> Iterator[Finding]:
    round_robin = rules.system.is_round_robin
    if round_robin and rules.rounds:
        yield _objection("rounds_of_round_robin", "C.05", rounds=rules.rounds)
    if not round_robin and not 1 <= rules.rounds <= MAX_ROUNDS:
        yield _objection("rounds", "C.04.1 1", rounds=rules.rounds, most=MAX_ROUNDS)
    if min(rules.half_point_byes, rules.late_entries_until - 1, rules.sample) < 0:
        yield _objection("negative")
    if round_robin and (rules.half_point_byes or rules.late_entries_until > 1):
        yield _objection("round_robin_is_closed", "C.05")
    if len(rules.disconnection_rule) > MAX_TEXT:
        yield _objection("text_too_long", "7.4", most=MAX_TEXT)
