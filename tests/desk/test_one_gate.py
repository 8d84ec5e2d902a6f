"""Every road into a rating refuses the same report with the same errors, and takes a waiver."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from arrocco.desk import Office
from arrocco.engine.admission import Waiver, waiver_key
from arrocco.engine.side_by_side import LawChoice, two_laws
from arrocco.errors import Illegal, Inconsistent, Refusal
from arrocco.formats.lists import read_list
from arrocco.formats.report_parquet import write_batches
from arrocco.formats.trf import read_report
from arrocco.office.ledger import (
    DateCorrection,
    ErrorsWaived,
    IdCorrection,
    ReportAccepted,
    ResultCorrection,
)
from arrocco.office.records import DraftStatus, ReportStatus, SentReport, Tournament
from arrocco.office.repeated_reports import repeated_reports
from arrocco.records.report import Report
from arrocco.records.reportbatch import batch_of
from arrocco.runs.replay import REPLAYED
from arrocco.runs.spark_session import OLDEST_JAVA, java_version
from arrocco.store.sql import ledger
from arrocco.words import LANGUAGES
from tests.cli.tournaments import run
from tests.desk.office_replay.replayed import differing_files, replayed
from tests.desk.offices import (
    Clock,
    People,
    accepted,
    data_of,
    people_of,
    played_anew,
    player_id,
    published,
    registration_of,
    report,
    swiss,
    write_opening,
)

MAY, JUNE = date(2025, 5, 1), date(2025, 6, 1)
ERRORS = ["check.hours_in_a_day", "check.not_on_list"]
"""What is wrong with the report: seven long rounds on one day, and a number nobody has."""
REASON = "agreed with the federation"


def wrong_report() -> Report:
    made = report(3, date(2025, 5, 6))
    assert made.start is not None
    made.round_dates, made.end = (made.start,) * made.rounds, made.start + timedelta(days=1)
    made.entries[2].id = player_id(90)
    return made


@pytest.fixture
def people(small_office: Office, clock: Clock, tmp_path: Path) -> People:
    found = people_of(small_office)
    opening = write_opening(tmp_path / "2025-05-01.csv")
    small_office.lists.import_list(found.administrator, "fide", MAY, opening)
    return found


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The list, the report as text and as Parquet."""
    (tmp_path / "lists").mkdir()
    write_opening(tmp_path / "lists" / "2025-05-01.csv")
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "wrong.trf").write_bytes(data_of(wrong_report()))
    read, _ = read_report(data_of(wrong_report()), "wrong")
    write_batches(tmp_path / "wrong.parquet", [batch_of([read])])
    return tmp_path


def keys_of(records: list[dict[str, Any]]) -> list[str]:
    errors = [record for record in records if record["severity"] == "error"]
    return sorted({record["key"].removesuffix("_perhaps") for record in errors})


def alone(files: Path, verb: str, *more: str) -> Any:
    found = run(
        "report",
        verb,
        str(files / "reports" / "wrong.trf"),
        "--law",
        "fide",
        "--list",
        str(files / "lists" / "2025-05-01.csv"),
        "--json",
        *more,
    )
    return found.exit_code, json.loads(found.stdout)


def period(files: Path, reports: str, *more: str) -> Any:
    found = run(
        "period",
        "rate",
        "--law",
        "fide",
        "--period",
        "2025-05",
        "--lists",
        str(files / "lists"),
        "--reports",
        str(files / reports),
        "--out",
        str(files / "out"),
        "--json",
        *more,
    )
    return found.exit_code, json.loads(found.stdout)


WAIVED = tuple(part for key in ERRORS for part in ("--waive", key, "--reason", REASON))


