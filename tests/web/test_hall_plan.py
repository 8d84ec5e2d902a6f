"""Schedules, entries by link, file and mail, templates, faces and announcements, over HTTP."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from arrocco.desk import Office, event_invitations
from arrocco.desk.event_invitations import MAX_LINES, read_rows
from arrocco.errors import Malformed
from arrocco.office.roles import Asker, Role
from arrocco.store.sql import mails
from tests.web.conftest import Client, LogIn
from tests.web.html import faults_of
from tests.web.offices import PASSWORD, logged_in_cookie_of
from tests.web.test_hall_pages import announce, app, asked, enter_both, logged_in, plain
from tests.web.visits import posted, token_of

__all__ = ["app", "logged_in"]

ROME = ZoneInfo("Europe/Rome")


def in_hours(hours: float) -> str:
    return f"{datetime.now(ROME) + timedelta(hours=hours):%Y-%m-%dT%H:%M}"


def sent_file(client: Client, event: str, text: str) -> str:
    """Sends a file of players; the page that answers."""
    token = token_of(client, f"{event}/invite")
    files = {"file": ("players.csv", text.encode(), "text/csv")}
    answer = client.post(f"{event}/invite/file", data={"form_token": token}, files=files)
    return str(answer.text)


def with_accounts(office: Office, count: int) -> list[str]:
    """Players with accounts and numbers; their addresses."""
    admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
    emails = []
    for number in range(1, count + 1):
        email = f"c{number}@example.org"
        token = office.accounts.invite(admin, email, Role.PLAYER, "", 99000030 + number)
        office.accounts.accept_invitation(token, f"Nome{number} Cognome{number}", PASSWORD)
        emails.append(email)
    return emails


def test_with_nobody_to_pair_one_is_led_to_entering_players(
    office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    page = arbiter.get(event).text
    assert "nobody can be paired yet" in page
    assert f'class="button primary" href="{event}/invite"' in page
    assert "/ask/pair_round" not in page
    assert "/proposal" not in page
    enter_both(office, arbiter, event)
    page = arbiter.get(event).text
    assert "nobody can be paired yet" not in page
    assert "/ask/pair_round" in page
    assert f"{event}/proposal" in page


def test_a_schedule_is_stated_shown_and_held(office: Office, logged_in: LogIn) -> None:
    arbiter, public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
    event = announce(arbiter, rounds="3")
    for language in ("en", "it"):
        page = arbiter.get(f"/{language}{event[3:]}/schedule")
        assert page.status_code == 200, plain(page.text)
        assert not faults_of(page.text)
    assert public.get(f"{event}/schedule", follow_redirects=False).status_code == 303
    assert logged_in(Role.PLAYER).get(f"{event}/schedule").status_code == 403
    past = posted(arbiter, f"{event}/schedule", {"start_1": in_hours(-2)})
    assert past.status_code == 409
    assert "start of round 1 has passed" in plain(past.text)
    given = {
        "start_1": in_hours(2),
        "start_2": in_hours(3),
        "cap": "2",
        "entries_until": in_hours(1),
        "most_rating": "2200",
        "description": "Bring your own board.",
    }
    assert posted(arbiter, f"{event}/schedule", given).status_code == 303
    seen = public.get(event).text
    assert "Bring your own board." in seen
    assert "Round 1 starts by itself" in seen
    assert "up to 2200" in seen
    seen = asked(arbiter, event, "hold_start", reason="the stream is down")
    assert "the stream is down" in seen
    seen = asked(arbiter, event, "release_start")
    assert "the stream is down" not in seen
    document = public.get(f"{event}/announcement")
    assert not faults_of(document.text)
    assert "Bring your own board." in document.text


def test_5_4_a_file_enters_everybody_or_nobody_and_answers_each_line(
    office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    emails = with_accounts(office, 3)
    wrong = sent_file(arbiter, event, f"number,email\n99000031,{emails[0]}\n99000099,\nx y,\n")
    assert "Nobody was entered" in plain(wrong)
    rows = re.findall(r'<td class="num">(\d+)</td><td class="num">(\d+)</td>', wrong)
    assert rows == [("3", "1"), ("4", "1")]
    assert "Cognome1" not in arbiter.get(event).text
    assert posted(arbiter, f"{event}/schedule", {"cap": "2"}).status_code == 303
    text = f"99000031;{emails[0]}\n;{emails[1]}\n99000033;\n;n@nowhere.org"
    done = sent_file(arbiter, event, text)
    assert not faults_of(done)
    shown = plain(done.partition("<main")[2])
    assert shown.count(" entered ") == 2, shown
    assert "on the waiting list" in shown
    assert "invited by e-mail" in shown
    with office.desk.database.reading() as connection:
        spooled = [one for one in mails.newest(connection) if one.address == "n@nowhere.org"]
    assert [one.kind for one in spooled] == ["event_invitation"]
    again = sent_file(arbiter, event, "99000031\n")
    assert "Nobody was entered" in plain(again)


def test_who_has_the_link_enters_and_types_nothing(office: Office, logged_in: LogIn) -> None:
    arbiter, player, public = (logged_in(r) for r in (Role.ARBITER, Role.PLAYER, Role.PUBLIC))
    event = announce(arbiter)
    email, cookies = with_accounts(office, 1)[0], player.app.state.cookies
    player.cookies.set(cookies.session, logged_in_cookie_of(office, email))
    posted(arbiter, f"{event}/schedule", {"by_invitation": "1"})
    assert "by invitation" in plain(player.get(event).text)
    wrong = posted(arbiter, f"{event}/invite/link", {"until": in_hours(-1), "cap": "5"})
    assert wrong.status_code == 409
    made = posted(arbiter, f"{event}/invite/link", {"until": in_hours(24), "cap": "1"})
    link = re.search(r'<code class="copy">[^<]*?(/en/hall/[^<]+)</code>', made.text)
    assert link is not None, plain(made.text)
    assert "Log in" in public.get(link[1]).text
    page = player.get(link[1])
    assert not faults_of(page.text)
    entered = posted(player, link[1], {})
    assert entered.status_code == 303, plain(entered.text.partition("<main")[2])
    assert "You are entered" in player.get(link[1]).text
    assert "no longer works" in public.get(link[1]).text, "its cap is reached"
    assert "My next board" in player.get(event).text
    number = posted(arbiter, f"{event}/invite/withdraw/1", {})
    assert number.status_code == 303


def test_mails_go_to_addresses_and_wrong_ones_are_told(office: Office, logged_in: LogIn) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    wrong = posted(arbiter, f"{event}/invite/mail", {"emails": "a@example.org\nnobody\n"})
    assert "Line 2" in plain(wrong.text)
    sent = posted(arbiter, f"{event}/invite/mail", {"emails": "a@example.org\nb@example.org"})
    assert sent.status_code == 303
    assert "Invitations sent: 2" in plain(arbiter.get(f"{event}/invite").text)


def test_nobody_fills_the_spool_with_invitations(
    office: Office, logged_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever may organise had 200 mails a request for anybody, until no other mail could go."""
    monkeypatch.setattr(event_invitations, "MAX_MAILS_A_DAY", 3)
    arbiter = logged_in(Role.ARBITER)
    events = [announce(arbiter), announce(arbiter)]
    two = {"emails": "a@example.org\nb@example.org"}
    assert posted(arbiter, f"{events[0]}/invite/mail", two).status_code == 303
    refused = posted(arbiter, f"{events[1]}/invite/mail", two)
    assert refused.status_code == 429
    assert "3 people by mail in a day" in plain(refused.text)
    file = {"file": ("people.csv", b"c@example.org\nd@example.org\n")}
    assert posted(arbiter, f"{events[1]}/invite/file", {}, files=file).status_code == 429
    page = plain(arbiter.get(f"{events[1]}/invite").text)
    assert "Invitations sent" not in page
    assert posted(arbiter, f"{events[1]}/invite/mail", {"emails": "c@example.org"}).is_redirect


