"""Tournaments, reports and their lists: whole, found, changed only as the changer knew them."""

from __future__ import annotations

from datetime import date
from threading import Barrier, Thread

import pytest
from msgspec.structs import replace

from arrocco.errors import Inconsistent
from arrocco.office.records import ReportStatus, StoredFinding, Tournament, TournamentStatus
from arrocco.store.sql import assignments, reports, tournaments
from arrocco.store.sql.database import Database
from tests.store.sql.people import LIST, NOW, REGISTRATION, a_report, a_tournament, an_account


class TestTournaments:
    def test_come_back_whole_with_their_number(self, database: Database) -> None:
        with database.writing() as connection:
            kept = a_tournament(connection, an_account(connection).id)
            other = a_tournament(connection, kept.registered_by)
        assert other.id != kept.id
        with database.reading() as connection:
            again = tournaments.get(connection, kept.id)
            assert again == kept
            assert again is not None
            assert again.registration == REGISTRATION
            assert tournaments.get(connection, 999) is None

    def test_change_only_as_the_changer_knew_them(self, database: Database) -> None:
        with database.writing() as connection:
            first = a_tournament(connection, an_account(connection).id)
            second = tournaments.change(
                connection, first, replace(first, status=TournamentStatus.CANCELLED)
            )
            assert tournaments.get(connection, first.id) == second
            with pytest.raises(Inconsistent) as refused:
                tournaments.change(connection, first, replace(first, refusal_reason="late"))
            assert refused.value.key == "sql.refused.changed_meanwhile"
            assert tournaments.get(connection, first.id) == second
            assert tournaments.search(connection, status=[TournamentStatus.CANCELLED])[0] == 1
            assert tournaments.search(connection, status=[TournamentStatus.REGISTERED])[0] == 0
            with pytest.raises(Inconsistent):
                tournaments.change(connection, replace(first, id=999), first)

    def test_of_two_changes_at_once_one_holds(self, database: Database) -> None:
        with database.writing() as connection:
            first = a_tournament(connection, an_account(connection).id)
        barrier, outcomes = Barrier(2), []

        def change(reason: str) -> None:
            barrier.wait()
            try:
                with database.writing() as connection:
                    tournaments.change(connection, first, replace(first, refusal_reason=reason))
                outcomes.append(reason)
            except Inconsistent:
                outcomes.append("")

        threads = [Thread(target=change, args=(reason,)) for reason in ("one", "two")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(map(bool, outcomes)) == [False, True]
        with database.reading() as connection:
            kept = tournaments.get(connection, first.id)
            assert kept is not None
            assert kept.refusal_reason == max(outcomes)

    def test_are_found_by_what_is_known_of_them(self, database: Database) -> None:
        with database.writing() as connection:
            anna, bruno = an_account(connection).id, an_account(connection, "b@example.org").id
            for number in range(6):
                a_tournament(
                    connection,
                    anna if number < 4 else bruno,
                    name=("Città di Èboli", "Open 50%", "Open_A")[number % 3],
                    city=f"Luogo {number}",
                    federation="ITA" if number % 2 else "NOR",
                    start=date(2026, 1 + number, 10),
                    end=date(2026, 1 + number, 20),
                )
        with database.reading() as connection:

            def found(**filters: object) -> list[int]:
                total, page = tournaments.search(connection, **filters)  # type: ignore[arg-type]
                assert total == len(page)
                return [int(one.registration.city[-1]) for one in page]

            assert found() == [5, 4, 3, 2, 1, 0]
            assert found(federation="ITA") == [5, 3, 1]
            assert found(owner=bruno) == [5, 4]
            assert found(text="eboli citta") == [3, 0]
            assert found(text="ÈBOLI luogo 3") == [3]
            assert found(text="open 50") == [4, 1]
            assert found(text="arbitro 2") == [2]
            assert found(text="%") == found(text="_") == found()  # signs alone are no words
            assert found(from_day=date(2026, 5, 20)) == [5, 4]
            assert found(from_day=date(2026, 5, 21)) == [5]
            assert found(to_day=date(2026, 2, 10)) == [1, 0]
            assert found(to_day=date(2026, 2, 9)) == [0]
            assert found(federation="ITA", owner=bruno, text="open") == [5]
            assert found(text="nothing such") == []
            total, page = tournaments.search(connection, offset=1, limit=2)
            assert total == 6
            assert [one.registration.city for one in page] == ["Luogo 4", "Luogo 3"]


class TestReports:
    def test_are_numbered_by_versions_of_their_tournament(self, database: Database) -> None:
        with database.writing() as connection:
            one = a_tournament(connection, an_account(connection).id)
            two = a_tournament(connection, one.registered_by)
            sent = [a_report(connection, t, blob * 64) for t, blob in ((one, "a"), (two, "b"))]
            sent.append(a_report(connection, one, "c" * 64))
        assert [report.version for report in sent] == [1, 1, 2]
        with database.reading() as connection:
            assert reports.get(connection, sent[2].id) == sent[2]
            assert reports.get(connection, 999) is None
            assert reports.of_tournament(connection, one.id) == [sent[2], sent[0]]
            assert reports.blobs(connection) == {"a" * 64, "b" * 64, "c" * 64}
            numbers = [report.id for report in sent]
            assert reports.of_numbers(connection, [*reversed(numbers), 999]) == sent
            assert reports.of_numbers(connection, []) == []

    def test_sent_at_once_get_one_version_each(self, database: Database) -> None:
        with database.writing() as connection:
            tournament = a_tournament(connection, an_account(connection).id)
        barrier, versions = Barrier(4), []

        def send() -> None:
            barrier.wait()
            with database.writing() as connection:
                versions.append(a_report(connection, tournament).version)

        threads = [Thread(target=send) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(versions) == [1, 2, 3, 4]

    def test_change_with_their_findings_only_as_known(self, database: Database) -> None:
        finding = StoredFinding(
            system="fide", severity="warning", key="trf.x", line=3, details={"count": 2, "à": "ì"}
        )
        with database.writing() as connection:
            sent = a_report(connection, a_tournament(connection, an_account(connection).id))
            checked = replace(
                sent, status=ReportStatus.NEEDS_ANSWERS, findings=(finding,), decided_at=NOW
            )
            reports.change(connection, sent, checked)
            assert reports.get(connection, sent.id) == checked
            with pytest.raises(Inconsistent):
                reports.change(connection, sent, sent)
            answered = replace(checked, findings=(replace(finding, answer="so it was"),))
            reports.change(connection, checked, answered)
            assert reports.get(connection, sent.id) == answered

    def test_wait_in_the_order_they_came(self, database: Database) -> None:
        with database.writing() as connection:
            anna, bruno = an_account(connection).id, an_account(connection, "b@example.org").id
            fields: list[Tournament] = [
                a_tournament(connection, owner, federation=federation)
                for owner, federation in ((anna, "ITA"), (bruno, "NOR"), (anna, "NOR"))
            ]
            sent = [a_report(connection, tournament) for tournament in fields]
            done = a_report(connection, fields[0])
            reports.change(connection, done, replace(done, status=ReportStatus.REJECTED))
            waiting = [ReportStatus.SENT, ReportStatus.NEEDS_ANSWERS]
            assert reports.with_status(connection, waiting) == (3, sent)
            assert reports.with_status(connection, waiting, offset=1, limit=1) == (3, sent[1:2])
            assert reports.with_status(connection, waiting, federation="NOR") == (2, sent[1:])
            assert reports.with_status(connection, waiting, owner=anna) == (2, [sent[0], sent[2]])
            assert reports.with_status(connection, [ReportStatus.REJECTED])[0] == 1
            assert reports.with_status(connection, []) == (0, [])


def test_a_report_falls_on_one_list_of_each_system(database: Database) -> None:
    later = date(2026, 5, 1)
    with database.writing() as connection:
        tournament = a_tournament(connection, an_account(connection).id)
        one, two = a_report(connection, tournament).id, a_report(connection, tournament).id
        assignments.add(connection, one, {"fide": LIST, "uisp": later})
        assignments.add(connection, two, {"fide": LIST})
        assignments.add(connection, two, {})
        assert assignments.of_report(connection, one) == {
            "fide": (LIST, False),
            "uisp": (later, False),
        }
        assert assignments.of_list(connection, "fide", LIST) == [one, two]
        assert assignments.waiting(connection, "fide") == {LIST: 2}
        assignments.move(connection, two, "fide", later)
        assert assignments.waiting(connection, "fide") == {LIST: 1, later: 1}
        assert assignments.mark_published(connection, "fide", LIST) == 1
        assert not assignments.are_all_published(connection, one)
        assert assignments.remove(connection, one) == 1  # off what is not out yet, and only that
        assert assignments.of_report(connection, one) == {"fide": (LIST, True)}
        assert assignments.are_all_published(connection, one)
        assignments.move(connection, one, "fide", later)
        assert assignments.of_report(connection, one) == {"fide": (LIST, True)}
        assert not assignments.are_all_published(connection, 999)
