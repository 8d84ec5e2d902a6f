"""Drafts, publications and the history of players."""

from __future__ import annotations

import time
from datetime import date

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from arrocco.errors import Inconsistent
from arrocco.office.records import DraftStatus
from arrocco.store.sql import drafts, history, ledger, publications, rated_tournaments
from arrocco.store.sql.database import Database
from arrocco.store.sql.history import Change, HistoryRow
from arrocco.store.sql.publications import Publication
from arrocco.store.sql.tables import history as history_table
from tests.store.sql.people import LIST, NOW, a_tournament, an_account, an_entry

LATER = date(2026, 5, 1)


class TestDrafts:
    def test_run_until_they_are_settled(self, database: Database) -> None:
        with database.writing() as connection:
            by = an_account(connection).id
            draft = drafts.add(
                connection, system="fide", list_date=LIST, made_by=by, made_at=NOW, ledger_seq=3
            )
            assert draft.status is DraftStatus.RUNNING
            assert drafts.progress(connection, draft.id, "rating", 5, 10)
            running = drafts.get(connection, draft.id)
            assert running is not None
            assert (running.stage, running.done, running.total) == ("rating", 5, 10)
            assert (running.made_at, running.ledger_seq) == (NOW, 3)
            ready = drafts.settle(
                connection, draft.id, DraftStatus.READY, was=[DraftStatus.RUNNING], body='{"a":1}'
            )
            assert ready
            assert not drafts.progress(connection, draft.id, "rating", 6, 10)
            settled = drafts.get(connection, draft.id)
            assert settled is not None
            assert (settled.status, settled.body, settled.done) == (DraftStatus.READY, '{"a":1}', 5)

    def test_move_only_from_where_they_may(self, database: Database) -> None:
        with database.writing() as connection:
            by = an_account(connection).id
            draft = drafts.add(
                connection, system="fide", list_date=LIST, made_by=by, made_at=NOW, ledger_seq=0
            ).id
            published = DraftStatus.PUBLISHED
            assert not drafts.settle(connection, draft, published, was=[DraftStatus.READY])
            may = [DraftStatus.READY, DraftStatus.RUNNING]
            assert drafts.settle(connection, draft, DraftStatus.DISCARDED, was=may)
            assert not drafts.settle(connection, draft, DraftStatus.DISCARDED, was=may)
            assert not drafts.settle(connection, 999, DraftStatus.DISCARDED, was=may)
            assert drafts.get(connection, 999) is None

    def test_are_found_by_list_and_by_state(self, database: Database) -> None:
        with database.writing() as connection:
            by = an_account(connection).id
            one, two, three = (
                drafts.add(
                    connection, system=system, list_date=LIST, made_by=by, made_at=NOW, ledger_seq=0
                ).id
                for system in ("fide", "fide", "uisp")
            )
            drafts.settle(connection, one, DraftStatus.FAILED, was=[DraftStatus.RUNNING])
            assert [row.id for row in drafts.of_list(connection, "fide", LIST)] == [two, one]
            assert drafts.of_list(connection, "fide", LATER) == []
            found = drafts.with_status(connection, DraftStatus.RUNNING, DraftStatus.READY)
            assert [row.id for row in found] == [two, three]


