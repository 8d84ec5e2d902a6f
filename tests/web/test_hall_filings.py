"""12.9 to 12.12 — complaints and appeals from pages and messages, decided, and seen by whom."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from time import sleep
from typing import Any

import pytest
from click.testing import CliRunner
from httpx import Response
from litestar import Litestar

from arrocco.cli.main import program
from arrocco.desk import Office, filing_papers
from arrocco.hall.event.acts.closing import complaints_until
from arrocco.hall.event.acts.results import TakeResult
from arrocco.hall.event.result_rules import made
from arrocco.office.roles import Role
from arrocco.records.report import GameKind
from arrocco.store.sql import watched_games
from arrocco.store.sql.watched_games import QueuedGame
from arrocco.web.guard import TOKEN_HEADER
from arrocco.words import LANGUAGES
from tests.desk.mailbag import written
from tests.web.conftest import Client, LogIn
from tests.web.html import faults_of
from tests.web.offices import email_of, logged_in_cookie_of
from tests.web.test_hall_pages import (
    THREE_HOURS,
    announce,
    app,
    asked,
    end_the_game,
    enter_both,
    logged_in,
    plain,
)
from tests.web.test_hall_waiting import NAME
from tests.web.visits import all_of, posted, token_of

__all__ = ["app", "logged_in"]

PDF = b"%PDF-1.4 copy of a transfer"
TEXT = "The clock of board 1 stood still."


class Scene:
    """An event of one game that is over, with everybody who has to do with it."""

    def __init__(self, app: Litestar, office: Office, logged_in: LogIn) -> None:
        self.app, self.office = app, office
        self.arbiter, self.public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
        self.committee = logged_in(Role.COMMITTEE)
        self.treasurer = logged_in(Role.FEDERATION_OFFICER)
        self.stranger = logged_in(Role.PLAYER)
        self.event = announce(self.arbiter)
        self.id = self.event.rpartition("/")[2]
        enter_both(office, self.arbiter, self.event)
        asked(self.arbiter, self.event, "pair_round")
        asked(self.arbiter, self.event, "open_round")
        end_the_game(app.state.live, self.id, self.arbiter)
        asked(self.arbiter, self.event, "close_round")
        asked(self.arbiter, self.event, "close_event")
        self.bea, self.carlo = (self._player(logged_in, n) for n in (1, 2))

    def _player(self, logged_in: LogIn, number: int) -> Client:
        client = logged_in(Role.PUBLIC)
        cookie = logged_in_cookie_of(self.office, f"p{number}@example.org")
        client.cookies.set(self.app.state.cookies.session, cookie)
        return client

    def later(self, milliseconds: int = THREE_HOURS) -> None:
        time = self.app.state.live.time
        time.not_before(time.now() + milliseconds)

    def state(self) -> Any:
        return self.app.state.live.events[self.id].state

    def file(self, client: Client, files: Any = None, **fields: Any) -> str:
        """Files from the page; the page of the filing."""
        given = {"kind": "complaint", "text": TEXT, "member": "1", "about": "2", **fields}
        return self._page(client, posted(client, f"{self.event}/filings", given, files=files))

    def appeal(self, client: Client, **fields: Any) -> str:
        files = {"receipt": ("bonifico.pdf", PDF, "application/pdf")}
        return self.file(client, files, kind="appeal", **fields)

    def upload(self, client: Client, data: bytes, **fields: str) -> str:
        sent = posted(
            client,
            f"{self.event}/filings/message",
            {"message_kind": "complaint", "message_member": "1", **fields},
            files={"message": ("reclamo.eml", data, "message/rfc822")},
        )
        return self._page(client, sent)

    def decide(self, client: Client, number: int, **fields: str) -> Response:
        given = {"outcome": "upheld", "reasons": "The log shows it.", **fields}
        return posted(client, f"{self.event}/filings/{number}/decide", given)

    def mails(self, kind: str, count: int) -> list[tuple[str, str]]:
        """Address and parameters of so many mails; the hall writes them beside its answers."""
        for _ in range(600):
            if len(written(self.office, kind)) >= count:
                break
            sleep(0.05)
        found = [(address, params) for _, address, params in written(self.office, kind)]
        assert len(found) == count
        return found

    def _page(self, client: Client, answer: Response) -> str:
        assert answer.status_code == 303, plain(answer.text.partition("<main")[2])
        page = client.get(answer.headers["location"]).text
        assert not faults_of(page)
        return page


@pytest.fixture
def scene(app: Litestar, office: Office, logged_in: LogIn) -> Scene:
    return Scene(app, office, logged_in)


def message(sender: str, to: str, *, arrived: datetime | None = None, **parts: bytes) -> bytes:
    mail = EmailMessage(policy=SMTP)
    if arrived is not None:
        mail["Received"] = f"from a by b; {format_datetime(arrived)}"
    mail["From"], mail["To"], mail["Subject"] = sender, to, "Reclamo"
    mail["Date"] = format_datetime(datetime(2020, 1, 1, tzinfo=UTC))
    mail.set_content(TEXT)
    for name, data in parts.items():
        mail.add_attachment(data, maintype="application", subtype="pdf", filename=f"{name}.pdf")
    return mail.as_bytes()


def test_12_9_a_complaint_is_judged_at_once_mailed_decided_and_told(scene: Scene) -> None:
    page = scene.file(scene.bea, grounds="technical", round="1")
    assert "Nothing was found that keeps it from being considered" in page
    [(address, params)] = scene.mails("filing", 1)
    assert address == email_of(Role.ARBITER)
    assert TEXT in params
    one = f"{scene.event}/filings/1"
    for client in (scene.arbiter, scene.bea, scene.committee):
        assert TEXT in client.get(one).text
    for client in (scene.carlo, scene.stranger, scene.treasurer):
        assert client.get(one).status_code == 404
        assert TEXT not in client.get(f"{scene.event}/filings").text
    assert scene.public.get(one, follow_redirects=False).status_code == 303
    scene.later()
    refused = posted(scene.arbiter, f"{scene.event}/ask/validate", {})
    assert "A complaint is not decided yet" in refused.text
    for client in (scene.bea, scene.carlo, scene.committee, scene.treasurer):
        assert scene.decide(client, 1).status_code == 404
    assert scene.decide(scene.arbiter, 1, reasons="").status_code == 422
    done = scene.decide(scene.arbiter, 1, outcome="rejected", false_accusation="1")
    assert done.status_code == 303, plain(done.text)
    told = dict(scene.mails("filing_news", 3)[1:])
    assert set(told) == {"p1@example.org", "p2@example.org"}
    assert all("The log shows it." in params for params in told.values())
    heard = scene.carlo.get(one).text
    assert "The log shows it." in heard
    assert TEXT not in heard, "who it is about hears the decision and its reasons"
    for language in LANGUAGES:
        for client in (scene.arbiter, scene.bea, scene.carlo):
            for path in ("/filings", "/filings/1"):
                shown = client.get(f"/{language}{scene.event[3:]}{path}")
                assert shown.status_code == 200
                assert not faults_of(shown.text)
    report = plain(scene.arbiter.get(f"{scene.event}/report").text)
    assert "decided on a filing" in report
    asked(scene.arbiter, scene.event, "validate")


def test_12_10_an_appeal_with_its_fee_from_the_page_to_the_return(scene: Scene) -> None:
    scene.later()
    asked(scene.arbiter, scene.event, "validate")
    without = scene.file(scene.bea, kind="appeal")
    assert "the copy of the transfer is missing (12.11.1d)" in without
    wrong = {"receipt": ("x.exe", b"MZ", "application/pdf")}
    fields = {"kind": "appeal", "text": "x"}
    refused = posted(scene.bea, f"{scene.event}/filings", fields, files=wrong)
    assert refused.status_code == 422
    assert "is not a PDF" in refused.text
    page = scene.appeal(scene.bea, round="1")
    reason = f"Ricorso Campionati Italiani Online – {scene.id} – Blitz – 1"
    assert reason in page
    assert reason in scene.bea.get(f"{scene.event}/filings").text
    receipt = f"{scene.event}/filings/2/receipt"
    for client in (scene.bea, scene.committee, scene.treasurer):
        answer = client.get(receipt)
        assert answer.content == PDF
        assert answer.headers["content-disposition"].startswith("attachment")
    for client in (scene.arbiter, scene.carlo, scene.stranger):
        assert client.get(receipt).status_code == 404, "it has somebody's bank account in it"
    assert scene.decide(scene.arbiter, 2).status_code == 404, "appeals are the committee's"
    assert scene.decide(scene.committee, 2).status_code == 303
    assert "The fee of 100 euro is returned" in plain(scene.bea.get(receipt[:-8]).text)
    for payment in ("arrived", "returned"):
        fields = {"payment": payment, "reason": "CRO 1"}
        for client in (scene.bea, scene.arbiter, scene.committee):
            denied = posted(client, f"{scene.event}/filings/2/payment", fields)
            assert denied.status_code == 404
        done = posted(scene.treasurer, f"{scene.event}/filings/2/payment", fields)
        assert done.status_code == 303, plain(done.text)
    addresses = [address for address, _ in scene.mails("filing", 2)]
    assert addresses == [email_of(Role.COMMITTEE)] * 2
    revoked = {"payment": "revoked", "reason": "letter of the bank"}
    posted(scene.treasurer, f"{scene.event}/filings/2/payment", revoked)
    for language, words in (("en", "a fine of 200 euro"), ("it", "una multa di 200 euro")):
        shown = scene.bea.get(f"/{language}{scene.event[3:]}/filings/2").text
        assert words in shown
        assert "12.11.2" in shown
        assert not faults_of(shown)
    news = scene.mails("filing_news", 11)
    told = [address for address, params in news if "news.annulled" in params]
    concerned = [email_of(Role.COMMITTEE), "p2@example.org", email_of(Role.ARBITER)]
    assert sorted(told) == sorted(concerned), "to whom it was sent, and who heard it was upheld"
    one = f"{scene.event}/filings/2"
    assert 'value="fine_paid"' in scene.treasurer.get(one).text
    paid = {"payment": "fine_paid", "reason": "CRO 7"}
    assert posted(scene.treasurer, f"{one}/payment", paid).status_code == 303
    for language, words in (
        ("en", "the fine of 200 euro has been paid"),
        ("it", "la multa di 200 euro è stata pagata"),
    ):
        shown = scene.bea.get(f"/{language}{scene.event[3:]}/filings/2").text
        assert words in shown
        assert not faults_of(shown)
    page = scene.treasurer.get(one).text
    assert "/payment" not in page.partition("<main")[2], "nothing more can come of it"


def test_12_9_a_message_that_reached_the_chief_counts_from_its_arrival(scene: Scene) -> None:
    until = complaints_until(scene.state(), scene.state().laws)
    assert until is not None
    scene.later()
    chief = email_of(Role.ARBITER)
    edge = until.replace(microsecond=0)  # what a header can say
    in_time = scene.upload(scene.arbiter, message("p1@example.org", chief, arrived=edge))
    assert "Nothing was found" in in_time
    assert "Abete, Bea" in in_time
    late = message("p1@example.org", chief, arrived=edge + timedelta(seconds=1))
    assert "it came too late (12.11.1c)" in scene.upload(scene.arbiter, late)
    own = scene.upload(scene.bea, message("p1@example.org", chief, arrived=edge))
    assert "it came too late (12.11.1c)" in own, "the filer's own headers prove nothing"
    unknown = message("nobody@example.org", "other@example.org", arrived=edge)
    page = scene.upload(scene.arbiter, unknown)
    for words in ("is not a player", "no FSI or FIDE number", "not sent to its addressee"):
        assert words in page
    bad = posted(
        scene.bea,
        f"{scene.event}/filings/message",
        {"message_kind": "complaint"},
        files={"message": ("x.eml", b"\0\1\2", "message/rfc822")},
    )
    assert bad.status_code == 422
    assert "is not an e-mail" in bad.text


def test_nobody_fills_the_disk_event_by_event(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = message("p1@example.org", email_of(Role.ARBITER))
    monkeypatch.setattr(filing_papers, "MAX_LATELY", len(mail) + 1)
    scene.upload(scene.bea, mail)
    files = {"message": ("again.eml", mail, "message/rfc822")}
    refused = posted(
        scene.bea, f"{scene.event}/filings/message", {"message_kind": "complaint"}, files=files
    )
    assert refused.status_code in (409, 422)
    assert "0 MB of files in 30 days" in plain(refused.text)


def test_12_10_a_message_brings_the_copy_of_the_transfer(scene: Scene) -> None:
    scene.later()
    asked(scene.arbiter, scene.event, "validate")
    mail = message("p1@example.org", email_of(Role.COMMITTEE), bonifico=PDF)
    page = scene.upload(scene.bea, mail, message_kind="appeal")
    assert "Nothing was found" in page
    assert scene.committee.get(f"{scene.event}/filings/1/receipt").content == PDF
    assert scene.committee.get(f"{scene.event}/filings/1/message").content == mail
    assert scene.arbiter.get(f"{scene.event}/filings/1/message").status_code == 404


def test_12_11_1a_what_is_said_is_written_down_and_not_considered(scene: Scene) -> None:
    fields = {"spoken_kind": "complaint", "entry": "1", "said": "He cheats!"}
    for client in (scene.bea, scene.stranger, scene.treasurer):
        assert posted(client, f"{scene.event}/filings/spoken", fields).status_code == 404
    assert posted(scene.arbiter, f"{scene.event}/filings/spoken", fields).status_code == 303
    page = scene.bea.get(f"{scene.event}/filings/1").text
    assert "it did not come by e-mail (12.11.1a)" in page
    assert scene.decide(scene.arbiter, 1).status_code == 404


@pytest.mark.parametrize(
    "command",
    [
        {"type": "submit_filing", "kind": "complaint", "way": "page", "filer": "x", "text": "x"},
        {"type": "submit_filing", "kind": "appeal", "way": "page", "filer": "x", "text": "x"},
        {"type": "file_complaint", "text": "the clock"},
    ],
    ids=["complaint", "appeal", "as before the desk"],
)
def test_12_9_no_program_files_a_complaint(scene: Scene, command: dict[str, str]) -> None:
    """Whether one is admissible, and its moment, are the server's; nobody files for another."""
    answer = scene.bea.post(
        f"/api/v1/hall/events/{scene.id}/commands",
        json=command,
        headers={TOKEN_HEADER: token_of(scene.bea)},
    )
    told = answer.json()
    assert "filings_on_pages" in answer.text, told
    assert "12.9" in answer.text
    assert not scene.state().filings


