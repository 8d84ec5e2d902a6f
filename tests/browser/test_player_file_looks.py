"""12.2, 5.17 — the pages of a player's file in a browser: desk, phone and paper, both languages."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, expect

from arrocco.desk import Office
from arrocco.fairplay.engine import Analyser, NoEngine, find_engine
from arrocco.live.opening import log_reader
from arrocco.store.sql import accounts
from arrocco.watch.settings import BASELINE, ENGINE, FILE_NODES, NODES, watch_settings_from
from arrocco.watch.watch import Watch
from arrocco.words import LANGUAGES, say
from tests.browser import axe
from tests.browser.conftest import NewTab, keep
from tests.browser.hall_stage import Signed, hall_office, served, signed
from tests.watch.played import EVENT, PlayedEvent
from tests.watch.test_event_screen import baseline_of

__all__ = ["hall_office", "served", "signed"]

PLAYER = f"/hall/{EVENT}/screen/players/1"
PHONE = 390


@pytest.fixture
def event(hall_office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedEvent:
    """An event of the player White, who has a past."""
    try:
        monkeypatch.setenv(ENGINE, find_engine())
    except NoEngine:
        pytest.skip("NO STOCKFISH: install Debian's package `stockfish`")
    monkeypatch.setenv(NODES, "1000")
    monkeypatch.setenv(FILE_NODES, "2000")
    chief, own = number_of(hall_office, "arbiter"), number_of(hall_office, "white")
    day = date(2026, 5, 2)
    PlayedEvent(hall_office, event="prima", day=day, rounds=1, accounts=(own,), chief=chief)
    played = PlayedEvent(hall_office, rounds=3, accounts=(own,), chief=chief)
    with Analyser(1000) as analyser:
        made = baseline_of(played, analyser.setting).baseline
    file = tmp_path / "baseline.json"
    file.write_bytes(msgspec.json.encode(made))
    monkeypatch.setenv(BASELINE, str(file))
    return played


def number_of(office: Office, who: str) -> str:
    with office.desk.database.reading() as connection:
        account = accounts.by_email(connection, f"{who}@example.org")
    assert account is not None
    return str(account.id)


def analyse(office: Office) -> None:
    database = office.desk.database
    with closing(log_reader(office.folder, database)) as logs:
        Watch(database, logs, watch_settings_from(), office.desk.now).run_until_empty()


def looks(page: Page, path: str, name: str) -> None:
    """Opens a page: nothing is wider than it, and bars are as tall as they are drawn."""
    language = "it" if "/it/" in path else "en"
    page.goto(path)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, (path, wide)
    bars = page.evaluate(
        "[...document.querySelectorAll('svg rect.bar')]"
        ".map((bar) => [bar.getBBox().height, Number(bar.getAttribute('height'))])"
    )
    assert bars or "games" not in path
    assert all(shown == drawn for shown, drawn in bars), path
    keep(page, language, name)
    page.emulate_media(media="print")
    for unwanted in page.locator("main .button, main button, .head, .on-screen").all():
        expect(unwanted).to_be_hidden()
    keep(page, language, f"{name}-print")
    page.emulate_media(media="screen")


def test_the_file_of_a_player_from_asking_to_paper(
    event: PlayedEvent, hall_office: Office, new_tab: NewTab, signed: Signed
) -> None:
    chief = new_tab("en")
    signed(chief, "arbiter")
    chief.goto(f"/en{PLAYER}")
    axe.check(chief, "/hall/{event:str}/screen/players/{entry:int}")
    chief.get_by_role("button", name=say("en", "watch.file.ask")).click()
    chief.wait_for_load_state()
    expect(chief.locator("progress")).to_be_visible()
    analyse(hall_office)
    here = f"{PLAYER}/files/1"
    own = number_of(hall_office, "white")
    games = [name for name, game in event.games.items() if game.state.side_of(own)]
    for language in LANGUAGES:
        width = PHONE if language == "it" else 1200
        page = new_tab(language, width=width)
        signed(page, "arbiter")
        looks(page, f"/{language}/hall/{EVENT}/screen", "fair-play-screen")
        page.locator("figure details > summary").first.click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        axe.check(page, "/hall/{event:str}/screen")
        looks(page, f"/{language}{here}", "player-file")
        axe.check(page, "/hall/{event:str}/screen/players/{entry:int}/files/{file:int}")
        assert page.locator("main figure svg[role=img]").count() == 3 + len(games)
        for key in ("watch.file.beside", "watch.screen.times", "watch.file.numbers"):
            expect(page.get_by_role("heading", name=say(language, key))).to_be_visible()
        looks(page, f"/{language}{here}/games/{games[0]}", "player-file-game")
        page.locator("[data-step=forward]").click()
        expect(page.locator(".san[data-ply='1']")).to_have_attribute("aria-current", "true")
    player = new_tab("it")
    signed(player, "white")
    for path in (f"/hall/{EVENT}/screen", PLAYER, here, f"{here}/games/{games[0]}"):
        answer = player.goto(f"/it{path}")
        assert answer is not None
        assert answer.status == 404, path
        expect(player.locator("main")).not_to_contain_text("Torre01")
