"""Takes an office from a report to two lists and kills itself at a given moment, or counts them.

Usage: office_child.py MOMENT FOLDER REPORT. A moment is a file of the office being opened, made,
renamed or removed, or a statement or a commit of its database. What the office has acknowledged
is printed at once: ``sent 7``, ``accepted``, ``published``, ``corrected``, ``annulled``,
``published july``.
Whatever is done already is not done again.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from arrocco.desk import Office
from arrocco.office.ledger import GameExclusion
from arrocco.office.records import ReportStatus, TournamentStatus
from arrocco.office.roles import Asker, Role

WATCHED = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}
NOW = datetime(2025, 5, 20, 9, tzinfo=UTC)
JUNE, JULY = date(2025, 6, 1), date(2025, 7, 1)
TOURNAMENT = 1


class Moments:
    """Counts the moments, and ends the process at one of them."""

    def __init__(self, moment: int, folder: str) -> None:
        self.moment, self.folder, self.seen = moment, folder, 0

    def watch(self) -> None:
        sys.addaudithook(self._hook)
        for name in ("before_cursor_execute", "commit", "rollback"):
            event.listen(Engine, name, lambda *_: self._count())

    def _hook(self, name: str, args: tuple[Any, ...]) -> None:
        if name in WATCHED and str(args[0]).startswith(self.folder):
            self._count()

    def _count(self) -> None:
        self.seen += 1
        if self.seen == self.moment:
            os.kill(os.getpid(), signal.SIGKILL)


def say(text: str) -> None:
    print(text, flush=True)


def work(office: Office, data: bytes) -> None:
    arbiter = Asker(account=4, role=Role.ARBITER)
    boss = Asker(account=2, role=Role.RATING_ADMINISTRATOR)
    known = office.reports.of_tournament(boss, TOURNAMENT)
    if not known:
        sent = office.reports.send(arbiter, TOURNAMENT, "report.trf", data)
        say(f"sent {sent.id}")
    else:
        sent = known[0]
    if sent.status is ReportStatus.NEEDS_ANSWERS:
        warned = {i: "so" for i, f in enumerate(sent.findings) if f.severity == "warning"}
        sent = office.reports.answer(arbiter, sent.id, warned)
    if sent.status is ReportStatus.SENT:
        office.reports.accept(boss, sent.id)
        say("accepted")
    if publish(office, boss, JUNE):
        say("published")
    if not office.corrections.of_report(boss, sent.id):
        game = office.reports.read(boss, sent.id).games[0]
        out = GameExclusion(
            round=game.round, white=game.white, black=game.black, ground="fair_play", article="5.1"
        )
        office.corrections.enter(boss, sent.id, [out], "decided by the commission")
        say("corrected")
    if office.tournaments.get(boss, TOURNAMENT).status is TournamentStatus.REGISTERED:
        office.annulments.enter(boss, TOURNAMENT, "it was never played")
        say("annulled")
    if publish(office, boss, JULY):
        say("published july")


def publish(office: Office, boss: Asker, list_date: date) -> bool:
    """Publishes a list that is not out yet; whether it was not."""
    latest = office.lists.latest("fide")
    if latest is not None and latest.list_date >= list_date:
        return False
    number = office.lists.enter_draft(boss, "fide", list_date)
    draft = office.lists.run_draft(number)
    assert draft.status.value == "ready", draft.failure
    office.lists.publish(boss, number, before_closing=True)
    return True


def main(arguments: list[str]) -> None:
    moment, folder, report = arguments
    moments = Moments(int(moment), folder)
    moments.watch()
    work(Office.open(Path(folder), now=lambda: NOW), Path(report).read_bytes())
    say(f"moments {moments.seen}")


if __name__ == "__main__":
    main(sys.argv[1:])