@pytest.mark.parametrize(
    "command",
    [
        {"type": "announce_results", "open_matters": 0, "checks_complete": True},
        {"type": "declare_checks", "capacity": "committee", "reason": "all of them"},
    ],
    ids=["announcement", "checks"],
)
def test_12_3_12_6_no_program_says_that_checks_are_complete(
    scene: Scene, command: dict[str, Any]
) -> None:
    answer = scene.arbiter.post(
        f"/api/v1/hall/events/{scene.id}/commands",
        json=command,
        headers={TOKEN_HEADER: token_of(scene.arbiter)},
    )
    assert "only_on_pages" in answer.text
    assert (scene.state().checked, scene.state().announced) == (None, None)


def step(page: str, name: str) -> str:
    """What the life of a tournament says of a step."""
    rows = [plain(row) for row in page.split("<tr>")]
    return next(row for row in rows if name in row)


def waiting(client: Client) -> set[str]:
    """What the inbox of somebody has of the event."""
    links = all_of(client.get("/en/desk").text, "//main//tbody//th/a/text()")
    return {link.removesuffix(NAME).strip() for link in links if NAME in link}


def test_12_3_the_life_of_a_tournament_with_its_guards(scene: Scene) -> None:
    life = f"{scene.event}/life"
    recording = scene.office.folder / "video" / scene.id / "1-camera-1.slices"
    recording.parent.mkdir(parents=True)
    recording.write_text("")
    recording.with_suffix(".webm").write_bytes(b"")
    scene.file(scene.bea)
    assert waiting(scene.arbiter) == {"Complaints to decide in"}
    assert waiting(scene.committee) == waiting(scene.bea) == set()
    page = scene.arbiter.get(life).text
    assert "done" in step(page, "Last round ended")
    assert "a complaint that is not decided" in step(page, "Standings validated")
    assert "a complaint that is not decided" not in scene.public.get(life).text
    scene.later()
    scene.decide(scene.arbiter, 1)
    assert waiting(scene.arbiter) == {"Standings to validate in"}, "nothing is watched yet"
    asked(scene.arbiter, scene.event, "validate")
    scene.appeal(scene.carlo)
    assert waiting(scene.committee) == {"Appeals to decide in"}
    assert waiting(scene.treasurer) == waiting(scene.carlo) == set()
    for client, status in ((scene.bea, 404), (scene.committee, 404), (scene.arbiter, 409)):
        assert posted(client, f"{life}/announce", {}).status_code == status
    refused = plain(posted(scene.arbiter, f"{life}/announce", {}).text)
    assert "Appeals are possible until" in refused
    assert "A complaint, an appeal or a case is open" in refused
    assert recording.exists()
    scene.decide(scene.committee, 2, outcome="rejected")
    for client in (scene.bea, scene.treasurer, scene.stranger):
        denied = posted(client, f"{life}/checks", {"reason": "all"})
        assert denied.status_code == 404
    assert posted(scene.committee, f"{life}/checks", {"reason": ""}).status_code == 409
    done = posted(scene.committee, f"{life}/checks", {"reason": "all games and recordings"})
    assert done.status_code == 303, plain(done.text)
    scene.later()
    assert waiting(scene.arbiter) == {"Results to announce:"}
    assert posted(scene.arbiter, f"{life}/announce", {}).status_code == 303
    assert waiting(scene.arbiter) == set()
    assert not recording.exists(), "12.3 — the announcement erases recordings"
    assert (recording.parent / "erased.json").exists()
    page = scene.arbiter.get(life).text
    for name in ("Appeals", "Official announcement", "Recordings erased"):
        assert "done" in step(page, name)
    for name in ("Fair play checks", "Prizes released"):
        held = step(page, name)
        assert "games that no engine has analysed yet" in held, "12.6 — not watched, prizes held"
        assert "done" not in held
    with scene.office.desk.database.writing() as connection:
        game = f"{scene.id}-1-1"
        watched = QueuedGame(game=game, nodes=20000, event=scene.id, plies=4, is_over=True, done=4)
        watched_games.put(connection, watched)
    for name in ("Fair play checks", "Prizes released"):
        assert "done" in step(scene.arbiter.get(life).text, name)
    for language in LANGUAGES:
        for client in (scene.arbiter, scene.committee, scene.public):
            shown = client.get(f"/{language}{life[3:]}")
            assert shown.status_code == 200
            assert not faults_of(shown.text)
    told = [address for address, params in scene.mails("event", 4) if "official" in params]
    assert told == ["p1@example.org", "p2@example.org"]

    # 13.3 — a case that is opened afterwards keeps what is still there.
    recording.write_text("")
    recording.with_suffix(".webm").write_bytes(b"")
    erase = ["recording", "erase", scene.id, "--reason", "12.3"]
    given = {"event": scene.id, "entry": "1", "origin": "own", "subject": "moves"}
    assert posted(scene.committee, "/en/committee/cases/new", given).status_code == 303
    tried = CliRunner().invoke(program, [*erase, "--office", str(scene.office.folder)])
    assert tried.exit_code == 1
    assert "a case of" in tried.output
    assert recording.exists()