def test_a_template_makes_the_same_event_on_other_days(office: Office, logged_in: LogIn) -> None:
    arbiter = logged_in(Role.ARBITER)
    tomorrow = f"{datetime.now(ROME) + timedelta(days=1):%Y-%m-%d}"
    event = announce(arbiter, rounds="3", start=tomorrow, hour="21:00", every="15")
    page = asked(arbiter, event, "save_template", name="Weekly blitz")
    page = arbiter.get("/en/hall/new").text
    assert "Weekly blitz" in page
    page = arbiter.get(f"/en/hall/new?like={event.rpartition('/')[2]}").text
    assert 'value="21:00"' in page
    assert not faults_of(page)
    next_week = f"{datetime.now(ROME) + timedelta(days=8):%Y-%m-%d}"
    made = announce(
        arbiter, rounds="3", start=next_week, hour="21:00", like=event.rpartition("/")[2]
    )
    shown = re.findall(r'<time datetime="([^"]+)"', arbiter.get(made).text)
    assert {one[:16] for one in shown} == {f"{next_week}T21:{m}" for m in ("00", "15", "30")}


def test_three_faces_and_an_announcement_to_all(office: Office, logged_in: LogIn) -> None:
    arbiter, public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    asked(arbiter, event, "announce", text="Ten minutes of break.")
    assert "Ten minutes of break." in public.get(event).text
    assert 'id="desk"' in arbiter.get(event).text
    assert 'id="desk"' not in arbiter.get(f"{event}?as=public").text
    assert 'id="desk"' not in public.get(f"{event}?as=arbiter").text
    for face in ("arbiter", "public"):
        assert not faults_of(arbiter.get(f"{event}?as={face}").text)


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "file_empty"),
        (b"\xff\xfe", "file_not_text"),
        (b"99000001\n" * (MAX_LINES + 1), "file_too_long"),
        (b"x" * 70_000, "file_too_long"),
    ],
)
def test_a_file_that_is_none_is_refused_whole(data: bytes, key: str) -> None:
    with pytest.raises(Malformed) as refused:
        read_rows(data)
    assert refused.value.key == f"hall_plan.{key}"