class TestPublications:
    def fill(self, database: Database) -> list[Publication]:
        with database.writing() as connection:
            made = []
            for system, day in (("fide", LIST), ("uisp", LIST), ("fide", LATER)):
                seq = ledger.append(connection, NOW, 1, an_entry(1)).seq
                made.append(
                    Publication(
                        system=system,
                        list_date=day,
                        seq=seq,
                        published_at=NOW,
                        players=7,
                        body="{}",
                    )
                )
                publications.add(connection, made[-1])
        return made

    def test_are_found_by_system_and_day(self, database: Database) -> None:
        first, other, second = self.fill(database)
        with database.reading() as connection:
            assert publications.get(connection, "fide", LIST) == first
            assert publications.get(connection, "fide", date(2026, 4, 2)) is None
            assert publications.of_system(connection, "fide") == [second, first]
            assert publications.latest(connection, "fide") == second
            april = date(2026, 4, 30)
            assert publications.latest(connection, "fide", on_or_before=april) == first
            assert publications.latest(connection, "fide", on_or_before=LATER) == second
            march = date(2026, 3, 31)
            assert publications.latest(connection, "fide", on_or_before=march) is None
            assert publications.latest(connection, "rio-blitz") is None
            assert publications.every(connection) == [first, other, second]

    def test_a_list_is_out_once(self, database: Database) -> None:
        first, *_ = self.fill(database)
        with database.writing() as connection:
            with pytest.raises(Inconsistent) as refused:
                publications.add(connection, first)
            assert refused.value.key == "sql.refused.published_already"
            assert len(publications.every(connection)) == 3

    def test_a_list_names_its_place_in_the_ledger(self, database: Database) -> None:
        nowhere = Publication(
            system="fide", list_date=LIST, seq=99, published_at=NOW, players=0, body="{}"
        )
        with pytest.raises(IntegrityError), database.writing() as connection:
            publications.add(connection, nowhere)


class TestHistory:
    def test_tells_a_player_list_by_list(self, database: Database) -> None:
        with database.writing() as connection:
            for day, rating in ((LATER, 1510), (LIST, None)):
                changes = [
                    Change(99_000_001, rating, 250, 9, 20, "first"),
                    Change(99_000_002, 1400),
                ]
                assert history.add(connection, "fide", day, changes) == 2
            history.add(connection, "uisp", LIST, iter([Change(99_000_001, 1600, -3, 1, None)]))
            assert history.add(connection, "uisp", LATER, []) == 0
        with database.reading() as connection:
            rows = history.of_player(connection, 99_000_001)
            assert rows == [
                HistoryRow("fide", 99_000_001, LIST, None, 250, 9, 20, "first"),
                HistoryRow("fide", 99_000_001, LATER, 1510, 250, 9, 20, "first"),
                HistoryRow("uisp", 99_000_001, LIST, 1600, -3, 1, None, ""),
            ]
            assert history.of_player(connection, 99_000_001, "uisp") == rows[2:]
            assert history.of_player(connection, 5) == []

    def test_a_list_is_written_once(self, database: Database) -> None:
        with database.writing() as connection:
            history.add(connection, "fide", LIST, [Change(1, 1500)])
        with pytest.raises(IntegrityError), database.writing() as connection:
            history.add(connection, "fide", LIST, [Change(2, 1500), Change(1, 1500)])
        with database.reading() as connection:
            assert history.of_player(connection, 2) == []

    def test_many_rows_go_in_fast(
        self, database: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(history, "_AT_ONCE", 7_000)
        changes = (Change(player, 1500, player % 7, 3, 20) for player in range(1, 50_001))
        started = time.perf_counter()
        with database.writing() as connection:
            assert history.add(connection, "fide", LIST, changes) == 50_000
        assert time.perf_counter() - started < 10
        with database.reading() as connection:
            counted = select(func.count(), func.sum(history_table.c.change))
            count, total = connection.execute(counted).one()
            assert count == 50_000
            assert total == sum(player % 7 for player in range(1, 50_001))


def test_tournaments_stand_in_the_calculations_of_their_lists(database: Database) -> None:
    with database.writing() as connection:
        owner = an_account(connection).id
        one, two = (a_tournament(connection, owner).id for _ in range(2))
        rated_tournaments.add(connection, "fide", LIST, {one: 4, two: 0})
        rated_tournaments.add(connection, "uisp", LATER, {one: 1})
        rated_tournaments.add(connection, "uisp", LIST, {})
        assert rated_tournaments.of_list(connection, "fide", LIST) == {0: two, 4: one}
        assert rated_tournaments.of_tournament(connection, one) == [
            ("fide", LIST, 4),
            ("uisp", LATER, 1),
        ]
        assert rated_tournaments.of_list(connection, "fide", LATER) == {}
