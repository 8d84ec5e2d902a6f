"""12.9 to 12.12 — a complaint and an appeal by clicks: filed, judged at once, decided, read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arrocco.desk import Office
from arrocco.laws.online.fair_play import Seat
from arrocco.office.roles import Asker, Role
from arrocco.store.sql import accounts
from tests.browser import axe
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.hall_stage import Signed, signed
from tests.browser.test_hall_kinds import SLOW, announce, asks, enter, hold_round
from tests.serving import serving
from tests.web.offices import PASSWORD

__all__ = ["signed"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-live.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)
WORDS = {
    "en": ("Nothing was found that keeps it", "upheld", "The fee of 100 euro is returned"),
    "it": ("Nulla impedisce di prenderlo", "accolto", "La tassa di 100 euro è restituita"),
}


@pytest.fixture(scope="module")
def hall_office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """An office with an arbiter, two players and a member of the committee."""
    with closing(Office.open(tmp_path_factory.mktemp("filings") / "office")) as office:
        desk = office.accounts
        desk.accept_invitation(desk.invite_first("admin@example.org"), "Ada Rossi", PASSWORD)
        admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
        people = [
            ("arbiter", Role.ARBITER, "Dora Capo", None),
            ("judge", Role.COMMITTEE, "Gino Esperto", None),
            ("p1", Role.PLAYER, "Bea Abete", 99000011),
            ("p2", Role.PLAYER, "Carlo Betulla", 99000012),
        ]
        for name, role, full, number in people:
            token = desk.invite(admin, f"{name}@example.org", role, "", number)
            desk.accept_invitation(token, full, PASSWORD)
        with office.desk.database.reading() as connection:
            judge = accounts.by_email(connection, "judge@example.org")
        assert judge is not None
        seat = Seat.ANTI_CHEATING_EXPERT
        office.committee.name_member(admin, judge.id, seat, resolution="Delibera finta 2")
        yield office


@pytest.fixture(scope="module")
def served(hall_office: Office) -> Iterator[Served]:
    with serving(hall_office.folder) as server:
        yield Served(server.address, hall_office.folder)


def file(page: Page, event: str, kind: str, receipt: Path | None = None) -> None:
    page.goto(event)
    page.click("a.button[href$='/filings']")
    page.select_option("#kind", kind)
    page.select_option("#round", "1")
    page.select_option("#about", index=2)
    page.check("input[name=grounds][value=conduct]")
    page.fill("#text", "At 15.20 somebody spoke beside board 1; the arbiter heard it too.")
    page.check("#member")
    if receipt is not None:
        page.set_input_files("#receipt", receipt)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_12_9_filed_judged_and_decided_in_both_languages(
    new_tab: NewTab, signed: Signed, tmp_path: Path
) -> None:
    chief = new_tab("en")
    signed(chief, "arbiter")
    english = announce(chief, "Reclami", "swiss", tolerance="0")
    enter(chief, english, 1, 2)
    chief.goto(f"{english}/prizes")
    chief.fill("#table", "General; 200 100\nUnder 16; >=2010; 50")
    chief.click("form[action$='/prizes'] button.primary")
    expect(chief.locator(".notice.done")).to_be_visible(timeout=SLOW)
    hold_round(chief, english)
    receipt = tmp_path / "bonifico.pdf"
    receipt.write_bytes(b"%PDF-1.4 copy")
    for language, width in (("en", 1200), ("it", 390)):
        considered, upheld, returned = WORDS[language]
        event = re.sub("/en/", f"/{language}/", english)
        player, chief, judge = (new_tab(language, width=width) for _ in range(3))
        signed(player, "p1")
        signed(chief, "arbiter")
        signed(judge, "judge")
        for kind, decides in (("complaint", chief), ("appeal", judge)):
            file(player, event, kind, receipt if kind == "appeal" else None)
            keep(player, language, f"filings-file-{width}")
            player.click("form[action$='/filings'] button.primary")
            expect(player.locator("main")).to_contain_text(considered, timeout=SLOW)
            decides.goto(player.url)
            decides.select_option("#outcome", "upheld")
            decides.fill("#reasons", "The recording has a second voice at 15.20.")
            keep(decides, language, f"filings-decide-{width}")
            if language == "it":  # both sizes are looked at, so once is enough
                axe.check(decides, "/hall/{event:str}/filings/{number:int}")
            decides.click("form[action$='/decide'] button.primary")
            expect(decides.locator(".notice.done")).to_be_visible(timeout=SLOW)
            player.reload()
            decision = player.locator("section[aria-labelledby=decision]")
            expect(decision).to_contain_text(upheld)
            expect(decision).to_contain_text("second voice")
            assert player.evaluate("document.documentElement.scrollWidth <= innerWidth")
            keep(player, language, f"filings-{kind}-{width}")
            if language == "it":
                axe.check(player, "/hall/{event:str}/filings/{number:int}")
        expect(player.locator("section[aria-labelledby=fee]")).to_contain_text(returned)
        player.goto(f"{event}/filings")
        keep(player, language, f"filings-list-{width}")
        if language == "it":
            axe.check(player, "/hall/{event:str}/filings")
        for path in ("life", "prizes"):
            chief.goto(f"{event}/{path}")
            assert chief.evaluate("document.documentElement.scrollWidth <= innerWidth")
            keep(chief, language, f"event-{path}-{width}")
    open_case(judge, event.rpartition("/")[2])
    chief.goto(event)
    asks(chief, "close_event")
    chief.goto(f"{event}/prizes")
    expect(chief.locator("main p > .status")).to_be_visible()  # 12.6, a sentence on a telephone
    assert chief.evaluate("document.documentElement.scrollWidth <= innerWidth")


def open_case(judge: Page, event: str) -> None:
    """13 — a member opens a case from a filing; its pages are clean at every size."""
    judge.goto("/it/committee/cases")
    axe.check(judge, "/committee/cases")
    judge.goto(f"/it/hall/{event}/filings/1")
    judge.click("a.button[href*='/committee/cases/new']")
    judge.wait_for_url(re.compile("/committee/cases/new"))
    axe.check(judge, "/committee/cases/new")
    expect(judge.locator("#origin")).to_have_value("filing")
    expect(judge.locator("#reference")).to_have_value("1")
    judge.select_option("#entry", index=1)
    judge.fill("#subject", "Una seconda voce alle 15.20.")
    judge.click("main form button.primary")
    judge.wait_for_url(re.compile(r"/committee/cases/\d+"))
    expect(judge.locator("main")).to_contain_text("Una seconda voce", timeout=SLOW)
    axe.check(judge, "/committee/cases/{case:int}")
    keep(judge, "it", "committee-case")