class TestOnTheCommandLine:
    def test_check_names_the_errors_and_rate_refuses_them(self, files: Path) -> None:
        status, record = alone(files, "check")
        assert (status, keys_of(record["files"][0]["findings"])) == (1, ERRORS)
        status, record = alone(files, "rate")
        assert (status, keys_of(record["findings"])) == (1, ERRORS)
        assert record["details"]["keys"] == ERRORS
        assert "--waive" in record["advice"]
        status, record = alone(files, "explain", "--player", str(player_id(1)))
        assert (status, keys_of(record["findings"])) == (1, ERRORS)

    @pytest.mark.parametrize("reports", ["reports", "wrong.parquet"])
    def test_a_period_leaves_it_out_by_name_with_its_errors(
        self, files: Path, reports: str
    ) -> None:
        status, record = period(files, reports)
        (item,) = record["left_out"]
        assert (status, item["reason"], keys_of(item["errors"])) == (3, "not_admitted", ERRORS)
        assert "wrong" in item["report"]
        assert record["reports_left_out"] == {"not_admitted": 1}
        assert sorted(record["errors"]) == ERRORS

    def test_text_names_the_report_and_its_errors(self, files: Path) -> None:
        found = run(
            "period",
            "rate",
            "--law",
            "fide",
            "--period",
            "2025-05",
            "--lists",
            str(files / "lists"),
            "--reports",
            str(files / "reports"),
            "--out",
            str(files / "out"),
        )
        assert found.exit_code == 3
        assert "wrong.trf: not rated, it has errors" in found.stderr
        assert found.stderr.count(": error: ") == len(ERRORS)

    @pytest.mark.skipif((java_version() or 0) < OLDEST_JAVA, reason="needs Java for Spark")
    def test_spark_says_the_same_as_the_local_runner(self, files: Path) -> None:
        spark = ("--runner", "spark", "--master", "local[1]")
        status, record = period(files, "reports", *spark)
        (item,) = record["left_out"]
        assert (status, item["reason"], keys_of(item["errors"])) == (3, "not_admitted", ERRORS)

    def test_every_road_takes_the_waivers_and_records_them(self, files: Path) -> None:
        status, record = alone(files, "rate", *WAIVED)
        assert status == 0
        assert [(w["key"], w["reason"]) for w in record["waived"]] == [(k, REASON) for k in ERRORS]
        assert [
            f["details"]["reason"] for f in record["findings"] if f["key"] == "admission.waived"
        ] == [REASON, REASON]
        rated = {player["id"]: player["new_rating"] for player in record["players"]}
        status, record = period(files, "reports", *WAIVED)
        assert (status, record["left_out"]) == (0, [])
        assert [(w["key"], w["reason"]) for w in record["waived"]] == [(k, REASON) for k in ERRORS]
        listed, _ = read_list(files / "out" / "2025-06-01" / "list.parquet", "standard")
        on_list = dict(zip(listed.id.tolist(), listed.rating.tolist(), strict=True))
        assert {id_: on_list[id_] for id_ in rated} == rated
        summary = json.loads((files / "out" / "2025-06-01" / "summary.json").read_text())
        assert {w["key"] for w in summary["waived"]} == set(ERRORS)

    def test_one_error_left_is_enough(self, files: Path) -> None:
        waived = ("--waive", ERRORS[0], "--reason", REASON)
        assert keys_of(alone(files, "rate", *waived)[1]["findings"]) == ERRORS[1:]
        status, record = period(files, "reports", *waived)
        assert (status, keys_of(record["left_out"][0]["errors"])) == (3, ERRORS[1:])

    def test_a_waiver_for_one_file_holds_for_it_alone(self, files: Path) -> None:
        other = replace(wrong_report(), name="Altro torneo")
        (files / "reports" / "other.trf").write_bytes(data_of(other))
        waived = [
            part for key in ERRORS for part in ("--waive", f"{key}@wrong.trf", "--reason", REASON)
        ]
        status, record = period(files, "reports", *waived)
        assert status == 3
        assert [Path(item["report"]).name for item in record["left_out"]] == ["other.trf"]
        assert {Path(w["report"]).name for w in record["waived"]} == {"wrong.trf"}

    @pytest.mark.parametrize(("same", "spark"), [(True, False), (False, False), (True, True)])
    def test_9_1_a_swiss_sent_again_with_other_results_counts_once_on_every_road(
        self, files: Path, same: bool, spark: bool
    ) -> None:
        """The pairings of a Swiss are drawn, so that results need not agree.

        Where they are others, somebody is told that the players and the days are the same.
        """
        if spark and (java_version() or 0) < OLDEST_JAVA:
            pytest.skip("needs Java for Spark")
        made = swiss(1)
        again = played_anew(made) if same else replace(swiss(2), name="Another")
        (files / "both").mkdir()
        paths = [files / "both" / name for name in ("a.trf", "b.trf")]
        for path, each in zip(paths, (made, again), strict=True):
            path.write_bytes(data_of(each))
        expected = ["check.same_games"] if same else []
        if spark:
            status, record = period(files, "both", "--runner", "spark", "--master", "local[1]")
            assert [keys_of(item["errors"]) for item in record["left_out"]] == [expected][:status]
            return
        read = [read_report(path.read_bytes(), path.name)[0] for path in paths]
        told_of = expected or ["check.same_players"]
        assert [finding.key for finding in repeated_reports(read).values()] == told_of
        for verb in ("check", "rate"):
            found = run("report", verb, *map(str, paths), "--law", "fide", "--json")
            record = json.loads(found.stdout)
            told = record["files"][1] if verb == "check" else record
            assert (found.exit_code, keys_of(told["findings"])) == (int(same), expected)
            assert set(told_of) <= {finding["key"] for finding in told["findings"]}
        status, record = period(files, "both")
        assert (status, len(record["left_out"])) == ((3, 1) if same else (0, 0))
        assert [keys_of(item["errors"]) for item in record["left_out"]] == [expected][:status]
        warned = {finding["key"] for finding in record["findings"]}
        assert ("check.same_players" in warned) is not same
        waived = ("--waive", "check.same_games@b.trf", "--reason", REASON)
        if same:
            status, record = period(files, "both", *waived, "--out", str(files / "waived"))
            assert (status, record["reports"], record["left_out"]) == (0, 2, [])

    def test_a_waiver_that_waives_nothing_writes_nothing(self, files: Path) -> None:
        more = (*WAIVED, "--waive", "check.id_repeated", "--reason", "x")
        for status, record in (alone(files, "rate", *more), period(files, "reports", *more)):
            assert (status, record["key"]) == (1, "admission.refused.waives_nothing")
        assert not (files / "out" / "2025-06-01").exists()


