"""5.17, 12.2 — the screen of an event is for its chief arbiter and the committee alone."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from litestar import Litestar
from msgspec.structs import replace

from arrocco.desk import Office
from arrocco.fairplay.calibration import making
from arrocco.fairplay.screen import METHOD
from arrocco.office.roles import Role
from arrocco.store.sql import accounts
from arrocco.watch.settings import BASELINE
from arrocco.words import LANGUAGES
from tests.watch.played import EVENT, PlayedEvent
from tests.watch.test_event_screen import SETTING, baseline_of, enter
from tests.web.conftest import LogIn
from tests.web.html import faults_of
from tests.web.offices import email_of
from tests.web.test_hall_pages import app, logged_in

__all__ = ["app", "logged_in"]


def number_of(office: Office, role: Role) -> str:
    with office.desk.database.reading() as connection:
        account = accounts.by_email(connection, email_of(role))
    assert account is not None
    return str(account.id)


def played(office: Office, *, is_closed: bool = True) -> PlayedEvent:
    """An event with the arbiter as its chief, the federation's officer as its organiser, and the
    player of the office among its players."""
    return PlayedEvent(
        office,
        chief=number_of(office, Role.ARBITER),
        is_closed=is_closed,
        organiser=number_of(office, Role.FEDERATION_OFFICER),
        accounts=(number_of(office, Role.PLAYER),),
    )


def walk(logged_in: LogIn) -> None:
    """Asks for the screen and its report as everybody."""
    admitted = {Role.ARBITER, Role.COMMITTEE}
    for role in Role:
        client = logged_in(role)
        for path in ("screen", "screen/report"):
            answer = client.get(f"/en/hall/{EVENT}/{path}", follow_redirects=False)
            if role is Role.PUBLIC:
                assert answer.status_code == 303, path
                assert "/log-in?next=" in answer.headers["location"]
            else:
                assert answer.status_code == (200 if role in admitted else 404), (role, path)
            if role not in admitted:
                assert "Torre01" not in answer.text


def test_5_17_nobody_else_sees_the_screen_while_the_tournament_lasts(
    office: Office, logged_in: LogIn
) -> None:
    event = played(office, is_closed=False)
    enter(office, event)
    walk(logged_in)
    for role in (Role.PLAYER, Role.FEDERATION_OFFICER, Role.SYSTEM_ADMINISTRATOR):
        assert f"/hall/{EVENT}/screen" not in logged_in(role).get(f"/en/hall/{EVENT}").text
    assert f"/hall/{EVENT}/screen" in logged_in(Role.ARBITER).get(f"/en/hall/{EVENT}").text


def test_5_17_nor_afterwards_nor_without_a_seat(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    event = played(office)
    enter(office, event)
    walk(logged_in)
    member = logged_in(Role.COMMITTEE)
    assert member.get(f"/en/hall/{EVENT}/screen").status_code == 200
    office.committee.end_term(
        office.accounts.asker_of(
            str(logged_in(Role.SYSTEM_ADMINISTRATOR).cookies[app.state.cookies.session])
        ),
        office.committee.members()[0].member.id,
        "si dimette",
    )
    assert member.get(f"/en/hall/{EVENT}/screen").status_code == 404


def test_12_2_pictures_come_first_and_say_with_what_they_were_made(
    office: Office, logged_in: LogIn
) -> None:
    event = played(office)
    chief = logged_in(Role.ARBITER)
    page = chief.get(f"/en/hall/{EVENT}/screen").text
    assert "This event is not watched." in page
    assert "prizes stay held (12.6)" in page
    assert "<svg" not in page.partition("<main")[2]
    enter(office, event)
    for language in LANGUAGES:
        answer = chief.get(f"/{language}/hall/{EVENT}/screen")
        assert not faults_of(answer.text)
    page = chief.get(f"/en/hall/{EVENT}/screen").text.partition("<main")[2]
    assert page.count('<svg viewBox="0 0 820') == 3
    assert page.index("<svg") < page.index("<table")
    for text in ("Torre01, Tea", "Invented 1", "1,000", "none: nothing is expected", "too few"):
        assert text in page, text
    assert "found at 30 / 50 / 100 %" in page


def test_the_report_names_what_it_was_made_with_and_is_the_same_again(
    office: Office, logged_in: LogIn
) -> None:
    enter(office, played(office))
    chief, member = logged_in(Role.ARBITER), logged_in(Role.COMMITTEE)
    first = chief.get(f"/en/hall/{EVENT}/screen/report")
    assert first.content == member.get(f"/it/hall/{EVENT}/screen/report").content
    assert first.json()["setting"]["engine"] == "Invented 1"
    assert first.json()["method"] == METHOD


def test_12_1_the_page_names_the_helper_that_its_chances_rest_on(
    office: Office, logged_in: LogIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = played(office)
    enter(office, event)
    file = tmp_path / "baseline.json"
    file.write_bytes(msgspec.json.encode(baseline_of(event).baseline))
    monkeypatch.setenv(BASELINE, str(file))
    page = logged_in(Role.ARBITER).get(f"/en/hall/{EVENT}/screen").text
    assert "42 % first choices, 73 % one of three" in page
    assert "the range in which it lies 95 times in 100" in page
    times = page.partition('<h2 id="times">')[2].partition("</section>")[0]
    assert re.search(r'<div class="hint nowrap">expected \d+\.\d</div>', times), (
        "the times of that rating at that pace"
    )
    assert "no games of this pace" not in page


def test_a_baseline_of_another_pace_or_other_nodes_is_told_and_expects_nothing(
    office: Office, logged_in: LogIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = played(office)
    enter(office, event)
    file = tmp_path / "baseline.json"
    monkeypatch.setenv(BASELINE, str(file))
    known = baseline_of(event).baseline
    others = {
        "no games of this pace": replace(known, cells={}, spread={}),
        "another engine or other nodes": replace(known, setting=replace(SETTING, nodes=2)),
    }
    for said, other in others.items():
        file.write_bytes(msgspec.json.encode(other))
        page = logged_in(Role.ARBITER).get(f"/en/hall/{EVENT}/screen").text
        assert said in page
        assert "No figure lies beyond the limit." in page
        assert '<div class="hint nowrap">expected' not in page


def test_12_2_a_calibration_that_is_missing_or_under_way_is_told(
    office: Office, logged_in: LogIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = played(office)
    enter(office, event)
    chief = logged_in(Role.ARBITER)
    file = tmp_path / "baseline.json"

    def page(language: str = "en") -> str:
        answer = chief.get(f"/{language}/hall/{EVENT}/screen")
        assert answer.status_code == 200
        assert not faults_of(answer.text)
        return str(answer.text)

    monkeypatch.delenv(BASELINE, raising=False)
    assert "ARROCCO_BASELINE names no baseline" in page()
    monkeypatch.setenv(BASELINE, str(file))
    assert "The calibration is missing" in page()
    with making(file) as maker:
        maker.tell(3, 10)
        assert "still under way: 3 of 10 games" in page()
        assert "contate 3 partite su 10" in page("it")
    file.write_bytes(msgspec.json.encode(baseline_of(event).baseline))
    assert "alibration" not in page().partition("<main")[2]
