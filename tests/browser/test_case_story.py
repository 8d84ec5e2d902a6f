"""13, 12.13 — a case by clicks, from an alarm to the correction of a published list."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from playwright.sync_api import Page, expect

from arrocco.desk import Office, passwords
from arrocco.laws.systems import system_named
from arrocco.office.roles import Asker
from arrocco.store.sql import accounts
from arrocco.web.pages import hall_screen
from arrocco.web.pages.hall_common import ZONE
from tests.browser import axe
from tests.browser.conftest import NewTab, keep
from tests.browser.hall_stage import Signed, served, signed
from tests.desk.decided_cases import SYSTEM, DecidedCases
from tests.desk.offices import Clock, people_of
from tests.watch.played import EVENT
from tests.watch.test_event_screen import baseline_of, enter

__all__ = ["served", "signed"]

CULPRIT = 99000101
WORDS = {
    "en": (
        "an alarm",
        "waits for the chief arbiter",
        "a correction waits for the rating office",
        "corrected by the rating office",
    ),
    "it": (
        "un allarme",
        "attende l'arbitro principale",
        "una correzione attende l'ufficio dei rating",
        "corretto dall'ufficio dei rating",
    ),
}


@pytest.fixture
def hall_office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    """An office whose list has an event of the hall; the screen of it is eager to alarm."""
    folder, clock = tmp_path / "office", Clock()
    weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    with monkeypatch.context() as quick, closing(Office.open(folder, now=clock)) as early:
        quick.setattr(os, "fsync", lambda _: None)
        quick.setattr(passwords, "_HASHER", weak)
        story = DecidedCases(early, people_of(early), clock, tmp_path)
        story.accepted()
        enter(early, story.played)
        story.publish()
        base = baseline_of(story.played)
    monkeypatch.setattr(hall_screen, "baseline_to_use", lambda _: base)
    monkeypatch.setattr("arrocco.fairplay.screen.MIN_DECISIONS", 1)
    monkeypatch.setattr("arrocco.fairplay.screen.LEVEL", 0.999)
    with closing(Office.open(folder)) as office:
        yield office


def sends(page: Page, action: str) -> None:
    """Sends the form of an act, and waits for the page after it."""
    page.locator(f"form[action$='{action}'] button").first.click()
    page.wait_for_load_state()
    expect(page.locator(".notice.done")).to_be_visible()


def looks(page: Page, language: str) -> None:
    """A case without faults of accessibility; the Italian page, on a phone, stands for both."""
    if language == "it":
        axe.check(page, "/committee/cases/{case:int}")


def unfolds(page: Page, action: str) -> None:
    """Opens the box that a form is in."""
    page.locator(f"details:has(form[action$='{action}']) > summary").first.click()


def statuses(new_tab: NewTab, signed: Signed, language: str, *paths: str) -> dict[str, list[int]]:
    """What each role is answered at each path."""
    answers = {}
    for who in ("alfa", "arbiter", "player", "rating_administrator", "federation_officer", "root"):
        page = new_tab(language)
        signed(page, who)
        answers[who] = [
            page.request.get(f"/{language}{path}", max_redirects=0).status for path in paths
        ]
    stranger = new_tab(language)
    answers["public"] = [
        stranger.request.get(f"/{language}{path}", max_redirects=0).status for path in paths
    ]
    return answers


@pytest.mark.parametrize(
    ("language", "width"), [pytest.param("en", 1200, marks=pytest.mark.soak), ("it", 390)]
)
def test_13_12_13_from_an_alarm_to_the_correction_of_the_published_list(
    hall_office: Office, new_tab: NewTab, signed: Signed, language: str, width: int
) -> None:
    alarm, waits, to_correct, corrected = WORDS[language]
    member, second, chief, player, boss = (new_tab(language, width=width) for _ in range(5))
    for page, who in zip(
        (member, second, chief, player, boss),
        ("alfa", "gamma", "arbiter", "player", "rating_administrator"),
        strict=True,
    ):
        signed(page, who)
    base, case = f"/{language}", f"/{language}/committee/cases/1"

    # The alarm becomes a case, with the report of the screen as its first evidence.
    member.goto(f"{base}/hall/{EVENT}/screen")
    form = member.locator("form[action$='/screen/case']:has(input[name=entry][value='1'])")
    member.locator("details", has=form).first.locator("> summary").click()
    form.locator("[name=subject]").fill("First choice in nearly every move: to be looked at.")
    form.locator("button").click()
    member.wait_for_url(re.compile(r"/committee/cases/1$"))
    expect(member.locator("main")).to_contain_text(alarm)
    unfolds(member, "/evidence")
    member.set_input_files(
        "#file", files={"name": "segreto.txt", "mimeType": "text/plain", "buffer": b"x"}
    )
    sends(member, "/evidence")

    # The hearing.
    assert player.request.get(case).status == 404, "who is not asked yet learns nothing"
    unfolds(member, "/hearing")
    until = datetime.now(ZONE) + timedelta(days=2)
    member.fill("#until", until.strftime("%Y-%m-%dT%H:%M"))
    member.fill("#question", "How did you find these moves?")
    sends(member, "/hearing")
    player.goto(f"{base}/desk")
    player.click("main a[href$='/committee/cases/1']")
    player.fill("#statement", "I played alone.")
    sends(player, "/statement")
    expect(player.locator("main")).not_to_contain_text("segreto.txt")

    # Proposed, voted, signed by the chief arbiter: the event takes it.
    member.goto(case)
    unfolds(member, "/propose")
    member.fill("#reasons", "The moves are an engine's, and the statement does not explain them.")
    member.fill("#losses_rounds", "1")
    member.select_option("#d_scope", "tournament")
    keep(member, language, f"case-propose-{width}")
    looks(member, language)
    sends(member, "/propose")
    second.goto(case)
    second.click("form[action$='/vote'] button[value=yes]")
    second.wait_for_load_state()
    expect(second.locator("main")).to_contain_text(waits)
    looks(second, language)
    chief.goto(f"{base}/desk")
    chief.click("main a[href$='/committee/cases/1']")
    looks(chief, language)
    sends(chief, "/sign")
    expect(chief.locator("#case-ratings")).to_contain_text(to_correct)

    # Who may and who may not.
    seen = statuses(
        new_tab,
        signed,
        language,
        "/committee/cases/1",
        "/committee/cases/1/evidence/1",
        "/desk/case-ratings/1",
        f"/hall/{EVENT}/screen",
    )
    assert seen == {
        "alfa": [200, 200, 403, 200],
        "arbiter": [200, 200, 403, 200],
        "player": [200, 404, 403, 404],
        "rating_administrator": [404, 404, 200, 404],
        "federation_officer": [404, 404, 403, 404],
        "root": [404, 404, 403, 404],
        "public": [303, 303, 303, 303],
    }

    # The office: from the inbox, with the impact before it, by a person.
    before = ratings(hall_office)
    boss.goto(f"{base}/desk")
    boss.click("main a[href$='/desk/case-ratings/1']")
    main = boss.locator("main")
    expect(main).to_contain_text("13.3")
    expect(main).to_contain_text("does not explain them")
    for secret in ("segreto.txt", "I played alone", "to be looked at"):
        expect(main).not_to_contain_text(secret)
    rows = boss.locator("section[aria-labelledby=impact] tbody tr")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text(str(CULPRIT))
    assert boss.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if language == "it":
        axe.check(boss, "/desk/case-ratings/{case:int}")
    keep(boss, language, f"case-ratings-{width}")
    sends(boss, "/desk/case-ratings/1")
    keep(boss, language, f"case-ratings-entered-{width}")
    boss.goto(f"{base}/desk")
    expect(boss.locator("main a[href$='/desk/case-ratings/1']")).to_have_count(0)
    boss.goto(f"{base}/desk/corrections/1")
    expect(boss.locator("main a[href$='/desk/case-ratings/1']")).to_be_visible()
    for page in (member, chief, player):
        page.goto(case)
        expect(page.locator("#case-ratings")).to_contain_text(corrected)
        looks(page, language)
    keep(player, language, f"case-player-{width}")

    # The next list has it, everybody reads it, and it follows from the ledger.
    publish(hall_office)
    after = ratings(hall_office)
    assert [number for number in after if after[number] != before[number]] == [CULPRIT]
    assert after[CULPRIT] < before[CULPRIT]
    public = new_tab(language, width=width)
    public.goto(f"{base}/players/{CULPRIT}")
    expect(public.locator("main")).to_contain_text(str(after[CULPRIT]))
    assert [one.findings for one in hall_office.lists.verify_all() if not one.is_good] == []


def ratings(office: Office) -> dict[int, int]:
    latest = office.lists.latest(SYSTEM)
    assert latest is not None
    view = office.lists.view(SYSTEM, latest.list_date)
    players = [view.player(number) for number in range(CULPRIT, CULPRIT + 4)]
    return {player.id: int(player.rating) for player in players if player and player.rating}


def publish(office: Office) -> None:
    latest = office.lists.latest(SYSTEM)
    assert latest is not None
    following = system_named(SYSTEM).edition_on(latest.list_date).next_list(latest.list_date)
    with office.desk.database.reading() as connection:
        account = accounts.by_email(connection, "rating_administrator@example.org")
    assert account is not None
    boss = Asker(account=account.id, name=account.name, role=account.role)
    draft = office.lists.enter_draft(boss, SYSTEM, following)
    office.lists.run_draft(draft)
    office.lists.publish(boss, draft, before_closing=True)
