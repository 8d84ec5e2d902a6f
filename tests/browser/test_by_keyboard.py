"""A report without a pointer: sent, decided, published."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from arrocco.desk import Office
from arrocco.office.records import ReportStatus
from arrocco.office.roles import Role
from arrocco.words import Language
from tests.browser.conftest import BUILT, NewTab
from tests.browser.desk_served import *  # noqa: F403 - fixtures
from tests.browser.keyboard import choose_file, press, tab_to, type_in
from tests.browser.languages import first_in
from tests.browser.test_desk_jobs import trf
from tests.desk.offices import Clock
from tests.web.desk_office import JULY, OPEN, file_with_warning, people_in
from tests.web.offices import PASSWORD, email_of

pytestmark = pytest.mark.skipif(
    not (BUILT / "site.js").exists(), reason="NOT BUILT: run `npm run build`"
)
WHOLE_BROWSER = True  # without windows a chooser of files does not always open by a key


def log_in(page: Page, language: Language, role: Role) -> None:
    page.goto(f"/{language}/log-in")
    type_in(page, "#email", email_of(role))
    type_in(page, "#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{language}")


@first_in("en")
def test_a_report_is_sent_decided_and_published_by_keyboard(
    new_tab: NewTab, work: Office, clock: Clock, language: Language
) -> None:
    arbiter = new_tab(language, width=1280)
    log_in(arbiter, language, Role.ARBITER)
    arbiter.goto(f"/{language}/desk/tournaments/{OPEN}")
    press(arbiter, f"main a[href$='/desk/tournaments/{OPEN}/report']")
    expect(arbiter.locator("#file")).to_be_visible()
    choose_file(arbiter, "#file").set_files(trf(file_with_warning()))
    press(arbiter, "main button[value=check]")
    expect(arbiter.locator(".panel button[value=send]")).to_be_visible()
    press(arbiter, ".panel button[value=send]")
    answers = arbiter.locator(".answer input:not([type=hidden])")
    expect(answers.first).to_be_visible()
    for number in range(answers.count()):
        name = answers.nth(number).get_attribute("name")
        type_in(arbiter, f"input[name='{name}']", "È stata sostituita per malattia")
    arbiter.keyboard.press("Enter")
    expect(arbiter.locator(".notice.done")).to_be_visible()

    boss = new_tab(language, width=1280)
    log_in(boss, language, Role.RATING_ADMINISTRATOR)
    boss.goto(f"/{language}/desk/reports")
    press(boss, "main tbody a")
    expect(boss.locator("main form[action$='/accept'] button")).to_be_visible()
    press(boss, "main form[action$='/accept'] button")
    expect(boss.locator(".notice.done")).to_be_visible()
    clock.go_to(JULY)
    log_in(boss, language, Role.RATING_ADMINISTRATOR)  # the session of June is over
    boss.goto(f"/{language}/desk/lists")
    press(boss, "main tbody form button")
    expect(boss.locator("#draft")).to_be_visible(timeout=60_000)
    press(boss, ".confirm summary.primary")
    tab_to(boss, "#looked")
    boss.keyboard.press("Space")
    press(boss, "main form[action$='/publish'] button")
    expect(boss.locator(".notice.done")).to_be_visible(timeout=60_000)
    latest = work.lists.latest("fide")
    assert latest is not None
    assert latest.list_date == JULY
    report = work.reports.of_tournament(people_in(work).arbiter, OPEN)[0]
    assert report.status is ReportStatus.RATED
