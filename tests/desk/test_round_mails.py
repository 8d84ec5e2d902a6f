"""Players are written to about their rounds by a real hall, through a real mail server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from arrocco.desk import Office
from arrocco.desk.mail import CHOSEN, MailKind
from arrocco.desk.mail_delivery import MailDelivery
from arrocco.desk.round_mails import AT_ONCE
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.closing import CloseEvent
from arrocco.hall.event.acts.entries import Enter, WithdrawEntry
from arrocco.hall.event.acts.officials import AppointArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairByHand, WithdrawPairing
from arrocco.hall.event.acts.rounds import DelayRound
from arrocco.hall.event.creation import Create
from arrocco.hall.event.records import Arbiter, Person
from arrocco.live.analysis import Thinking
from arrocco.live.server_time import ServerTime
from arrocco.office.roles import Asker, Role
from arrocco.wiring import hall_of
from tests.desk.mail_server import mail_server
from tests.desk.mailbag import written
from tests.desk.offices import PASSWORD
from tests.live.stage import by_material, event_rules

NOW = datetime(2026, 11, 16, 10, tzinfo=UTC)


def opened(office: Office, *emails: str) -> list[Asker]:
    root_token = office.accounts.invite_first("root@example.org")
    askers: list[Asker] = []
    for email in ("root@example.org", *emails):
        token = root_token
        if askers:
            role = Role.ARBITER if email.startswith("capo") else Role.PLAYER
            number = None if role is Role.ARBITER else 99_000_000 + len(askers)
            token = office.accounts.invite(askers[0], email, role, "", number)
        office.accounts.accept_invitation(token, f"Prova {email}", PASSWORD)
        askers.append(office.accounts.asker_of(office.accounts.log_in(email, PASSWORD)))
    return askers


def person(asker: Asker, surname: str, rating: int | None = None) -> Person:
    return Person(account=str(asker.account), surname=surname, name="Finta", rating=rating)


def play(office: Office, chief: Asker, commands: Sequence[Command]) -> None:
    """An event of the office's own hall, to which commands are given."""

    async def scene() -> None:
        hall = hall_of(office, time=ServerTime(NOW), thinking=Thinking(by_material))
        await hall.start()
        by, day = str(chief.account), NOW.date()
        create = Create(by=by, event="open", name="Open di prova", start=day, end=day)
        assert not (await hall.create_event(create)).objections
        arbiter = Arbiter(account=by, name="Capo", chief=True)
        rules = event_rules()
        first = [SetRules(by=by, rules=rules), AppointArbiter(by=by, arbiter=arbiter)]
        for command in [*first, *commands]:
            outcome = await hall.events["open"].ask(command)
            assert not outcome.objections, (command, outcome.objections)
        await hall.stop()

    asyncio.run(scene())


def test_players_are_written_their_round_in_their_language_unless_refused(
    small_office: Office,
) -> None:
    office = small_office
    office.desk.now = lambda: NOW
    emails = ("capo@example.org", "a@example.org", "b@example.org", "c@example.org")
    _, chief, anna, bea, carla = opened(office, *emails)
    office.accounts.set_language(bea, "it")
    office.mail.choose(carla, [kind for kind in CHOSEN if kind is not MailKind.ROUND])
    by, starts = str(chief.account), NOW + timedelta(hours=3)
    play(
        office,
        chief,
        [
            Enter(by=str(anna.account), person=person(anna, "Adani", 2012)),
            Enter(by=by, person=person(bea, "Belli")),
            Enter(by=by, person=person(carla, "Cerri")),
            PairByHand(by=by, boards=((1, 2),), bye=3, starts=starts, reason="a mano"),
            DelayRound(by=by, starts=starts + timedelta(minutes=30), reason="la rete"),
            WithdrawPairing(by=by, reason="un errore"),
            WithdrawEntry(by=by, entry=2, reason="non risponde"),
            CloseEvent(by=by, reason="nessuno viene"),
        ],
    )
    with mail_server() as (box, settings):
        MailDelivery(office.desk, settings).deliver()
    told: dict[str, list[tuple[str, str]]] = {email: [] for email in emails}
    for message in box.messages:
        plain = message.get_body(("plain",))
        assert plain is not None
        subject, _, topic = str(message["Subject"]).partition(": ")
        if subject == "Open di prova":
            text = " ".join(plain.get_content().replace("\r", "").split("\n\n")[1].split())
            told[message["To"]].append((topic, text.removeprefix("Open di prova: ")))
    assert told["capo@example.org"] == []
    texts = [
        (
            "round 1, board 1: you have White against Belli, Finta; the round starts on "
            "2026-11-16 at 14:00 (UTC+01:00)."
        ),
        "round 1 starts later, on 2026-11-16 at 14:30 (UTC+01:00); reason: la rete.",
        "the pairing of round 1 is withdrawn and will be made again; reason: un errore.",
        "the event is cancelled; reason: nessuno viene.",
    ]
    topics = [
        "round 1, board 1, White",
        "round 1 starts later",
        "pairing of round 1 withdrawn",
        "cancelled",
    ]
    assert told["a@example.org"] == list(zip(topics, texts, strict=True))
    assert [text for _, text in told["b@example.org"]][:2] == [
        "sei iscritto; l'evento comincia il 16/11/2026.",
        (
            "turno 1, scacchiera 1: hai il Nero contro Adani, Finta (2012); il turno comincia il "
            "16/11/2026 alle 14:00 (UTC+01:00)."
        ),
    ]
    assert told["b@example.org"][-1][0] == "la tua iscrizione è ritirata"
    assert [topic for topic, _ in told["c@example.org"]] == ["you are entered", "cancelled"]
    paired = next(m for m in box.messages if "board 1, White" in m["Subject"])
    plain = paired.get_body(("plain",))
    assert plain is not None
    assert "https://chess.example/en/hall/open" in plain.get_content()
    assert str(paired["List-Unsubscribe"]).endswith("/round>")


def test_a_round_of_more_than_one_transaction_reaches_the_last_board(small_office: Office) -> None:
    office = small_office
    _, chief, anna = opened(office, "capo@example.org", "a@example.org")
    by = str(chief.account)
    guests = [Person(account=f"guest-{n}", surname=f"Ospite{n}", name="X") for n in range(AT_ONCE)]
    people = [*guests, guests[0], person(anna, "Adani")]
    people[AT_ONCE] = Person(account="guest-last", surname="Ospite", name="X")
    boards = tuple((n, n + 1) for n in range(1, len(people) + 1, 2))
    commands: list[Command] = [Enter(by=by, person=one) for one in people]
    play(office, chief, [*commands, PairByHand(by=by, boards=boards, reason="a mano")])
    kinds = [(kind, address) for kind, address, _ in written(office) if kind in ("round", "event")]
    assert kinds == [("event", "a@example.org"), ("round", "a@example.org")]
