"""Replays of the office's history: asked for, run one at a time in a process of their own, kept.

The process gets the address of the database and then nothing more through its input; when that
closes, because the program has ended in whatever way, it ends too.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from datetime import date
from pathlib import Path
from threading import Event, Lock, Thread

from arrocco.desk.desk import Desk, account_of
from arrocco.desk.draft_records import Failure
from arrocco.desk.replay_files import ReplayFiles
from arrocco.desk.replay_range import lists_between, side_of
from arrocco.desk.replay_records import Asked, Ended, Replay, ReplayStatus
from arrocco.errors import Illegal, Refusal
from arrocco.laws.systems import system_named
from arrocco.office.ledger import ListPublished
from arrocco.office.replaying import other_named
from arrocco.office.roles import Asker, Permission, require
from arrocco.runs.replay_sides import lists_of_other
from arrocco.store.sql import ledger

QUEUE = 3
"""Replays that may wait while one is under way."""
WORKER = "arrocco.desk.office_replay.worker"
_S = ReplayStatus
_STOP_SECONDS = 5


class NoReplay(Refusal, LookupError):
    """There is no replay of that number."""

    http_status = 404


class Replays:
    """The replays of an office."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.files = ReplayFiles(desk.folder)
        self._lock = Lock()
        self._thread: Thread | None = None
        self._process: tuple[int, subprocess.Popen[bytes]] | None = None
        self._closed = Event()

    # --- asking -----------------------------------------------------------------------------------

    def ask(self, asker: Asker, system: str, first: date, last: date, other: str) -> int:
        """Enters a replay of the lists from the first to the last, under another way to rate them.

        `other` is the key of one of `office.replaying.offers`. The number of the replay.
        """
        subject = f"list:{system}:{last}"
        with self.files.entering():
            with self._desk.acting(asker, "ask_replay", subject) as act:
                require(asker, Permission.REPLAY)
                rating_system = system_named(system)
                chosen = other_named(rating_system, other)
                book = self._desk.book(act.connection)
                lists = lists_between(book, rating_system, first, last)
                lists_of_other(side_of(chosen), lists[0].opened_on, last)
                self._require_room(asker)
                number = self.files.next_number()
                act.details |= {"replay": number, "first": first.isoformat(), "other": chosen.key}
                asked = Asked(
                    number=number,
                    system=system,
                    first=first,
                    last=last,
                    other=chosen,
                    by=account_of(asker),
                    name=asker.name,
                    at=act.at,
                    ledger_seq=book.head,
                )
            self.files.add(asked)
        self.work_on_waiting()
        return number

    def _require_room(self, asker: Asker) -> None:
        """One replay for each who asks, and not too many altogether."""
        under_way = [file for file in self.files.all() if file.status.is_open]
        for replay in under_way:
            if replay.asked.by == account_of(asker):
                raise Illegal.of("replay_pages.refused.yours_first", number=replay.number)
        if len(under_way) > QUEUE:
            raise Illegal.of("replay_pages.refused.too_many", waiting=len(under_way))

    def cancel(self, asker: Asker, number: int) -> None:
        """Stops a replay, or takes one that waits out of the queue."""
        with self._desk.acting(asker, "cancel_replay", f"replay:{number}"):
            require(asker, Permission.REPLAY)
            replay = self.get(number)
            if replay.asked.by != account_of(asker):
                # Another's replay is stopped by who answers for the lists.
                require(asker, Permission.BUILD_LIST)
            if not replay.status.is_open:
                raise Illegal.of("replay_pages.refused.over", number=number)
            self.files.cancel(number)
        with self._lock:
            if self._process is not None and self._process[0] == number:
                self._process[1].terminate()

    # --- looking ----------------------------------------------------------------------------------

    def all(self) -> list[Replay]:
        """The replays that are kept, the newest first; those that wait go on."""
        replays = list(self.files.all())
        if any(replay.status is _S.WAITING for replay in replays):
            self.work_on_waiting()
        return replays

    def days(self) -> dict[str, list[date]]:
        """By system: the lists that can be rated once more, made here, the oldest first."""
        with self._desk.database.reading() as connection:
            entered = list(ledger.of_kind(connection, ListPublished))
        by_system: dict[str, list[date]] = {}
        for ledger_entry in entered:
            if isinstance(ledger_entry.entry, ListPublished):
                by_system.setdefault(ledger_entry.entry.system, []).append(
                    ledger_entry.entry.list_date
                )
        return {system: sorted(days) for system, days in by_system.items()}

    def get(self, number: int) -> Replay:
        """A replay by its number. Raises `NoReplay`."""
        replay = self.files.get(number)
        if replay is None:
            raise NoReplay.of("replay_pages.refused.no_replay", number=number)
        return replay

    def players(self, number: int) -> Path:
        """The file with the players whose ratings differ, of a replay that is done."""
        if self.get(number).status is not _S.DONE:
            raise NoReplay.of("replay_pages.refused.not_done", number=number)
        return self.files.players(number)

    # --- working ----------------------------------------------------------------------------------

    def work_on_waiting(self) -> None:
        """Works on replays that wait, in the background, where nobody here does yet."""
        with self._lock:
            if self._closed.is_set() or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = Thread(target=self._work, name="replays", daemon=True)
            self._thread.start()

    def wait(self, timeout: float | None = None) -> None:
        """Waits until nothing waits any more."""
        if self._thread is not None:
            self._thread.join(timeout)

    def close(self) -> None:
        """Stops working; what was under way is interrupted."""
        self._closed.set()
        with self._lock:
            if self._process is not None:
                self._process[1].terminate()
        if self._thread is not None:
            self._thread.join(_STOP_SECONDS)

    def _work(self) -> None:
        while not self._closed.is_set():
            waiting = [file for file in self.files.all() if file.status is _S.WAITING]
            if not waiting:
                return
            self._run(waiting[-1].number)

    def _run(self, number: int) -> None:
        """Runs one replay in a process of its own, and writes down an end it did not come to."""
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", WORKER, str(self._desk.folder), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        with self._lock:
            self._process = number, process
        address = self._desk.database.engine.url.render_as_string(hide_password=False)
        assert process.stdin is not None
        with suppress(BrokenPipeError):
            process.stdin.write(f"{address}\n".encode())
            process.stdin.flush()
        if self._closed.is_set():
            process.terminate()
        process.wait()
        with self._lock:
            self._process = None
        with suppress(BrokenPipeError):
            process.stdin.close()
        self._settle(number)

    def _settle(self, number: int) -> None:
        """Where the process ended without a word, says so: nobody tries the same again for ever."""
        replay = self.files.get(number)
        if replay is None or replay.ended is not None:
            return
        if replay.status is _S.CANCELLED:
            self.files.end(number, Ended(status=_S.CANCELLED, at=self._desk.now()))
        elif self._closed.is_set():
            self.files.clear(number)  # one that had begun is interrupted, one that had not waits
        elif replay.status in (_S.WAITING, _S.INTERRUPTED):
            failure = Failure(key="replay_pages.failed.stopped")
            ended = Ended(status=_S.INTERRUPTED, at=self._desk.now(), failure=failure)
            self.files.end(number, ended)
