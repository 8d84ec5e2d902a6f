"""Rates some reports together as one period against one list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from arrocco.engine.assemble import Assembled, Unlisted, assemble, law_for
from arrocco.engine.batch import law_on
from arrocco.engine.explain import PlayerRows, rows_of_player
from arrocco.engine.outcome import GIVEN
from arrocco.engine.period import Period, rate_period
from arrocco.engine.pools import Pools
from arrocco.errors import Illegal
from arrocco.findings import Finding, Place, Severity
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import RatingList, empty_list
from arrocco.records.report import Report


@dataclass
class RatedReports:
    """The period, the columns it was computed from, and everything worth saying about it."""

    period: Period
    assembled: Assembled
    findings: list[Finding]

    def players(self) -> list[PlayerRows]:
        """Every player who had a rating, the highest first."""
        rows = [int(row) for row in set(self.period.entries.player.tolist())]
        player_rowses = [
            rows_of_player(self.period, row) for row in rows if self.period.players.rating[row]
        ]
        return sorted(player_rowses, key=lambda player: (-(player.rating or 0), player.id))

    def newcomers(self) -> list[PlayerRows]:
        """Every player without a rating, by id."""
        rows = sorted(int(row) for row in set(self.period.entries.player.tolist()))
        return [
            rows_of_player(self.period, row) for row in rows if not self.period.players.rating[row]
        ]

    def name(self, row: int) -> str:
        """The name of the player in a row."""
        return self.assembled.names.get(int(self.period.players.id[row]), "")


def rate_reports(
    law_name: str,
    reports: Sequence[Report],
    listed: RatingList | None,
    *,
    on: date | None = None,
    readings: dict[str, str] | None = None,
    unlisted: Unlisted = "unrated",
    entry_ratings: dict[int, tuple[int, str]] | None = None,
    standard: RatingList | None = None,
    edition: str = "",
    affiliated: tuple[int, ...] = (),
) -> RatedReports:
    """Rates reports as one period, each under the edition in force on its start day.

    K and rounding, which belong to the period, are those of the latest start day. An `edition` that
    is named rates them all, in force then or not. `affiliated` are players of the IBCA, the ICSC or
    the IPCA (FIDE 2010, 7.14g).
    """
    readings = readings or {}
    laws = _shared([law_for(law_name, report, on, readings, edition) for report in reports])
    last = max((report.start or on or date.min for report in reports), default=on or date.min)
    of_period = law_on(law_name, last, readings, edition)
    law = next((law for law in laws if type(law) is type(of_period)), of_period)
    if len(reports) > 1 and not law.ratings_are_fixed_in_period():
        raise Illegal.of("engine.refused.one_after_the_other", law=law.law, reports=len(reports))
    without_list = listed is None
    if listed is None:
        listed, unlisted = empty_list(), "report"
    assembled = assemble(
        reports,
        laws,
        listed,
        on=on,
        unlisted=unlisted,
        entry_ratings=entry_ratings,
        standard=standard,
    )
    opened, list_date = law.period_of(last)
    period = rate_period(
        law,
        list_date,
        assembled.tournaments,
        assembled.players.with_affiliated(affiliated),
        assembled.entries,
        assembled.games,
        Pools(),
        opened_on=listed.on or opened,
    )
    findings = assembled.findings + _remarks(period, reports, laws, without_list=without_list)
    return RatedReports(period, assembled, findings)


def _shared(laws: list[RatingLaw]) -> list[RatingLaw]:
    """The same edition read in the same way once: the engine works edition by edition."""
    first: dict[type[RatingLaw], RatingLaw] = {}
    return [first.setdefault(type(law), law) for law in laws]


def _remarks(
    period: Period,
    reports: Sequence[Report],
    laws: Sequence[RatingLaw],
    *,
    without_list: bool,
) -> list[Finding]:
    findings = [
        Finding(Severity.WARNING, "engine.time_control_unknown", Place(report.source))
        for report in reports
        if report.time_control is None
    ]
    editions = sorted({law.edition for law in laws})
    if len(editions) > 1:
        details = {"editions": ", ".join(editions), "last": period.law.edition}
        findings.append(Finding(Severity.WARNING, "engine.several_editions", details=details))
    if without_list:
        findings.append(Finding(Severity.WARNING, "engine.ratings_from_reports"))
    elif not period.law.K_FROM_TOURNAMENT:
        given = period.outcome.k_reasons.index(GIVEN)
        rows = set(period.entries.player[period.entries.own > 0].tolist())
        derived = sum(int(period.outcome.k_reason[row]) != given for row in rows)
        if derived:
            findings.append(Finding(Severity.NOTE, "engine.k_derived", details={"count": derived}))
    return findings
