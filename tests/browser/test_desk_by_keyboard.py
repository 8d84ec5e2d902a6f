"""The desk's other jobs without a pointer: registering, amending, correcting, merging, inviting.

One server answers for all of them; each has an office of its own behind it.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arrocco.desk import Office
from arrocco.laws.systems import SYSTEMS
from arrocco.office.claims import ClaimState
from arrocco.office.records import TournamentStatus
from arrocco.office.roles import Role
from arrocco.office.settings import SignUp
from arrocco.words import Language
from tests.browser import axe
from tests.browser.conftest import BUILT, NewTab, Served, keep
from tests.browser.keyboard import choose, choose_file, press, send, tab_to, tick, type_day, type_in
from tests.browser.test_office_stories import (
    address,
    at_work,
    clock,
    made_app,
    served,
    work,
    worked,
)
from tests.desk.offices import player_id, write_opening
from tests.desk.test_claims import signed_up
from tests.web.desk_office import JULY, NOW, OPEN, RATED, RATED_REPORT, people_in

__all__ = ["address", "clock", "made_app", "served", "work", "worked"]

pytestmark = pytest.mark.skipif(
    not (BUILT / "site.js").exists(), reason="NOT BUILT: run `npm run build`"
)
WHOLE_BROWSER = True  # without windows a chooser of files does not always open by a key


def opened(new_tab: NewTab, served: Served, work: Office, role: Role, where: str) -> Page:
    """A page of somebody with a role, where a job begins."""
    page = new_tab(where[1:3], width=1280)
    at_work(page, served, work, role)
    page.goto(where)
    return page


def done(page: Page) -> None:
    expect(page.locator(".notice.done").first).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("language", ["it"])
def test_a_tournament_is_registered(
    new_tab: NewTab, served: Served, work: Office, language: Language
) -> None:
    page = opened(new_tab, served, work, Role.ARBITER, f"/{language}/desk")
    send(page, f"main a[href='/{language}/desk/tournaments/new']")
    type_in(page, "#name", "Open d'Autunno di Finta")
    type_in(page, "#city", "Finta Terme")
    type_in(page, "#federation", "ITA")
    type_in(page, "#time_control", "90 min + 30 sec/move")
    tick(page, "input[name=systems][value=fide]")
    type_day(page, "#start", date(2025, 9, 1))
    type_day(page, "#end", date(2025, 9, 9))
    type_in(page, "#rounds", "9")
    send(page, "button[value=rows]")
    assert page.locator("input[name=day_9]").input_value() == "2025-09-09"
    send(page, "button[value=assess]")
    expect(page.locator(".panel")).to_contain_text("0.2.2")
    send(page, ".panel button[value=register]")
    expect(page.locator("h1")).to_have_text("Open d'Autunno di Finta")
    assert work.tournaments.mine(people_in(work).arbiter)[0] == 4


@pytest.mark.parametrize("language", ["en"])
def test_a_registration_is_amended_and_withdrawn(
    new_tab: NewTab, served: Served, work: Office, language: Language
) -> None:
    where = f"/{language}/desk/tournaments/{OPEN}"
    page = opened(new_tab, served, work, Role.ARBITER, where)
    send(page, f"main a[href='{where}/amend']")
    type_in(page, "#city", "Finta Bassa")
    type_in(page, "#top_rating", "2210")
    send(page, "button[value=assess]")
    type_in(page, "#reason", "The hall is another one.")
    send(page, "button[value=amend]")
    expect(page.locator("#amendments")).to_be_visible()
    found = work.tournaments.get(people_in(work).arbiter, OPEN)
    assert found.registration.city == "Finta Bassa"
    press(page, f"details:has(form[action='{where}/cancel']) > summary")
    type_in(page, "#cancel_reason", "Nobody entered.")
    send(page, f"form[action='{where}/cancel'] button")
    expect(page.locator("main")).to_contain_text("Nobody entered.")
    assert work.tournaments.get(people_in(work).arbiter, OPEN).status == "cancelled"


@pytest.mark.parametrize("language", ["it"])
def test_a_result_is_corrected(
    new_tab: NewTab, served: Served, work: Office, language: Language
) -> None:
    where = f"/{language}/desk/corrections"
    page = opened(new_tab, served, work, Role.RATING_ADMINISTRATOR, where)
    send(page, "main tbody a")
    send(page, "section[aria-labelledby=games] tbody tr:first-child a[href*='fix=']")
    assert page.locator("#round_0").input_value() == "1"
    was = page.locator("section[aria-labelledby=games] tbody tr:first-child td").first.inner_text()
    choose(page, "#result_0", "0-1" if was.startswith("1") else "1-0")
    send(page, "button[value=preview]")
    expect(page.locator(".panel tbody tr")).to_have_count(2)
    type_in(page, "#reason", "Il formulario dice altro")
    send(page, "button[value=enter]")
    done(page)
    boss = people_in(work).administrator
    assert len(work.corrections.of_report(boss, RATED_REPORT)) == 1


@pytest.mark.parametrize("language", ["en"])
def test_a_record_is_changed_and_two_numbers_merged(
    new_tab: NewTab, served: Served, work: Office, language: Language
) -> None:
    where = f"/{language}/desk/people"
    page = opened(new_tab, served, work, Role.FEDERATION_OFFICER, where)
    type_in(page, "#q", "alta")
    send(page, ".filters button")
    send(page, "main tbody a")
    type_in(page, "#title", "FM")
    type_in(page, "#reason", "The title was conferred")
    send(page, "main form[method=post] button.primary")
    done(page)
    page.goto(where)
    send(page, f"main a[href='{where}/merge']")
    type_in(page, "#see-kept", str(player_id(3)))
    type_in(page, "#see-left", str(player_id(9)))
    send(page, ".filters button")
    type_in(page, "#merge_reason", "The same person")
    send(page, f"form[action='{where}/merge'][method=post] button")
    expect(page.locator(".notice.done")).to_contain_text(str(player_id(9)))
    assert work.people.kept_number(player_id(9)) == player_id(3)


@pytest.mark.parametrize("language", ["it"])
def test_people_are_invited_one_by_one_by_file_and_by_link(
    new_tab: NewTab, served: Served, work: Office, language: Language
) -> None:
    page = opened(new_tab, served, work, Role.HEAD_OF_OFFICE, f"/{language}/accounts")
    type_in(page, "#email", "nuova@example.org")
    choose(page, "#role", "player")
    type_in(page, "#player", str(player_id(2)))
    send(page, f"form[action='/{language}/accounts/invite'] button")
    expect(page.locator("code.copy")).to_contain_text("/invitation?token=")
    send(page, f"main a[href='/{language}/accounts/many']")
    lines = f"email,role,player\nuno@example.org,arbiter,\ndue@example.org,player,{player_id(4)}\n"
    file = {"name": "people.csv", "mimeType": "text/csv", "buffer": lines.encode()}
    choose_file(page, "#file").set_files(file)  # type: ignore[arg-type]
    send(page, f"form[action='/{language}/accounts/many'] button")
    expect(page.locator("main table").first.locator("tbody tr")).to_have_count(2)
    head = people_in(work).root
    waiting = {one.email for one in work.accounts.waiting(head)}
    assert waiting == {"nuova@example.org", "uno@example.org", "due@example.org"}
    choose(page, "#role", "arbiter")
    type_in(page, "#cap", "5")
    type_in(page, "#days", "7")
    send(page, f"form[action='/{language}/accounts/links'] button")
    expect(page.locator("code.copy")).to_contain_text("/join?token=")


@pytest.mark.parametrize("language", ["en"])
def test_the_office_is_set_up(
    new_tab: NewTab, served: Served, work: Office, language: Language
) -> None:
    page = opened(new_tab, served, work, Role.HEAD_OF_OFFICE, f"/{language}/settings")
    type_in(page, "#name_en", "Chess Federation of Rocca")
    send(page, f"form[action='/{language}/settings/identity'] button")
    done(page)
    choose(page, "#sign_up", "link")
    tab_to(page, "input[name=second_factor]")
    page.keyboard.press("Space")
    send(page, f"form[action='/{language}/settings/coming-in'] button")
    done(page)
    settings = work.settings.get()
    assert settings.name_en == "Chess Federation of Rocca"
    assert settings.sign_up is SignUp.LINK
    assert len(settings.second_factor) == 1


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("it", 390)])
def test_7_2_1_a_reading_is_chosen(
    new_tab: NewTab, served: Served, work: Office, language: Language, width: int
) -> None:
    page = new_tab(language, width=width)
    at_work(page, served, work, Role.HEAD_OF_OFFICE)
    page.goto(f"/{language}/settings")
    press(page, f"a[href='/{language}/settings/readings']")
    expect(page.locator("#way")).to_be_visible()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    choose(page, "#way", "fide:reentry:keeps_games")
    type_day(page, "#from_list", JULY)
    type_in(page, "#reason", "delibera finta 3")
    send(page, f"form[action='/{language}/settings/readings'] button")
    done(page)
    axe.check(page, "/settings/readings")
    keep(page, language, f"readings-{width}")
    assert work.readings.for_list("fide", JULY) == {"reentry": "keeps_games"}
    edition = SYSTEMS["fide"].edition_on(NOW).edition
    page.goto(f"/{language}/law/fide/{edition}#art-7.2.1")
    expect(page.locator("#art-7\\.2\\.1")).to_contain_text("delibera finta 3")


@pytest.mark.parametrize("language", ["it"])
def test_claims_of_numbers_are_decided(
    new_tab: NewTab, served: Served, work: Office, language: Language
) -> None:
    work.settings.change(people_in(work).root, sign_up=SignUp.OPEN)
    owner = signed_up(work, "nuova@example.org", "Nuova Finta")
    other = signed_up(work, "altra@example.org", "Altra Finta")
    taken, wrong = work.claims.ask(owner, player_id(2)), work.claims.ask(other, player_id(3))
    where = f"/{language}/desk/claims"
    page = opened(new_tab, served, work, Role.FEDERATION_OFFICER, f"/{language}/desk")
    send(page, f"main .cards a[href='{where}']")
    send(page, f"form[action='{where}/{taken}/accept'] button")
    done(page)
    assert work.accounts.me(owner).player == player_id(2)
    press(page, f"details:has(form[action='{where}/{wrong}/refuse']) > summary")
    type_in(page, f"#reason-{wrong}", "La data di nascita non torna")
    send(page, f"form[action='{where}/{wrong}/refuse'] button")
    done(page)
    (decided,) = work.claims.own(other)
    assert (decided.state, decided.reason) == (ClaimState.REFUSED, "La data di nascita non torna")


@pytest.mark.parametrize("language", ["en"])
def test_a_list_is_imported(
    new_tab: NewTab, served: Served, work: Office, tmp_path: Path, language: Language
) -> None:
    where = f"/{language}/desk/lists"
    page = opened(new_tab, served, work, Role.RATING_ADMINISTRATOR, where)
    send(page, f"main a[href='{where}/import']")
    choose(page, "#system", "fide-rapid")
    type_day(page, "#list_date", date(2025, 6, 1))
    choose_file(page, "#file").set_files(write_opening(tmp_path / "list.csv"))
    press(page, f"form[action='{where}/import'] button")
    done(page)
    latest = work.lists.latest("fide-rapid")
    assert latest is not None
    assert latest.list_date == date(2025, 6, 1)


@pytest.mark.parametrize("language", ["it"])
def test_a_published_tournament_is_annulled(
    new_tab: NewTab, served: Served, work: Office, language: Language
) -> None:
    where = f"/{language}/desk/tournaments/{RATED}"
    page = opened(new_tab, served, work, Role.RATING_ADMINISTRATOR, where)
    send(page, f"main a[href='{where}/annul']")
    expect(page.locator(".panel tbody tr")).to_have_count(8)
    type_in(page, "#reason", "Il torneo non è mai stato giocato")
    send(page, f"form[action='{where}/annul'] button")
    done(page)
    found = work.tournaments.get(people_in(work).administrator, RATED)
    assert found.status is TournamentStatus.REFUSED