def again(files: Path, *more: str, out: str = "replay") -> Any:
    found = run(
        "period",
        "replay",
        "--law",
        "fide",
        "--lists",
        str(files / "lists"),
        "--reports",
        f"2025-05={files / 'reports'}",
        "--out",
        str(files / out),
        "--json",
        *more,
    )
    return found.exit_code, json.loads(found.stdout)


class TestAHistoryThatIsReplayed:
    """What `period rate` leaves out of a period is left out when the period is rated again."""

    @pytest.fixture
    def history(self, files: Path) -> Path:
        (files / "reports" / "right.trf").write_bytes(data_of(report(1, date(2025, 5, 8))))
        return files

    def test_it_leaves_out_what_the_period_left_out(self, history: Path) -> None:
        period(history, "reports")
        (history / "out" / "2025-06-01").rename(history / "lists" / "2025-06-01")
        status, record = again(history)
        assert (status, record["one_side"]) == (3, "published")
        assert record["lists"][0]["different"] == 0
        assert record["reports"] == {"replayed": 1}
        (item,) = record["errors"]["replayed"]
        assert (Path(item["report"]).name, item["errors"]) == ("wrong.trf", ERRORS)

    def test_both_sides_take_the_waivers_and_record_them(self, history: Path) -> None:
        status, record = again(history, *WAIVED)
        assert (status, record["one_side"]) == (0, "computed")
        assert record["reports"] == {"as-was": 2, "replayed": 2}
        for side in ("as-was", "replayed"):
            assert {w["key"]: w["reason"] for w in record["waived"][side]} == dict.fromkeys(
                ERRORS, REASON
            )
        period(history, "reports", *WAIVED)
        for name in ("list.parquet", "state.parquet"):
            rated = (history / "out" / "2025-06-01" / name).read_bytes()
            assert (history / "replay" / "replayed" / "2025-06-01" / name).read_bytes() == rated

    def test_what_the_reader_refuses_is_waived_too(self, history: Path) -> None:
        """Two lines of one game that disagree: an error of the file and not of the law."""
        path = history / "reports" / "right.trf"
        lines = path.read_bytes().splitlines(keepends=True)
        place = next(at for at, line in enumerate(lines) if line.startswith(b"001"))
        lines[place] = lines[place][:91] + b"   5 w 1" + lines[place][99:]
        (history / "reports" / "right.trf").write_bytes(b"".join(lines))
        status, record = again(history, *WAIVED)
        assert status == 3
        (left,) = record["errors"]["replayed"]
        assert (Path(left["report"]).name, left["errors"]) == ("right.trf", [])
        of_reader = ("trf.two_games_in_round", "trf.mirror_missing")
        more = [part for key in of_reader for part in ("--waive", key, "--reason", REASON)]
        status, record = again(history, *WAIVED, *more, out="once more")
        assert (status, record["reports"]) == (0, {"as-was": 2, "replayed": 2})
        waived = {*ERRORS, *of_reader}
        status, rated = period(history, "reports", *WAIVED, *more)
        assert (status, {w["key"] for w in rated["waived"]}) == (0, waived)
        assert {w["key"] for w in record["waived"]["replayed"]} == waived

    def test_a_waiver_that_waives_nothing_writes_nothing(self, history: Path) -> None:
        status, record = again(history, *WAIVED, "--waive", "check.id_repeated", "--reason", "x")
        assert (status, record["key"]) == (1, "admission.refused.waives_nothing")
        assert not (history / "replay").exists()

    def test_text_names_the_report_and_its_errors(self, history: Path) -> None:
        found = run(
            "period",
            "replay",
            "--law",
            "fide",
            "--lists",
            str(history / "lists"),
            "--reports",
            f"2025-05={history / 'reports'}",
            "--out",
            str(history / "replay"),
        )
        assert found.exit_code == 3
        assert found.stderr.count(": error: ") == 2 * len(ERRORS), "of both sides"