def test_c043_a_proposal_is_changed_by_hand_and_says_what_that_breaks(
    office: Office, logged_in: LogIn
) -> None:
    arbiter, player = logged_in(Role.ARBITER), logged_in(Role.PLAYER)
    event = announce(arbiter, rounds="2")
    sent_file(arbiter, event, "\n".join(with_accounts(office, 4)))
    assert player.get(f"{event}/proposal").status_code == 404
    page = arbiter.get(f"{event}/proposal")
    # Nobody can press what nothing listens to yet: the script makes the seats ready.
    assert page.text.count('class="seat" disabled') == page.text.count("data-number=")
    assert not faults_of(page.text)
    assert "the pairings that the system gives" in plain(page.text.partition("<main")[2])
    boards = re.search(r'<textarea id="boards"[^>]*>([^<]*)<', page.text)
    assert boards is not None
    (one, other), (third, fourth) = (line.split() for line in boards[1].strip().splitlines())
    changed = {"boards": f"{one} {third}\n{other} {fourth}", "check": "1"}
    checked = posted(arbiter, f"{event}/proposal", changed)
    assert "2 boards differ" in plain(checked.text.partition("<main")[2])
    twice = posted(arbiter, f"{event}/proposal", {"boards": f"{one} {third}", "check": "1"})
    assert 'class="status error"' in twice.text
    assert posted(arbiter, f"{event}/proposal", {"boards": "1 99"}).status_code == 422
    changed.pop("check")
    published = posted(arbiter, f"{event}/proposal", changed | {"reason": "as drawn"})
    assert published.status_code == 303, plain(published.text.partition("<main")[2])
    assert "Round 1" in arbiter.get(event).text
