"""The law judges a report: findings with their article, their place and what to do.

`check_report` runs every check; a check is a small function over a `Case` (the report, the edition,
the list) that yields what it finds and nothing where its edition has no such rule.
"""

from __future__ import annotations

from datetime import date

from arrocco.engine.checks import days, events, listed, players, schedule, times
from arrocco.engine.checks.case import Case, Check
from arrocco.findings import Finding, by_severity, capped
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Report

__all__ = ["CHECKS", "HEAD_CHECKS", "check_report"]

CHECKS: tuple[Check, ...] = (
    days.days_given,
    days.days_plausible,
    days.days_in_order,
    days.sent_in_time,
    days.list_reached,
    days.list_of_the_start,
    days.chosen_in_time,
    days.registration,
    times.time_control_known,
    times.first_control,
    times.time_class,
    times.least_time,
    times.tournament_coefficient,
    times.between_bands,
    schedule.round_dates,
    schedule.rounds_in_a_day,
    schedule.hours_in_a_day,
    schedule.length,
    schedule.interim_reports,
    events.where_it_was_played,
    events.hybrid,
    events.rated_in_round_robin,
    events.round_robin_as_swiss,
    events.match_of_rated,
    events.match_decided,
    events.unplayed,
    events.rating_gap,
    players.members,
    players.id_given,
    players.id_once,
    players.federation_given,
    players.federation_known,
    players.plausible_birth,
    players.plausible_rating,
    players.unrated_players,
    listed.on_the_list,
    listed.same_rating,
    listed.same_person,
    listed.same_birth,
    listed.same_particulars,
)

HEAD_CHECKS: tuple[Check, ...] = (
    days.days_given,
    days.days_plausible,
    days.days_in_order,
    times.time_control_known,
    times.first_control,
    times.time_class,
    times.tournament_coefficient,
    schedule.rounds_in_a_day,
    schedule.hours_in_a_day,
    schedule.length,
    events.where_it_was_played,
)
"""Those that can call for an error by looking at nothing but what a report says of itself."""


def check_report(
    report: Report,
    law: RatingLaw,
    listed: RatingList | None = None,
    *,
    on: date | None = None,
    standard: RatingList | None = None,
    suggests: bool = True,
) -> list[Finding]:
    """Everything the law has to say of a report, the gravest first.

    `law` is the edition in force on the day the tournament starts; `listed` the list in force then;
    `on` the day the report is sent; `standard` the list whose ratings stand in for missing ones.
    Nothing is read, and today is never asked. Of a kind of finding the first hundred are listed,
    the others counted. Searching the list for players like those it lacks can be left out.
    """
    case = Case(report, law, listed, on, standard, suggests)
    return by_severity(capped(finding for check in CHECKS for finding in check(case)))