def test_two_laws_are_compared_only_for_a_reason() -> None:
    read, reading = read_report(data_of(wrong_report()), "wrong.trf")
    laws = LawChoice("fide"), LawChoice("uisp")
    with pytest.raises(Illegal) as refusal:
        two_laws(read, *laws, {}, reading=reading)
    assert refusal.value.details["keys"] == ("check.hours_in_a_day",)
    both = two_laws(read, *laws, {}, reading=reading, reason=REASON)
    assert [(w.finding.key, w.reason) for w in both.waived] == [("check.hours_in_a_day", REASON)]


# --- the office -----------------------------------------------------------------------------------


def sent(office: Office, clock: Clock, people: People) -> tuple[Tournament, SentReport]:
    made = wrong_report()
    planned = report(3, date(2025, 5, 6))
    assert planned.start is not None
    assert planned.end is not None
    clock.go_to(planned.start - timedelta(days=40))
    found = office.tournaments.register(people.arbiter, registration_of(planned, ("fide",)))
    clock.go_to(planned.end + timedelta(days=1))
    return found, office.reports.send(people.arbiter, found.id, "wrong.trf", data_of(made))


def answered(office: Office, people: People, report: SentReport) -> None:
    warned = {
        index: "it was so"
        for index, finding in enumerate(report.findings)
        if finding.severity == "warning"
    }
    office.reports.answer(people.arbiter, report.id, warned)


