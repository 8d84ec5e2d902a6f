"""The gate: what `report check` calls an error stops a report, in columns as in records."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations

import numpy as np
import pytest

from arrocco.engine import admission_columns
from arrocco.engine.admission import (
    NEVER_WAIVED,
    Waiver,
    Waivers,
    edition_for,
    judged,
    waived_findings,
    waiver_key,
)
from arrocco.engine.admission_columns import suspects
from arrocco.engine.batch import ListColumns, PeriodContext
from arrocco.engine.checks import CHECKS, HEAD_CHECKS
from arrocco.errors import Illegal, Inconsistent
from arrocco.findings import Finding, Place, Severity
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import RatingList, list_of_ratings
from arrocco.records.report import Entry, Facts, Game, Report, System
from arrocco.records.reportbatch import TournamentHead, batch_of, report_at
from arrocco.records.timecontrol import Period, TimeControl, parse_text
from arrocco.units import HalfPoints, Rating
from arrocco.words import catalogue

IDS = [11, 12, 13, 14]
RATINGS = [2450, 1900, 1800, 0]


def listed() -> RatingList:
    return list_of_ratings(np.array(IDS), np.array(RATINGS))


def good(law: str = "fide", start: date = date(2024, 5, 10)) -> Report:
    """A report in which nothing is wrong under its law."""
    control = {"fide-rapid": "15'+10\"", "fide-blitz": "3'+2\"", "rio": "3'+2\""}
    return Report(
        source="good.trf",
        start=start,
        end=start + timedelta(days=1),
        system=System.SWISS,
        time_control=parse_text(control.get(law, "90'+30\"")),
        rounds=1,
        round_dates=(start,),
        entries=[
            Entry(n, f"Finto, {n}", id_, Rating(rating) if rating else None)
            for n, (id_, rating) in enumerate(zip(IDS, RATINGS, strict=True), start=1)
        ],
        games=[
            Game(1, 1, 2, HalfPoints(2), HalfPoints(0)),
            Game(1, 3, 4, HalfPoints(2), HalfPoints(0)),
        ],
        facts=Facts(online=law == "rio"),
    )


def told(report: Report, **more: object) -> Report:
    return replace(report, **more)  # type: ignore[arg-type]


def control(text: str) -> Callable[[Report], Report]:
    return lambda report: told(report, time_control=parse_text(text))


def with_entry(index: int, **more: object) -> Callable[[Report], Report]:
    def changed(report: Report) -> Report:
        entries = list(report.entries)
        entries[index] = replace(entries[index], **more)  # type: ignore[arg-type]
        return told(report, entries=entries)

    return changed


def fullest(rounds: int) -> Callable[[Report], Report]:
    return lambda report: told(report, rounds=rounds, round_dates=(report.start,) * rounds)


def only(count: int, **more: object) -> Callable[[Report], Report]:
    """With the first few players only, and the games between them."""

    def cut(report: Report) -> Report:
        games = [game for game in report.games if max(game.white, game.black) <= count]
        return told(report, entries=report.entries[:count], games=games, **more)

    return cut


def unrated_match(report: Report) -> Report:
    games = [replace(report.games[1], white=1, black=2)]
    entries = [replace(report.entries[2], number=1), replace(report.entries[3], number=2)]
    return told(report, entries=entries, games=games, system=System.MATCH)


def unequal_times(report: Report) -> Report:
    return told(report, time_control=TimeControl((Period(300),), (Period(240),)))


def complete_round_robin(report: Report) -> Report:
    """With every game played: one missing would make it a Swiss (2010, 6.43)."""
    pairs = combinations(range(1, len(report.entries) + 1), 2)
    games = [Game(1, white, black, HalfPoints(1), HalfPoints(1)) for white, black in pairs]
    return told(report, system=System.ROUND_ROBIN, games=games)


OF_2011 = date(2011, 9, 3)
CASES: dict[str, tuple[str, date, Callable[[Report], Report]]] = {
    "end_missing": ("fide", date(2024, 5, 10), lambda r: told(r, end=None)),
    "day_implausible": ("fide", date(2024, 5, 10), lambda r: told(r, end=date(9999, 5, 1))),
    "end_before_start": ("fide", date(2024, 5, 10), lambda r: told(r, end=date(2024, 5, 9))),
    "first_control": ("fide", date(2024, 5, 10), control("20/90', 60'+30\"")),
    "wrong_class": ("fide-rapid", date(2024, 5, 10), control("90'+30\"")),
    "unequal_times": ("fide-blitz", date(2024, 5, 10), unequal_times),
    "all_games_too_fast": ("fide", date(2024, 5, 10), control("60'")),
    "field_too_fast": ("fide", OF_2011, control("60'")),
    "no_coefficient": ("uisp", date(2024, 5, 10), control("2'")),
    "time_control_unknown": ("uisp", date(2024, 5, 10), lambda r: told(r, time_control=None)),
    "rounds_in_a_day": ("fide-rapid", date(2024, 5, 10), fullest(16)),
    "hours_in_a_day": ("fide", date(2024, 5, 10), fullest(4)),
    "too_long": ("fide", OF_2011, lambda r: told(r, end=date(2012, 2, 3))),
    "online_not_rated": ("fide", date(2024, 5, 10), lambda r: told(r, facts=Facts(online=True))),
    "round_robin.under_four_rated": ("fide", OF_2011, complete_round_robin),
    "match_unrated": ("fide", date(2024, 5, 10), unrated_match),
    "id_repeated": ("fide", date(2024, 5, 10), with_entry(1, id=11)),
    "not_online": ("rio", date(2025, 5, 10), lambda r: told(r, facts=Facts())),
    "member_unknown": ("rio", date(2025, 5, 10), with_entry(1, id=None)),
    "not_on_list": ("fide", date(2024, 5, 10), with_entry(1, id=99)),
}
"""By error of the law: a regulation, a start, and what is done to a good report."""

ASKED_OF_THE_LIST = {"too_late", "start_missing"}
"""Errors that columns cannot have: no report without a start day is laid out, and whether one comes
too late is a question about the list."""


def context(law: str, start: date) -> PeriodContext:
    from arrocco.engine.batch import law_on

    edition = law_on(law, start, {})
    opened_on, list_date = edition.period_of(start)
    columns = ListColumns(np.array(IDS), np.array(RATINGS))
    return PeriodContext(law, {}, opened_on, list_date, columns, kind="")


@pytest.mark.parametrize("key", CASES)
def test_each_error_of_the_law_is_found_in_columns_too(key: str) -> None:
    law, start, spoilt = CASES[key]
    for report, has_error in ((good(law, start), False), (spoilt(good(law, start)), True)):
        edition = edition_for(law, report, {})
        assert not isinstance(edition, Finding)
        batch = batch_of([good(law, start), report])
        again = report_at(batch, 1)
        found = [
            {waiver_key(f) for f in judged(r, edition, listed(), suggests=False) if f.is_error}
            for r in (report, again)
        ]
        assert found[0] == found[1]
        assert (f"check.{key}" in found[0]) is has_error
        seen = suspects(context(law, start), batch)
        assert seen == ([1] if has_error else [])


def test_every_error_has_its_case() -> None:
    with_errors = {check for check in CHECKS if "Severity.ERROR" in inspect.getsource(check)}
    screened = set(
        """
        least_time id_once members on_the_list rated_in_round_robin match_of_rated sent_in_time
    """.split()
    )
    unknown = {check.__name__ for check in with_errors - set(HEAD_CHECKS)} - screened
    assert not unknown, f"{unknown}: errors that `suspects` does not look for"
    modules = {inspect.getmodule(check) for check in CHECKS}
    sources = "".join(inspect.getsource(module) for module in modules if module is not None)
    keys = {key.removesuffix("_perhaps") for key in re.findall(r'"(\w+)"', sources)}
    made = {key.partition(".")[0] for key in CASES} | ASKED_OF_THE_LIST
    known = {key.partition(".")[2].removesuffix(".text") for key in catalogue("en", "check")}
    of_errors = re.findall(r'Severity\.ERROR(?: if \w+ else Severity\.\w+)?,\s+f?"(\w+)', sources)
    assert {key for key in of_errors if key in keys & known} <= made


def test_only_few_good_reports_are_looked_at_closely() -> None:
    many = [told(good(), source=f"{n}.trf") for n in range(50)]
    assert suspects(context("fide", date(2024, 5, 10)), batch_of(many)) == []


def test_heads_that_say_the_same_are_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    judge = admission_columns._has_error

    def counted(head: TournamentHead, law: RatingLaw) -> bool:
        calls.append(head)
        return judge(head, law)

    monkeypatch.setattr(admission_columns, "_has_error", counted)
    many = [told(good(), source=f"{n}.trf") for n in range(50)]
    suspects(context("fide", date(2024, 5, 10)), batch_of(many))
    assert len(calls) == 1


def errors(*keys: str, file: str = "a/open.trf") -> list[Finding]:
    return [Finding(Severity.ERROR, key, Place(file), details={"hours": 13}) for key in keys]


class TestWaivers:
    def test_an_error_is_waived_by_name_and_with_a_reason(self) -> None:
        waivers = Waivers([Waiver("check.too_long", "agreed in 2011")])
        found = waivers.admit(errors("check.too_long", "check.id_repeated"))
        assert [finding.key for finding in found.refused] == ["check.id_repeated"]
        assert [(w.finding.key, w.reason) for w in found.waived] == [
            ("check.too_long", "agreed in 2011")
        ]
        assert not found.is_admitted
        waivers.require_used()
        assert Waivers([Waiver("check.too_long", "x")]).admit(errors("check.too_long")).is_admitted

    def test_a_suggestion_changes_no_name(self) -> None:
        waivers = Waivers([Waiver("check.not_on_list", "new this month")])
        assert waivers.admit(errors("check.not_on_list_perhaps")).is_admitted

    @pytest.mark.parametrize(
        ("report", "holds"),
        [("", True), ("open.trf", True), ("a/open.trf", True), ("b/open.trf", False)],
    )
    def test_one_for_a_report_holds_for_it_alone(self, report: str, holds: bool) -> None:
        waivers = Waivers([Waiver("check.too_long", "agreed", report)])
        assert waivers.admit(errors("check.too_long")).is_admitted is holds

    def test_warnings_need_none(self) -> None:
        assert Waivers().admit([Finding(Severity.WARNING, "check.id_missing")]).is_admitted

    @pytest.mark.parametrize("key", ["check.no_such_thing", "nothing", "desk_pages.report"])
    def test_an_unknown_key_is_refused(self, key: str) -> None:
        with pytest.raises(Inconsistent) as refusal:
            Waivers([Waiver(key, "why")])
        assert refusal.value.key == "admission.refused.unknown_key"

    @pytest.mark.parametrize("key", sorted(NEVER_WAIVED))
    def test_what_leaves_nothing_to_rate_is_never_waived(self, key: str) -> None:
        with pytest.raises(Illegal) as refusal:
            Waivers([Waiver(key, "why")])
        assert refusal.value.key == "admission.refused.never_waived"

    def test_a_reason_is_needed(self) -> None:
        with pytest.raises(Inconsistent) as refusal:
            Waivers([Waiver("check.too_long", " ")])
        assert refusal.value.key == "admission.refused.no_reason"

    def test_one_that_waives_nothing_is_refused(self) -> None:
        waivers = Waivers([Waiver("check.too_long", "agreed")])
        waivers.admit(errors("check.id_repeated"))
        with pytest.raises(Inconsistent) as refusal:
            waivers.require_used()
        assert refusal.value.key == "admission.refused.waives_nothing"
        assert refusal.value.advice
        Waivers.recorded([Waiver("check.too_long", "agreed")]).require_used()

    def test_what_was_waived_is_said_with_its_reason(self) -> None:
        from arrocco.words import finding_text

        found = Waivers([Waiver("check.end_missing", "still open")]).admit(
            errors("check.end_missing")
        )
        (said,) = waived_findings(found.waived)
        assert "still open" in finding_text("en", said)
        assert "check.end_missing" in finding_text("it", said)
