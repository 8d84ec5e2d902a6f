"""The durable log: acknowledged means committed; many share a commit, none spoils another."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from arrocco.live import journal as journal_module
from arrocco.live.database_log import DatabaseLog
from arrocco.live.journal import Journal, LogStore, NotWritten, Record
from arrocco.live.sqlite_log import SqliteLog
from arrocco.store.sql.database import Database, sqlite_url
from arrocco.store.sql.tables import metadata
from tests.live.stage import MemoryLog


def record(stream: str, number: int = 0, body: bytes = b"{}") -> Record:
    return Record(stream, number, body)


def with_journal(store: LogStore, play: Callable[[Journal], Coroutine[Any, Any, None]]) -> None:
    async def scene() -> None:
        journal = Journal(store)
        try:
            await play(journal)
        finally:
            await journal.close()

    asyncio.run(scene())


class TestJournal:
    def test_what_comes_during_a_commit_goes_into_the_next_together(self) -> None:
        store = MemoryLog()
        store.gate = threading.Event()

        async def play(journal: Journal) -> None:
            writes = [asyncio.create_task(journal.write([record("a")]))]
            assert await asyncio.to_thread(store.has_begun.wait, 30)
            writes += [asyncio.create_task(journal.write([record(f"s{n}")])) for n in range(50)]
            await asyncio.sleep(0.01)
            assert not any(write.done() for write in writes)
            assert store.gate is not None
            store.gate.set()
            await asyncio.gather(*writes)

        with_journal(store, play)
        assert store.commits == [1, 50]

    def test_a_faulty_write_fails_alone(self) -> None:
        store = MemoryLog()
        store.bad_stream = "bad"

        async def play(journal: Journal) -> None:
            results = await asyncio.gather(
                journal.write([record("a")]),
                journal.write([record("b"), record("bad")]),
                journal.write([record("c")]),
                return_exceptions=True,
            )
            assert isinstance(results[1], NotWritten)
            assert results[0] is results[2] is None

        with_journal(store, play)
        assert set(store.kept) == {"a", "c"}, (
            "records of one write are there together or not at all"
        )

    def test_one_who_fails_at_the_news_keeps_nobody_from_hearing_theirs(self) -> None:
        heard: list[object] = []

        def fail(failure: NotWritten | None) -> None:
            heard.append("fails")
            raise ValueError

        async def play(journal: Journal) -> None:
            journal.put([record("a")], fail)
            journal.put([record("b")], heard.append)
            assert heard == [], "nothing is told before it is written"
            assert not journal.is_idle
            await journal.write([record("c")])
            assert journal.is_idle

        with_journal(MemoryLog(), play)
        assert heard == ["fails", None]

    def test_a_commit_has_no_more_records_than_it_may(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(journal_module, "MAX_TOGETHER", 3)
        store = MemoryLog()
        store.gate = threading.Event()

        async def play(journal: Journal) -> None:
            writes = [asyncio.create_task(journal.write([record("a")]))]
            await asyncio.sleep(0.01)
            for many in (2, 2, 5, 1):
                name = f"s{len(writes)}"
                records = [record(name, number) for number in range(many)]
                writes.append(asyncio.create_task(journal.write(records)))
            await asyncio.sleep(0.01)
            assert store.gate is not None
            store.gate.set()
            await asyncio.gather(*writes)
            assert (journal.commits, journal.written) == (5, 11)

        with_journal(store, play)
        assert store.commits == [1, 2, 2, 5, 1], "one that is longer by itself goes alone"

    def test_reading_comes_after_what_was_to_be_written_before(self) -> None:
        async def play(journal: Journal) -> None:
            journal.put([record("a", 0, b"0")], lambda failure: None)
            lines = journal.read("a")
            reading = asyncio.create_task(lines)
            await asyncio.sleep(0)
            journal.put([record("a", 1, b"1")], lambda failure: None)
            assert await reading == [b"0"]

        with_journal(MemoryLog(), play)

    def test_too_much_is_refused_and_not_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(journal_module, "MAX_WAITING", 3)
        store = MemoryLog()
        store.gate = threading.Event()

        async def play(journal: Journal) -> None:
            first = asyncio.create_task(journal.write([record("a")]))
            await asyncio.sleep(0.01)
            waiting = asyncio.create_task(journal.write([record("b", n) for n in range(3)]))
            await asyncio.sleep(0)
            with pytest.raises(NotWritten):
                await journal.write([record("c")])
            assert store.gate is not None
            store.gate.set()
            await asyncio.gather(first, waiting)

        with_journal(store, play)
        assert set(store.kept) == {"a", "b"}

    def test_closing_writes_what_waits_and_takes_no_more(self) -> None:
        store = MemoryLog()

        async def play() -> None:
            journal = Journal(store)
            write = asyncio.create_task(journal.write([record("a")]))
            await asyncio.sleep(0)
            await journal.close()
            await write
            with pytest.raises(NotWritten):
                await journal.write([record("b")])

        asyncio.run(play())
        assert set(store.kept) == {"a"}


@pytest.fixture(params=["own file", "office"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> LogStore:
    if request.param == "own file":
        return SqliteLog(tmp_path / "hall.sqlite")
    database = Database(sqlite_url(tmp_path))
    with database.writing() as connection:
        metadata.create_all(connection)
    return DatabaseLog(database)


class TestStores:
    def test_give_back_what_was_written_in_order(self, store: LogStore) -> None:
        store.append([record("game:b", 0, "è".encode()), record("game:a", 0, b"0")])
        store.append([record("game:a", n, str(n).encode()) for n in range(1, 12)])
        assert store.read("game:a") == [str(n).encode() for n in range(12)]
        assert store.read("game:b") == ["è".encode()]
        assert store.read("game:") == []

    def test_list_streams_by_the_beginning_of_their_names(self, store: LogStore) -> None:
        store.append([record("event:x"), record("game:a"), record("game:b"), record("gamf")])
        assert store.streams("game:") == ["game:a", "game:b"]
        assert store.streams("event:") == ["event:x"]

    def test_write_all_records_or_none(self, store: LogStore) -> None:
        store.append([record("a", 0)])
        with pytest.raises(Exception, match=r"UNIQUE|a"):
            store.append([record("b", 0), record("a", 0)])
        assert store.read("b") == []
        store.append([record("b", 0)])
        assert store.read("b") == [b"{}"]


def test_a_commit_is_synced_to_the_disk(tmp_path: Path) -> None:
    store = SqliteLog(tmp_path / "hall.sqlite")
    assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    store.append([record("a")])
    with sqlite3.connect(tmp_path / "hall.sqlite") as other:
        assert other.execute("SELECT count(*) FROM hall_log").fetchone() == (1,)
    other.close()
    store.close()