class TestInTheOffice:
    def test_it_comes_back_and_cannot_be_accepted(
        self, small_office: Office, clock: Clock, people: People
    ) -> None:
        _, found = sent(small_office, clock, people)
        assert found.status is ReportStatus.RETURNED
        errors = {finding.key for finding in found.findings if finding.severity == "error"}
        assert sorted(key.removesuffix("_perhaps") for key in errors) == ERRORS
        with pytest.raises(Illegal):
            small_office.reports.accept(people.administrator, found.id)

    def test_it_is_accepted_with_a_waiver_for_each_error(
        self, small_office: Office, clock: Clock, people: People, tmp_path: Path
    ) -> None:
        _, found = sent(small_office, clock, people)
        answered(small_office, people, found)
        boss, waivers = people.administrator, [Waiver(key, REASON) for key in ERRORS]
        with pytest.raises(Refusal):
            small_office.reports.accept(boss, found.id, waivers=waivers[:1])
        extra = Waiver("check.id_repeated", REASON)
        with pytest.raises(Inconsistent):
            small_office.reports.accept(boss, found.id, waivers=[*waivers, extra])
        accepted = small_office.reports.accept(boss, found.id, waivers=waivers)
        assert accepted.status is ReportStatus.ACCEPTED
        with small_office.desk.database.reading() as connection:
            (entered,) = ledger.of_kind(connection, ErrorsWaived)
        assert isinstance(entered.entry, ErrorsWaived)
        assert [(error.key, error.reason) for error in entered.entry.errors] == [
            (key, REASON) for key in ERRORS
        ]
        clock.go_to(JUNE)
        draft = self.drafted(small_office, people)
        assert (draft.left_out, len(draft.used)) == ((), 1)
        assert {w["key"] for w in draft.summary["waived"]} == set(ERRORS)
        small_office.lists.publish(boss, draft.id, before_closing=True)
        assert small_office.lists.verify("fide", JUNE).is_good
        told, found_again = replayed(small_office, "fide", JUNE, JUNE, "fide", tmp_path / "again")
        assert (told.reports, told.left_out) == (1, ())
        assert differing_files(small_office, "fide", found_again) == []
        assert {w.finding.key.removesuffix("_perhaps") for w in found_again.waived[REPLAYED]} == (
            set(ERRORS)
        )

    def test_a_correction_of_it_has_the_same_errors_and_needs_the_same_waivers(
        self, small_office: Office, clock: Clock, people: People
    ) -> None:
        tournament, found = sent(small_office, clock, people)
        answered(small_office, people, found)
        boss, waivers = people.administrator, [Waiver(key, REASON) for key in ERRORS]
        small_office.reports.accept(boss, found.id, waivers=waivers)
        clock.go_to(JUNE)
        draft = self.drafted(small_office, people)
        small_office.lists.publish(boss, draft.id, before_closing=True)
        turned = wrong_report()
        game = turned.games[0]
        turned.games[0] = replace(game, white_score=game.black_score, black_score=game.white_score)
        for entry in turned.entries:
            entry.points = None
        again = small_office.reports.send(
            people.arbiter, tournament.id, "again.trf", data_of(turned)
        )
        assert again.status is ReportStatus.RETURNED
        answered(small_office, people, again)
        why = "the scoresheet says so"
        for too_few in ((), waivers[:1]):
            with pytest.raises(Illegal):
                small_office.replacements.enter(boss, again.id, why, too_few)
        offer, preview = small_office.replacements.preview(boss, again.id)
        assert offer.rated.id == found.id
        assert preview.impacts["fide"].players
        small_office.replacements.enter(boss, again.id, why, waivers)
        entered = small_office.reports.get(boss, again.id)
        assert entered.status is ReportStatus.CORRECTION
        with small_office.desk.database.reading() as connection:
            _, let_pass = ledger.of_kind(connection, ErrorsWaived)
        assert isinstance(let_pass.entry, ErrorsWaived)
        assert let_pass.entry.report == again.id
        assert [error.key for error in let_pass.entry.errors] == ERRORS
        clock.go_to(date(2025, 7, 1))
        number = small_office.lists.enter_draft(boss, "fide", date(2025, 7, 1))
        july = small_office.lists.run_draft(number)
        assert july.status is DraftStatus.READY, july.failure
        small_office.lists.publish(boss, july.id, before_closing=True)
        assert all(one.is_good for one in small_office.lists.verify_all())

    def test_a_draft_asks_the_gate_too(
        self, small_office: Office, clock: Clock, people: People
    ) -> None:
        """As if it had been accepted by a version without the gate, and not rated yet."""
        tournament, found = sent(small_office, clock, people)
        entry = ReportAccepted(
            tournament=tournament.id,
            report=found.id,
            blob=found.blob,
            file_name="wrong.trf",
            facts=tournament.registration.facts,
            received=clock().date(),
            lists={"fide": JUNE},
        )
        with small_office.desk.database.writing() as connection:
            ledger.append(connection, clock(), people.administrator.account or 0, entry)
        clock.go_to(JUNE)
        (left,) = self.drafted(small_office, people).left_out
        assert (left.report, left.reason, sorted(left.errors)) == (found.id, "not_admitted", ERRORS)

    def drafted(self, office: Office, people: People) -> Any:
        number = office.lists.enter_draft(people.administrator, "fide", JUNE)
        draft = office.lists.run_draft(number)
        assert draft.status is DraftStatus.READY, draft.failure
        return draft


