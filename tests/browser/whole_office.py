"""One office with something on every page, behind a real server: lists, work, a hall at play."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from arrocco.desk import Office
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.officials import AppointArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairRound
from arrocco.hall.event.acts.rounds import OpenRound
from arrocco.hall.event.creation import Create
from arrocco.hall.event.records import Arbiter, PairingSystem, Person
from arrocco.hall.game import commands as c
from arrocco.live.event_room import EventRoom
from arrocco.live.hall import Hall
from arrocco.office.roles import Asker, Role
from arrocco.office.settings import SignUp
from arrocco.store.sql import mail_choices
from arrocco.video.chain import slice_hash
from arrocco.video.recordings import FOLDER, Recordings
from arrocco.video.settings import VideoSettings
from tests.browser.hall_stage import Running, hall_at_work
from tests.desk.offices import data_of, player_id, registration_of, report
from tests.live.stage import event_rules
from tests.web.desk_office import asker
from tests.web.public_office import AUGUST, JULY, JUNE

EVENT, TO_PAIR = "serata", "domani"
PLAYERS = 6
_MOVES = ("e2e4", "e7e5", "g1f3", "b8c6")


@dataclass
class Whole:
    """The office at work, and what its pages are about, by the name of the parameter."""

    office: Office
    running: Running
    examples: dict[str, str]


@contextmanager
def whole_office(public_folder: Path, folder: Path) -> Iterator[Whole]:
    """Serves a copy of the office with lists, with work at the desk and a round in the hall."""
    shutil.copytree(public_folder, folder)
    with closing(Office.open(folder)) as office:
        examples = _work(office)
        with hall_at_work(office) as running:
            running.run(_evening(running.hall, office))
            _record(office)
            yield Whole(office, running, examples)


def _work(office: Office) -> dict[str, str]:
    """Something that waits for each role; gives the values of the parameters of pages."""
    head, officer = asker(office, Role.HEAD_OF_OFFICE), asker(office, Role.RATING_ADMINISTRATOR)
    arbiter, player = asker(office, Role.ARBITER), asker(office, Role.PLAYER)
    office.settings.change(
        head, name_en="Chess Office of Finta", name_it="Federazione di Finta", sign_up=SignUp.OPEN
    )
    day = office.desk.now().date()
    played = report(9, day.replace(day=1), name="Torneo Aperto di Finta")
    sent_for = office.tournaments.register(arbiter, registration_of(played, ("fide",)))
    for approval in sent_for.approvals:
        office.tournaments.approve(officer, sent_for.id, approval.needed, "Presidente Finto", day)
    late = report(8, day, name="Torneo Tardivo di Finta")
    office.tournaments.register(arbiter, registration_of(late, ("fide",)))
    sent = office.reports.send(arbiter, sent_for.id, "report.trf", data_of(played))
    draft = office.lists.enter_draft(officer, "fide", AUGUST)
    office.lists.run_draft(draft)
    replay = office.replays.ask(officer, "fide", JUNE, JULY, "fide@2012-07-01")
    office.replays.wait(60)
    question = office.questions.ask(player, player_id(1), "fide", JUNE, 1, 1, "2-0?")
    invitation = office.accounts.invite(head, "new@example.org", Role.PLAYER, "", player_id(3))
    return {
        "account": "2",
        "draft": str(draft),
        "edition": "2024-03-01",
        "event": EVENT,
        "first": "2024-03-01",
        "game": f"{EVENT}-1-1",
        "law": "fide",
        "mail": str(office.mail.spool(head)[1][0].id),
        "number": str(replay),
        "on": str(JUNE),
        "player": str(player_id(1)),
        "question": str(question.id),
        "report": str(sent.id),
        "second": "2025-10-01",
        "system": "fide",
        "tournament": str(sent_for.id),
        "what": "changed",
        "name": "player",
        "rated": "1",
        "secret": "none",
        "link": office.bulk.make_link(head, Role.ARBITER, "", 5, 5),
        "invitation": invitation,
        "token": _unsubscribing(office, player),
        "kind": "answer",
    }


def _unsubscribing(office: Office, who: Asker) -> str:
    """The secret by which somebody stops mails."""
    assert who.account is not None
    with office.desk.database.writing() as connection:
        return mail_choices.token_of(connection, who.account)


def _record(office: Office) -> None:
    """12.3 — what a camera of the first player has seen."""
    store = Recordings(office.folder / FOLDER, VideoSettings(keep_free=0))
    recording = store.begin(EVENT, 1, "camera")
    recording.add(b"seen", slice_hash(recording.hash, b"seen"), 1_795_000_000_000, 1, 1)
    recording.close()


async def _announce(hall: Hall, chief: str, event: str, people: list[Person]) -> EventRoom:
    """An event with its arbiter and players, and no round yet."""
    day = date(2026, 11, 16)
    await hall.create_event(Create(by=chief, event=event, name="Serata lampo", start=day, end=day))
    room = hall.events[event]
    await _ask(
        room,
        SetRules(by=chief, rules=event_rules(system=PairingSystem.SWISS, time_control="900+10")),
        AppointArbiter(by=chief, arbiter=Arbiter(account=chief, name="Dora", chief=True)),
        *(Enter(by=chief, person=person) for person in people),
    )
    return room


async def _ask(room: EventRoom, *commands: Command) -> None:
    for command in commands:
        outcome = await room.ask(command)
        assert not outcome.objections, outcome.objections


async def _evening(hall: Hall, office: Office) -> None:
    """A first round: one game has moves and a call, one is over, one has just begun."""
    chief = str(asker(office, Role.ARBITER).account)
    player = str(asker(office, Role.PLAYER).account)
    people = [
        Person(
            account=player if n == 1 else f"p{n}",
            id=99_000_000 + n,
            surname=f"Finta{n}",
            name="Ugo",
        )
        for n in range(1, PLAYERS + 1)
    ]
    await _announce(hall, chief, TO_PAIR, people)
    room = await _announce(hall, chief, EVENT, people)
    await _ask(room, PairRound(by=chief), OpenRound(by=chief))
    await asyncio.sleep(hall.to_the_seats / 1000 + 0.2)
    rooms = list(hall.rooms_of(room))
    for board in rooms:
        for seat in (board.state.white, board.state.black):
            await board.answer(c.Connect(by=seat.player.id))
    for ply, move in enumerate(_MOVES):
        state = rooms[0].state
        mover = (state.white, state.black)[ply % 2].player.id
        await rooms[0].answer(c.Move(by=mover, uci=move, ply=ply))
    await rooms[0].answer(c.CallArbiter(by=rooms[0].state.black.player.id, text="?"))
    await rooms[1].answer(c.Resign(by=rooms[1].state.white.player.id))
