"""13 — a case on the pages: from an alarm to the event, seen by who may and refused to others."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from litestar import Litestar

from arrocco.desk import Office
from arrocco.desk.handover import hand_over
from arrocco.laws.online.fair_play import Seat
from arrocco.office.ledger import Correction
from arrocco.office.roles import GRANTS, Asker, Permission, Role
from arrocco.store.sql import ledger
from arrocco.web.pages import hall_screen
from arrocco.web.pages.hall_common import ZONE
from arrocco.words import LANGUAGES
from tests.desk.offices import HEADING
from tests.watch.played import EVENT, PlayedEvent
from tests.watch.test_event_screen import baseline_of, enter
from tests.web.conftest import Client, LogIn
from tests.web.html import faults_of
from tests.web.offices import PASSWORD
from tests.web.test_hall_pages import app, logged_in, plain
from tests.web.test_hall_screen import number_of, played
from tests.web.visits import posted

__all__ = ["app", "logged_in"]

CASES = "/en/committee/cases"


def second_member(app: Litestar, office: Office, logged_in: LogIn) -> Client:
    """Another member of the committee, with an account of their own."""
    admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
    email = "maestra@example.org"
    token = office.accounts.invite(admin, email, Role.COMMITTEE)
    office.accounts.accept_invitation(token, "Mina Maestra", PASSWORD)
    session = office.accounts.log_in(email, PASSWORD, "192.0.2.1")
    who = office.accounts.asker_of(session)
    assert who.account is not None
    office.committee.name_member(admin, who.account, Seat.MASTER, category="M", resolution="n. 2")
    client = logged_in(Role.PUBLIC)
    client.cookies.set(app.state.cookies.session, session)
    return client


def sent(client: Client, path: str, **fields: str) -> str:
    """Sends a form that is granted; the page after it."""
    answer = posted(client, path, fields)
    assert answer.status_code == 303, plain(answer.text.partition("<main")[2])
    return str(client.get(answer.headers["location"]).text)


def moment(**later: float) -> str:
    return (datetime.now(ZONE) + timedelta(**later)).strftime("%Y-%m-%dT%H:%M")


def opened(member: Client) -> str:
    sent(member, f"{CASES}/new", event=EVENT, entry="1", origin="own", subject="gioco sospetto")
    return f"{CASES}/1"


def heard(member: Client, player: Client) -> str:
    case = opened(member)
    sent(member, f"{case}/hearing", until=moment(days=1), question="Che cosa dici?")
    sent(player, f"{case}/statement", statement="Ho giocato da sola.")
    return case


def test_13_3_two_signatures_and_the_event_takes_the_decision_once(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    event = played(office)
    first, second = logged_in(Role.COMMITTEE), second_member(app, office, logged_in)
    chief, player = logged_in(Role.ARBITER), logged_in(Role.PLAYER)
    before = {board.white: board.result for board in event.state.rounds[0].boards}
    case = heard(first, player)
    page = sent(
        first,
        f"{case}/propose",
        outcome="breach",
        reasons="provato",
        losses_rounds="1",
        losses_opponents="keep",
        d_scope="tournament",
        c_scope="",
        b_points="",
    )
    assert "Needs the chief arbiter" in page
    page = sent(second, f"{case}/vote", proposal="1", vote="yes")
    assert "waits for the chief arbiter" in page
    assert "Your signature" in chief.get(case).text
    assert posted(player, f"{case}/sign", {"proposal": "1", "agrees": "yes"}).status_code == 404
    page = sent(chief, f"{case}/sign", proposal="1", agrees="yes")
    assert "final: there is no appeal (12.7)" in page
    shown = chief.get(f"/en/hall/{EVENT}").text
    assert "13.3" in chief.get(f"/en/hall/{EVENT}/report").text
    assert "provato" in chief.get(f"/en/hall/{EVENT}/report").text
    assert before
    room = app.state.live.events[EVENT]
    assert [one.article for one in room.state.sanctions] == ["13.5d"]
    board = next(one for one in room.state.rounds[0].boards if 1 in one.players)
    assert board.result is not None
    assert board.result.points[board.players.index(1)] == 0
    assert "Torre01" in shown
    again = posted(first, f"{case}/carry-out", {})
    assert again.status_code == 303
    assert len(room.state.sanctions) == 1, "nothing is imposed twice"
    late = posted(second, f"{case}/vote", {"proposal": "1", "vote": "no"})
    assert "final" in late.text
    for language in LANGUAGES:
        for client in (first, chief, player):
            answer = client.get(f"/{language}{case[3:]}")
            assert answer.status_code == 200
            assert not faults_of(answer.text)


def test_every_role_sees_what_it_may_of_a_case(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    played(office)
    member = logged_in(Role.COMMITTEE)
    case = opened(member)
    sent(member, f"{case}/note", note="nota segreta")
    posted(member, f"{case}/evidence", {"about": "partita"}, files={"file": ("a.txt", b"prova")})
    admitted = {Role.COMMITTEE, Role.ARBITER}
    for role in Role:
        client = logged_in(role)
        for path in (case, f"{case}/evidence/1"):
            answer = client.get(path, follow_redirects=False)
            if role is Role.PUBLIC:
                assert answer.status_code == 303
            else:
                assert answer.status_code == (200 if role in admitted else 404), (role, path)
        if role is not Role.COMMITTEE:
            assert "nota segreta" not in client.get(case).text
    assert logged_in(Role.ARBITER).get(f"{case}/evidence/1").content == b"prova"
    sent(member, f"{case}/hearing", until=moment(days=1), question="Che cosa dici?")
    page = logged_in(Role.PLAYER).get(case).text
    assert "Che cosa dici?" in page
    assert "gioco sospetto" not in page
    assert "a.txt" not in page
    assert logged_in(Role.PLAYER).get(f"{case}/evidence/1").status_code == 404


def test_a_sanction_that_the_event_cannot_take_is_refused_before_anybody_votes(
    office: Office, logged_in: LogIn
) -> None:
    played(office)
    member = logged_in(Role.COMMITTEE)
    case = heard(member, logged_in(Role.PLAYER))
    form = {"outcome": "breach", "reasons": "provato", "c_scope": "", "d_scope": ""}
    for wrong in (
        {"losses_rounds": "7"},
        {"losses_rounds": "x"},
        {"c_scope": "rounds", "c_rounds": "1"},
        {"b_round": "9", "b_points": "0,0"},
        {},
    ):
        answer = posted(member, f"{case}/propose", form | wrong)
        assert answer.status_code in (409, 422), wrong
        assert not faults_of(answer.text)
    assert "Proposal 1" not in member.get(case).text
    sent(member, f"{case}/propose", **(form | {"a": "1", "e": "1", "f": "1"}))
    page = plain(member.get(case).text.partition("<main")[2])
    for article in ("13.5a", "13.5e", "13.5f"):
        assert article in member.get(case).text, page


def test_13_4_the_referral_is_a_document_with_its_evidence(
    office: Office, logged_in: LogIn
) -> None:
    played(office)
    member = logged_in(Role.COMMITTEE)
    case = opened(member)
    assert member.get(f"{case}/referral").status_code == 404
    posted(member, f"{case}/evidence", {}, files={"file": ("a.txt", b"prova")})
    sent(member, f"{case}/refer", addressee="Procura Federale", referral="si proceda")
    for language in LANGUAGES:
        page = member.get(f"/{language}{case[3:]}/referral")
        assert not faults_of(page.text)
        for text in ("Procura Federale", "si proceda", "Torre01, Tea", "5.18, 13.4"):
            assert text in page.text
    assert re.search("[0-9a-f]{64}", page.text)
    archive = f"{case}/referral/evidence"
    assert archive in member.get(f"{case}/referral").text
    for path in (f"{case}/referral", archive):
        assert logged_in(Role.ARBITER).get(path).status_code == 403
    with zipfile.ZipFile(io.BytesIO(member.get(archive).content)) as files:
        assert files.read("001-a.txt") == b"prova"
        assert files.read("SHA256SUMS").decode() == f"{sha256(b'prova').hexdigest()}  001-a.txt\n"
    sent(member, f"{CASES}/new", event=EVENT, entry="1", origin="own", subject="senza rinvio")
    assert member.get(f"{CASES}/2/referral/evidence").status_code == 404


def test_13_4_repeated_breaches_stand_in_the_next_case_for_members_alone(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    played(office)
    first, second = logged_in(Role.COMMITTEE), second_member(app, office, logged_in)
    player = logged_in(Role.PLAYER)
    case = heard(first, player)
    assert "Earlier breaches" not in first.get(case).text
    form = {"outcome": "breach", "reasons": "provato", "c_scope": "", "d_scope": "", "e": "1"}
    page = plain(sent(first, f"{case}/propose", **form).partition("<main")[2])
    assert "The event belongs to no championship" in page, "13.5e reaches nothing here, and says so"
    sent(first, f"{CASES}/new", event=EVENT, entry="1", origin="own", subject="di nuovo")
    assert "Earlier breaches" not in first.get(f"{CASES}/2").text, "nothing is decided yet"
    sent(second, f"{case}/vote", proposal="1", vote="yes")
    page = first.get(f"{CASES}/2").text.partition('id="case-earlier"')[2]
    assert "Case 1" in page
    assert "13.5e" in page
    sent(first, f"{CASES}/2/refer", addressee="Procura Federale", referral="si proceda")
    assert "Case 1" in first.get(f"{CASES}/2/referral").text
    sent(first, f"{CASES}/2/hearing", until=moment(days=1), question="E ora?")
    for other in (player, logged_in(Role.ARBITER)):
        assert "Earlier breaches" not in other.get(f"{CASES}/2").text
    sent(first, f"{CASES}/new", event=EVENT, entry="2", origin="own", subject="un altro")
    assert "Earlier breaches" not in first.get(f"{CASES}/3").text


def test_13_2_a_measure_reaches_arbiters_and_where_it_is_a_rule_everybody(
    office: Office, logged_in: LogIn
) -> None:
    played(office, is_closed=False)
    member = logged_in(Role.COMMITTEE)
    sent(member, "/en/committee/measures", event=EVENT, kind="suggested", text="occhio al 2")
    sent(
        member, "/en/committee/measures", event=EVENT, kind="ordered", text="due webcam", public="1"
    )
    arbiter = logged_in(Role.ARBITER).get(f"/en/hall/{EVENT}").text
    assert "occhio al 2" in arbiter
    assert "due webcam" in arbiter
    for path in (f"/en/hall/{EVENT}", f"/en/hall/{EVENT}/announcement"):
        assert "occhio al 2" not in logged_in(Role.PLAYER).get(path).text
    assert "due webcam" in logged_in(Role.PUBLIC).get(f"/en/hall/{EVENT}/announcement").text
    refused = posted(
        logged_in(Role.ARBITER), "/en/committee/measures", {"event": EVENT, "text": "no"}
    )
    assert refused.status_code == 403


def test_12_2_an_alarm_is_dismissed_or_becomes_a_case_with_the_report_as_evidence(
    office: Office, logged_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = played(office)
    enter(office, event)
    base = baseline_of(event)
    monkeypatch.setattr(hall_screen, "baseline_to_use", lambda _: base)
    monkeypatch.setattr("arrocco.fairplay.screen.MIN_DECISIONS", 1)
    monkeypatch.setattr("arrocco.fairplay.screen.LEVEL", 0.999)
    chief, member = logged_in(Role.ARBITER), logged_in(Role.COMMITTEE)
    page = chief.get(f"/en/hall/{EVENT}/screen").text
    entries = re.findall(r'name="entry" value="(\d+)"', page)
    assert entries, "somebody stands out in this invented event"
    entry = entries[0]
    assert "Open a case" not in page.partition("<main")[2], "that is for members"
    dismiss = f"/en/hall/{EVENT}/screen/dismiss"
    assert posted(chief, dismiss, {"entry": entry, "reason": " "}).status_code == 409
    stranger = posted(logged_in(Role.PLAYER), dismiss, {"entry": entry, "reason": "x"})
    assert stranger.status_code == 404
    page = sent(chief, dismiss, entry=entry, reason="linee note")
    assert "linee note" in page
    assert f'name="entry" value="{entry}"' not in page
    page = sent(member, f"/en/hall/{EVENT}/screen/case", entry=entry, subject="da guardare")
    assert "an alarm" in page
    assert f"{EVENT}-screen.json" in page
    report = member.get(f"/en/hall/{EVENT}/screen/report").content
    assert member.get(f"{CASES}/1/evidence/1").content == report


def test_the_list_of_cases_is_for_members(office: Office, logged_in: LogIn) -> None:
    played(office)
    member = logged_in(Role.COMMITTEE)
    for language in LANGUAGES:
        assert not faults_of(member.get(f"/{language}/committee/cases").text)
        new = member.get(f"/{language}/committee/cases/new?event={EVENT}")
        assert not faults_of(new.text)
    assert "There are no cases." in member.get(CASES).text
    opened(member)
    assert "Torre01, Tea" in member.get(CASES).text
    assert "UTC" not in member.get(CASES).text.partition("<main")[2], "as the case itself has it"
    links = (f"/hall/{EVENT}/screen", f"/committee/cases/new?event={EVENT}")
    event = member.get(f"/en/hall/{EVENT}").text
    assert all(link in event for link in links), "a member comes from the event too"
    for role in (Role.ARBITER, Role.PLAYER, Role.FEDERATION_OFFICER, Role.PUBLIC):
        assert links[1] not in logged_in(role).get(f"/en/hall/{EVENT}").text
    for role in (Role.ARBITER, Role.PLAYER, Role.SYSTEM_ADMINISTRATOR):
        assert logged_in(role).get(CASES).status_code == 403


def test_a_member_finds_no_case_of_an_event_in_which_they_take_part_or_that_they_left(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    """Who is suspected learns of it when asked, also as a member of the committee."""
    first, second = logged_in(Role.COMMITTEE), second_member(app, office, logged_in)
    session = str(second.cookies[app.state.cookies.session])
    own = office.accounts.asker_of(session).account
    PlayedEvent(office, chief=number_of(office, Role.ARBITER), accounts=(str(own),))
    case = opened(first)
    assert case in first.get(CASES).text
    listed = second.get(CASES).text.partition("<main")[2]
    assert case not in listed
    assert "gioco sospetto" not in listed
    assert "There are no cases." in listed
    assert second.get(case).status_code == 404
    sent(first, f"{case}/recuse", conflict="conosco il giocatore")
    assert case not in first.get(CASES).text


def test_13_1_13_3_a_case_is_in_the_inbox_of_whom_it_waits_for(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    played(office)
    first, second = logged_in(Role.COMMITTEE), second_member(app, office, logged_in)
    chief, player = logged_in(Role.ARBITER), logged_in(Role.PLAYER)
    others = [logged_in(role) for role in (Role.SYSTEM_ADMINISTRATOR, Role.FEDERATION_OFFICER)]

    def waiting() -> list[str]:
        """For member, member, chief arbiter, player: what their inboxes have of cases."""
        words = ("Cases to decide", "Case to sign in", "Your statement in")
        for other in others:
            assert not any(word in plain(other.get("/en/desk").text) for word in words)
        pages = [
            plain(client.get("/en/desk").text.partition("<main")[2])
            for client in (first, second, chief, player)
        ]
        return ["".join(word[0] for word in words[1:] if word in page) for page in pages]

    def to_decide(client: Client) -> bool:
        lines = client.get("/en/desk").text.partition("<main")[2]
        return "Cases to decide" in plain(lines)

    assert waiting() == ["", "", "", ""]
    case = opened(first)
    assert [to_decide(one) for one in (first, second, chief, player)] == [True, True, False, False]
    assert waiting() == ["", "", "", ""]
    sent(first, f"{case}/hearing", until=moment(days=1), question="Che cosa dici?")
    assert waiting() == ["", "", "", "Y"]
    sent(player, f"{case}/statement", statement="Ho giocato da sola.")
    assert waiting() == ["", "", "", ""]
    sent(
        first,
        f"{case}/propose",
        outcome="breach",
        reasons="provato",
        losses_rounds="1",
        losses_opponents="keep",
        d_scope="",
        c_scope="",
        b_points="",
    )
    sent(second, f"{case}/vote", proposal="1", vote="yes")
    assert waiting() == ["", "", "C", ""]
    assert not to_decide(first)
    assert case.removeprefix("/en") in chief.get("/en/desk").text
    sent(chief, f"{case}/sign", proposal="1", agrees="yes")
    assert waiting() == ["", "", "", ""]
    assert not any(to_decide(one) for one in (first, second, chief, player))


def rated(app: Litestar, office: Office, logged_in: LogIn, folder: Path) -> PlayedEvent:
    """The event as the office has accepted its report."""
    event = played(office)
    event.validate()
    askers = {
        role: office.accounts.asker_of(str(logged_in(role).cookies[app.state.cookies.session]))
        for role in (Role.ARBITER, Role.RATING_ADMINISTRATOR)
    }
    boss = askers[Role.RATING_ADMINISTRATOR]
    opening = folder / "opening.csv"
    rows = [f'{99000100 + n},"Torre{n:02d}, Tea",ITA,F,1990,,1500,,40,\n' for n in range(1, 5)]
    opening.write_text(HEADING + "".join(rows), "utf-8")
    office.lists.import_list(boss, "rio-blitz", date(2026, 5, 1), opening)
    games = [game.state for game in event.games.values()]
    sent_report = hand_over(office, askers[Role.ARBITER], event.state, games)
    warned = {
        index: "it was so"
        for index, finding in enumerate(sent_report.findings)
        if finding.severity == "warning"
    }
    if warned:
        office.reports.answer(askers[Role.ARBITER], sent_report.id, warned)
    office.reports.accept(boss, sent_report.id)
    return event


def test_12_13_the_office_reads_the_decision_not_the_evidence_and_enters_the_correction(
    app: Litestar, office: Office, logged_in: LogIn, tmp_path: Path
) -> None:
    rated(app, office, logged_in, tmp_path)
    first, second = logged_in(Role.COMMITTEE), second_member(app, office, logged_in)
    case = heard(first, logged_in(Role.PLAYER))
    posted(first, f"{case}/evidence", {}, files={"file": ("segreto.txt", b"prova")})
    path = case.replace("committee/cases", "desk/case-ratings")
    boss = logged_in(Role.RATING_ADMINISTRATOR)
    assert boss.get(path).status_code == 404, "nothing is decided"
    sent(
        first,
        f"{case}/propose",
        outcome="breach",
        reasons="provato dal registro",
        b_round="1",
        b_points="0,0",
        c_scope="",
        d_scope="",
    )
    assert "waits for the rating office" in sent(second, f"{case}/vote", proposal="1", vote="yes")
    assert path.removeprefix("/en") in boss.get("/en/desk").text
    for language in LANGUAGES:
        shown = boss.get(f"/{language}{path[3:]}").text
        assert not faults_of(shown)
        assert "provato dal registro" in shown
        assert "13.5b" in shown
        for secret in ("segreto.txt", "Ho giocato da sola", "gioco sospetto", "Mina Maestra"):
            assert secret not in shown
    for role in Role:
        if role not in (Role.RATING_ADMINISTRATOR, Role.PUBLIC):
            client = logged_in(role)
            allowed = role in GRANTS[Permission.CORRECT]
            assert (client.get(path).status_code == 200) is allowed, role
            answer = posted(client, path, {"reason": "x", "previewed": "x"})
            assert answer.status_code in ((200, 303) if allowed else (403,)), role
    answer = posted(boss, path, {"reason": "forged", "previewed": "0" * 16})
    assert answer.status_code == 200, "it is shown again instead"
    previewed = re.search('name="previewed" value="([0-9a-f]+)"', boss.get(path).text)
    assert previewed is not None
    assert posted(boss, path, {"reason": " ", "previewed": previewed[1]}).status_code == 422
    page = sent(boss, path, reason="Caso 1 (13.5b)", previewed=previewed[1])
    assert "in the ledger" in page
    assert path.removeprefix("/en") not in boss.get("/en/desk").text
    assert "From case 1" in boss.get("/en/desk/corrections/1").text
    for client in (first, logged_in(Role.ARBITER), logged_in(Role.PLAYER)):
        assert "corrected by the rating office" in client.get(case).text
    assert posted(boss, path, {"reason": "again", "previewed": previewed[1]}).status_code == 200
    with office.desk.database.reading() as connection:
        assert len([*ledger.of_kind(connection, Correction)]) == 1