class TestACorrectionMadeByHand:
    """A number, a result or days entered by an officer pass the gate like a report that is sent."""

    STRANGER = IdCorrection(entry=3, player=player_id(90))

    @pytest.fixture
    def rated(self, small_office: Office, clock: Clock, people: People) -> SentReport:
        sent = accepted(small_office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
        clock.go_to(JUNE)
        published(small_office, people, "fide", JUNE)
        return sent

    def waived(self, office: Office) -> list[tuple[int, list[tuple[str, str]]]]:
        with office.desk.database.reading() as connection:
            entered = [one.entry for one in ledger.of_kind(connection, ErrorsWaived)]
        return [
            (entry.report, [(error.key, error.reason) for error in entry.errors])
            for entry in entered
            if isinstance(entry, ErrorsWaived)
        ]

    def test_an_error_that_it_brings_stops_it(
        self, small_office: Office, people: People, rated: SentReport
    ) -> None:
        boss, corrections = people.administrator, small_office.corrections
        preview = corrections.preview(boss, rated.id, [self.STRANGER])
        assert [waiver_key(error) for error in preview.errors] == ["check.not_on_list"]
        with pytest.raises(Illegal) as refused:
            corrections.enter(boss, rated.id, [self.STRANGER], "namesake")
        assert refused.value.details["keys"] == ("check.not_on_list",)
        assert refused.value.findings == preview.errors
        for language in LANGUAGES:
            text, advice = refused.value.said(language)
            assert str(player_id(90)) in text
            assert "check.not_on_list" in advice
        assert corrections.of_report(boss, rated.id) == []
        assert self.waived(small_office) == []

    def test_it_enters_with_a_waiver_that_stands_in_the_ledger(
        self, small_office: Office, clock: Clock, people: People, rated: SentReport, tmp_path: Path
    ) -> None:
        boss, corrections = people.administrator, small_office.corrections
        waiver, useless = Waiver("check.not_on_list", REASON), Waiver("check.id_repeated", REASON)
        with pytest.raises(Inconsistent):
            corrections.enter(boss, rated.id, [self.STRANGER], "namesake", [waiver, useless])
        with pytest.raises(Inconsistent):
            corrections.enter(
                boss, rated.id, [self.STRANGER], "namesake", [Waiver(waiver.key, " ")]
            )
        corrections.enter(boss, rated.id, [self.STRANGER], "namesake", [waiver])
        assert self.waived(small_office) == [(rated.id, [("check.not_on_list", REASON)])]
        assert small_office.audit.page(people.root)[0].details["waived"] == {
            "check.not_on_list": REASON
        }
        assert corrections.preview(boss, rated.id, [self.after()]).errors == (), "it stays let in"
        corrections.enter(boss, rated.id, [self.after()], "the score sheet")
        july = date(2025, 7, 1)
        clock.go_to(july)
        published(small_office, people, "fide", july)
        assert all(one.is_good for one in small_office.lists.verify_all())
        _, again = replayed(small_office, "fide", JUNE, july, "fide", tmp_path / "again")
        assert differing_files(small_office, "fide", again) == []

    def after(self) -> ResultCorrection:
        game = report(1, date(2025, 5, 8)).games[0]
        half = 1 if game.white_score != 1 else 2
        return ResultCorrection(
            round=game.round,
            white=game.white,
            black=game.black,
            white_half=half,
            black_half=2 - half,
        )

    def test_what_brings_no_error_needs_no_waiver(
        self, small_office: Office, people: People, rated: SentReport
    ) -> None:
        boss, corrections = people.administrator, small_office.corrections
        assert corrections.preview(boss, rated.id, [self.after()]).errors == ()
        waiver = Waiver("check.not_on_list", REASON)
        with pytest.raises(Inconsistent):
            corrections.enter(boss, rated.id, [self.after()], "x", [waiver])
        corrections.enter(boss, rated.id, [self.after()], "the score sheet")
        assert self.waived(small_office) == []

    def test_days_on_which_so_much_cannot_be_played(
        self, small_office: Office, people: People, rated: SentReport
    ) -> None:
        one_day = DateCorrection(start=date(2025, 5, 14), end=date(2025, 5, 8))
        boss, corrections = people.administrator, small_office.corrections
        with pytest.raises(Inconsistent):
            corrections.enter(boss, rated.id, [one_day], "wrong days")
        elsewhere = DateCorrection(start=date(2035, 5, 8), end=date(2035, 5, 14))
        assert corrections.preview(boss, rated.id, [elsewhere]).errors
        with pytest.raises(Illegal):
            corrections.enter(boss, rated.id, [elsewhere], "wrong days")

    def test_a_report_accepted_with_errors_is_corrected_without_waiving_them_again(
        self, small_office: Office, clock: Clock, people: People
    ) -> None:
        _, found = sent(small_office, clock, people)
        answered(small_office, people, found)
        boss, waivers = people.administrator, [Waiver(key, REASON) for key in ERRORS]
        small_office.reports.accept(boss, found.id, waivers=waivers)
        game = wrong_report().games[0]
        change = ResultCorrection(
            round=game.round,
            white=game.white,
            black=game.black,
            white_half=1 if game.white_score != 1 else 2,
            black_half=1 if game.white_score != 1 else 0,
        )
        small_office.corrections.enter(boss, found.id, [change], "the score sheet")
        stranger = IdCorrection(entry=4, player=player_id(91))
        with pytest.raises(Illegal):
            small_office.corrections.enter(boss, found.id, [stranger], "namesake")
        again = Waiver("check.not_on_list", "both were seen there")
        small_office.corrections.enter(boss, found.id, [stranger], "namesake", [again])
        clock.go_to(JUNE)
        published(small_office, people, "fide", JUNE)
        assert small_office.lists.verify("fide", JUNE).is_good
