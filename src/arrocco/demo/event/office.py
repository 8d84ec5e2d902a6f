"""What the office does with the event: its report is accepted, its list is published, verified."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from arrocco.demo.event.cast import ADMINISTRATOR, Session, log_in
from arrocco.demo.event.course import Played
from arrocco.demo.event.site import Clock
from arrocco.desk import Office
from arrocco.desk.handover import hand_over
from arrocco.desk.list_verification import Verification
from arrocco.laws.systems import system_named
from arrocco.office.records import ReportStatus, SentReport

SYSTEM = "rio-blitz"
_MORNING = time(8, tzinfo=UTC)


@dataclass(frozen=True)
class Published:
    """The report and the list it is on."""

    report: SentReport
    content: bytes
    list_date: date
    changed: list[tuple[int, str, int | None, int]]
    """Number, name, rating before and after, of everybody whose rating is another."""
    verification: Verification


def rate_event(office: Office, clock: Clock, played: Played, arbiter: Session) -> Published:
    """Hands the event over and makes the list; the clock is put to the day of the list."""
    asker = office.accounts.asker_of(arbiter.token)
    sent = hand_over(office, asker, played.state, played.games)
    if sent.status is not ReportStatus.SENT:
        keys = sorted({finding.key for finding in sent.findings})
        raise AssertionError(f"the report of the demo is {sent.status}: {keys}")
    [boss] = log_in(office, [ADMINISTRATOR])
    administrator = office.accounts.asker_of(boss.token)
    accepted = office.reports.accept(administrator, sent.id)
    list_date, _ = office.reports.lists(administrator, sent.id)[SYSTEM]
    clock.go_to(datetime.combine(list_date, _MORNING))
    before = _ratings(office)
    _publish_until(office, list_date)
    after = _ratings(office)
    changed = [
        (number, name, before.get(number, ("", None))[1], rating)
        for number, (name, rating) in after.items()
        if before.get(number, ("", None))[1] != rating
    ]
    return Published(
        accepted,
        office.reports.content(administrator, sent.id),
        list_date,
        changed,
        office.lists.verify(SYSTEM, list_date),
    )


def _publish_until(office: Office, list_date: date) -> None:
    """Publishes the lists that are due, in order: no list is skipped."""
    [boss] = log_in(office, [ADMINISTRATOR])  # on the day of the list the old session is over
    administrator = office.accounts.asker_of(boss.token)
    while True:
        latest = office.lists.latest(SYSTEM)
        assert latest is not None, "the demo begins with a list"
        if latest.list_date >= list_date:
            return
        following = system_named(SYSTEM).edition_on(latest.list_date).next_list(latest.list_date)
        draft = office.lists.enter_draft(administrator, SYSTEM, following)
        office.lists.run_draft(draft)
        office.lists.publish(administrator, draft)


def _ratings(office: Office) -> dict[int, tuple[str, int]]:
    from arrocco.formats.lists import read_list
    from arrocco.store.list_folder import LIST

    latest = office.lists.latest(SYSTEM)
    assert latest is not None, "the demo begins with a list"
    path = office.lists.folder(SYSTEM, latest.list_date) / LIST
    listed = read_list(path, system_named(SYSTEM).kind)[0]
    players = (listed.player(int(number)) for number in listed.id)
    return {
        player.id: (player.name, int(player.rating))
        for player in players
        if player and player.rating
    }
