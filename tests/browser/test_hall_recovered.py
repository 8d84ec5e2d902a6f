"""After a crash of the server the pages say why games stand and who lets them go on (11.6)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from arrocco.desk import Office
from arrocco.store.sql import accounts
from arrocco.words import Language, say
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.hall_stage import Signed, hall_at_work, hall_office, signed
from tests.browser.languages import first_in
from tests.browser.test_hall_wall import large_round
from tests.serving import serving

__all__ = ["hall_office", "signed"]

BOARDS, CALLED = 8, 6
"""On the first boards a player has called the arbiter already."""

pytestmark = pytest.mark.skipif(
    not (BUILT / "hall-wall.js").exists(), reason="NOT BUILT: run `npm ci && npm run build`"
)


@pytest.fixture
def served(hall_office: Office) -> Iterator[Served]:
    """A hall that was stopped with its games under way, and started again."""
    with hall_office.desk.database.reading() as connection:
        account = accounts.by_email(connection, "arbiter@example.org")
    assert account is not None
    with hall_at_work(hall_office) as before:
        before.run(large_round(before.hall, str(account.id), BOARDS))
    with serving(hall_office.folder) as server:
        yield Served(server.address, hall_office.folder)


@first_in("it")
def test_the_wall_and_the_board_say_that_the_server_was_restarted(
    new_tab: NewTab, signed: Signed, language: Language
) -> None:
    page = new_tab(language, width=1280)
    signed(page, "arbiter")
    said = say(language, "hall_pages.js.phase.recovered")
    by_the_arbiter = say(language, "hall_pages.js.phase.paused")
    page.goto(f"/{language}/hall/grande/wall")
    tiles = page.locator(".tile")
    expect(tiles).to_have_count(BOARDS)
    here = say(language, "hall_pages.js.phase.recovered_here")
    expect(tiles.filter(has_text=here)).to_have_count(BOARDS - CALLED)
    expect(tiles.filter(has_text=by_the_arbiter)).to_have_count(0)
    keep(page, language, "hall-wall-recovered")
    tiles.first.click()
    expect(page.locator("[data-part=detail] [data-part=status]")).to_have_text(said)
    keep(page, language, "hall-board-recovered")
