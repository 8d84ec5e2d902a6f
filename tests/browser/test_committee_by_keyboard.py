"""12.3, 13 — recordings and cases without a pointer, each state of a case under axe."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from arrocco.laws.online.fair_play import Seat
from arrocco.office.roles import Asker, Role
from arrocco.web import heavy
from arrocco.web.pages.hall_common import ZONE
from tests.browser import axe
from tests.browser.keyboard import choose, choose_file, press, send, tick, type_day, type_in
from tests.browser.test_axe import PageOf, page_of, public_folder, pytestmark, whole
from tests.browser.whole_office import EVENT, Whole
from tests.formats.trf.samples import swiss
from tests.web.offices import PASSWORD, logged_in_cookie_of

__all__ = ["page_of", "public_folder", "pytestmark", "whole"]

MASTER = "maestra@example.org"
WHOLE_BROWSER = True  # without windows there is no chooser of files to be opened by a key


def test_12_3_a_recording_is_opened_with_a_reason(page_of: PageOf) -> None:
    page = page_of(Role.ARBITER)
    page.goto(f"/en/hall/{EVENT}/recordings")
    axe.check(page, "/hall/{event:str}/recordings")
    type_in(page, "input[name=reason]", "A voice in round 1.")
    send(page, "form[action$='/watch'] button")
    expect(page.locator("video")).to_be_visible()
    axe.check(page, "/hall/{event:str}/recordings/{recording:str}")
    page.goto(f"/en/hall/{EVENT}/recordings")
    expect(page.locator("main ul.plain li")).to_have_count(1)
    axe.check(page, "/hall/{event:str}/recordings")


@pytest.fixture
def second(chromium: Browser, whole: Whole) -> Page:
    """Another member of the committee: a decision has two votes."""
    office, address = whole.office, whole.running.served.address
    admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
    token = office.accounts.invite(admin, MASTER, Role.COMMITTEE)
    office.accounts.accept_invitation(token, "Mina Maestra", PASSWORD)
    session = logged_in_cookie_of(office, MASTER)
    account = office.accounts.asker_of(session).account
    assert account is not None
    office.committee.name_member(admin, account, Seat.MASTER, category="M", resolution="n. 2")
    context: BrowserContext = chromium.new_context(base_url=address)
    context.add_cookies([{"name": "arrocco_session", "value": session, "url": address}])
    axe.prepare(context)
    return context.new_page()


def clean(page: Page) -> None:
    axe.check(page, "/committee/cases/{case:int}")


def test_13_a_case_from_its_opening_to_its_referral(page_of: PageOf, second: Page) -> None:
    first, chief, player = (page_of(r) for r in (Role.COMMITTEE, Role.ARBITER, Role.PLAYER))
    first.goto(f"/it/committee/cases/new?event={EVENT}")
    choose(first, "#entry", "1")
    choose(first, "#origin", "own")
    type_in(first, "#subject", "Gioco sospetto al turno 1.")
    send(first, "main form button.primary")
    case = first.url

    press(first, "details:has(form[action$='/hearing']) > summary")
    until = (datetime.now(ZONE) + timedelta(days=2)).date()
    type_day(first, "#until", until, "09:30")
    type_in(first, "#question", "Che cosa hai visto?")
    send(first, "form[action$='/hearing'] button")
    clean(first)
    player.goto(case)
    type_in(player, "#statement", "Ho giocato da sola.")
    send(player, "form[action$='/statement'] button")
    expect(player.locator("main")).to_contain_text("Ho giocato da sola.")
    clean(player)

    first.goto(case)
    press(first, "details:has(form[action$='/evidence']) > summary")
    file = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"prova"}
    choose_file(first, "#file").set_files(file)  # type: ignore[arg-type]
    send(first, "form[action$='/evidence'] button")
    type_in(first, "#note", "Da confrontare con la registrazione.")
    send(first, "form[action$='/note'] button")
    press(first, "details:has(form[action$='/propose']) > summary")
    choose(first, "#outcome", "breach")
    type_in(first, "#reasons", "Provato dalla registrazione.")
    tick(first, "#a")
    choose(first, "#d_scope", "tournament")
    send(first, "form[action$='/propose'] button")
    expect(first.locator("section[aria-labelledby=case-proposals] article")).to_have_count(1)
    clean(first)

    second.goto(case)
    send(second, "form[action$='/vote'] button[value=yes]")
    clean(second)
    chief.goto(case)
    if chief.locator("form[action$='/sign']").count():
        clean(chief)
        send(chief, "form[action$='/sign'] button")
        clean(chief)
    player.goto(case)
    expect(player.locator("#case-decision")).to_be_visible()
    clean(player)

    second.goto(case)
    press(second, "details:has(form[action$='/refer']) > summary")
    type_in(second, "#addressee", "Giudice sportivo")
    type_in(second, "#referral", "Per quanto di competenza.")
    send(second, "form[action$='/refer'] button")
    clean(second)
    send(second, "a[href$='/referral']")
    axe.check(second, "/committee/cases/{case:int}/referral")


def test_who_waits_for_a_large_file_sees_the_place_in_the_queue(
    page_of: PageOf, whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heavy, "ANSWER_SECONDS", 0.2)
    queue = whole.running.app.state.heavy.public
    blocking = [queue.submit(f"other {n}", time.sleep, 60, deadline=60.0) for n in range(2)]
    page = page_of(Role.PUBLIC)
    page.goto("/it/calculator/side-by-side")
    data = swiss(players=60, rounds=9, seed=1) + b"### " + b"x" * 30_000 + b"\r\n"
    file = {"name": "open.trf", "mimeType": "text/plain", "buffer": data}
    choose_file(page, "#report").set_files(file)  # type: ignore[arg-type]
    send(page, "form[action$='/side-by-side/report'] button")
    page.wait_for_url("**/waiting/*")
    axe.check(page, "/waiting/{ticket:str}")
    for job in blocking:
        job.future.cancel()