TABLE = "General; 200 100.50\nBelow; F <1800; 40\nUnder 16; >=2010; 50"


def test_12_6_prizes_are_stated_held_and_paid(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter, stranger = logged_in(Role.ARBITER), logged_in(Role.PLAYER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    prizes = f"{event}/prizes"
    assert posted(stranger, prizes, {"table": TABLE}).status_code == 404
    for wrong in ("General", "General; x", "G; <0; 5", "G; Z; 5", "; 5", "G; 0"):
        refused = posted(arbiter, prizes, {"table": wrong})
        assert refused.status_code == 422, wrong
        assert "Line 1 is not a category" in refused.text
    for one_each in ({"one_each": "1"}, {}):
        assert posted(arbiter, prizes, {"table": TABLE, **one_each}).status_code == 303
        page = arbiter.get(prizes).text
        assert ("Nobody gets a second prize:" in page) is bool(one_each)
        assert "Below; F &lt;1800; 40.00" in page
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    end_the_game(app.state.live, event.rpartition("/")[2], arbiter)
    asked(arbiter, event, "close_round")
    asked(arbiter, event, "close_event")
    page = plain(arbiter.get(prizes).text)
    assert "The prizes are held until the checks are complete" in page
    assert "Who would get what" in page
    assert "Who would get what" not in stranger.get(prizes).text
    held = arbiter.get(f"{prizes}/payments")
    assert held.status_code == 404
    assert "prizes are held until the checks are complete (12.6)" in held.text
    app.state.live.time.not_before(app.state.live.time.now() + THREE_HOURS)
    asked(arbiter, event, "validate")
    posted(arbiter, f"{event}/life/checks", {"reason": "all"})
    app.state.live.time.not_before(app.state.live.time.now() + THREE_HOURS)
    assert posted(arbiter, f"{event}/life/announce", {}).status_code == 303
    assert arbiter.get(f"{prizes}/payments").status_code == 404, "a game is not analysed"
    with office.desk.database.writing() as connection:
        name = event.rpartition("/")[2]
        watched = QueuedGame(game=f"{name}-1-1", nodes=1, event=name, plies=4, is_over=True, done=4)
        watched_games.put(connection, watched)
    paid = arbiter.get(f"{prizes}/payments").text.splitlines()
    assert paid == [
        "name,id,euro",
        '"Betulla, Carlo",99000012,200.00',
        '"Abete, Bea",99000011,100.50',
    ]
    assert stranger.get(f"{prizes}/payments").status_code == 404
    assert posted(arbiter, prizes, {"table": TABLE}).status_code == 409
    for language in LANGUAGES:
        for client in (arbiter, stranger):
            shown = client.get(f"/{language}{prizes[3:]}")
            assert "Betulla, Carlo" in shown.text
            assert not faults_of(shown.text)
    given = {"event": name, "entry": "1", "origin": "own", "subject": "late"}
    assert posted(logged_in(Role.COMMITTEE), "/en/committee/cases/new", given).status_code == 303
    assert arbiter.get(f"{prizes}/payments").status_code == 404, "held again by a case"
    assert "Who gets what" not in stranger.get(prizes).text


def test_12_6_prizes_are_released_after_a_result_that_was_entered_by_hand(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    """The game was never played in the hall: the chief arbiter waives its check, and says why."""
    arbiter, stranger = logged_in(Role.ARBITER), logged_in(Role.PLAYER)
    event = announce(arbiter)
    name = event.rpartition("/")[2]
    enter_both(office, arbiter, event)
    assert posted(arbiter, f"{event}/prizes", {"table": TABLE}).status_code == 303
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")

    async def by_hand() -> None:
        app.state.live.rooms.pop(f"{name}-1-1").close()  # as one whose log is damaged
        room = await app.state.live.find_event(name)
        chief = next(one.account for one in room.state.arbiters if one.chief)
        result = made(room.state, (10, 0), GameKind.PLAYED)
        taken = TakeResult(by=chief, round=1, board=1, result=result, reason="played in person")
        outcome = await room.ask(taken)
        assert not outcome.objections, outcome.objections

    arbiter.blocking_portal.call(by_hand)
    asked(arbiter, event, "close_round")
    asked(arbiter, event, "close_event")
    app.state.live.time.not_before(app.state.live.time.now() + THREE_HOURS)
    asked(arbiter, event, "validate")
    posted(arbiter, f"{event}/life/checks", {"reason": "all"})
    app.state.live.time.not_before(app.state.live.time.now() + THREE_HOURS)
    assert posted(arbiter, f"{event}/life/announce", {}).status_code == 303
    assert arbiter.get(f"{event}/prizes/payments").status_code == 404

    life = f"{event}/life"
    assert "Round 1, board 1" in arbiter.get(life).text
    assert "Round 1, board 1" not in stranger.get(life).text
    where = {"round": "1", "board": "1", "reason": "played in person"}
    assert posted(stranger, f"{life}/waive", where).status_code == 404
    for wrong in ({"reason": ""}, {"round": "x"}, {"board": "0"}, {"board": "7"}):
        assert posted(arbiter, f"{life}/waive", {**where, **wrong}).status_code in (409, 422), wrong
    assert arbiter.get(f"{event}/prizes/payments").status_code == 404
    assert posted(arbiter, f"{life}/waive", where).status_code == 303
    assert arbiter.get(f"{event}/prizes/payments").status_code == 200
    assert "Round 1, board 1" not in arbiter.get(life).text
    report = plain(arbiter.get(f"{event}/report").text)
    assert "check of a board waived" in report
    assert "played in person" in report
    for language in LANGUAGES:
        assert not faults_of(arbiter.get(f"/{language}{life[3:]}").text)


def test_12_1_a_game_that_was_played_in_the_hall_is_not_waived(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    end_the_game(app.state.live, event.rpartition("/")[2], arbiter)
    asked(arbiter, event, "close_round")
    asked(arbiter, event, "close_event")
    assert "Round 1, board 1" not in arbiter.get(f"{event}/life").text
    where = {"round": "1", "board": "1", "reason": "no engine"}
    refused = posted(arbiter, f"{event}/life/waive", where)
    assert refused.status_code == 409
    assert "was played in the hall" in refused.text
