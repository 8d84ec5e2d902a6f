"""Each job of the office from log-in to result, in both languages, as somebody would do it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from arrocco.desk import Office
from arrocco.office.records import ReportStatus
from arrocco.office.roles import Role
from arrocco.words import Language, say
from tests.browser.conftest import NewTab, keep
from tests.browser.desk_served import *  # noqa: F403 - fixtures
from tests.browser.languages import first_in
from tests.desk.offices import Clock, player_id
from tests.web.desk_office import (
    JULY,
    LATE,
    OPEN,
    RATED_REPORT,
    file_with_error,
    file_with_warning,
    people_in,
)
from tests.web.offices import PASSWORD, email_of

BOSS = Role.RATING_ADMINISTRATOR


def log_in(page: Page, language: Language, role: Role) -> None:
    page.goto(f"/{language}/log-in")
    page.fill("#email", email_of(role))
    page.fill("#password", PASSWORD)
    page.click("main button")
    page.wait_for_url(f"**/{language}")


def trf(data: bytes, name: str = "torneo.trf") -> Any:
    return {"name": name, "mimeType": "text/plain", "buffer": data}


def button(page: Page, language: Language, key: str) -> Any:
    return page.get_by_role("button", name=say(language, key), exact=True)


@first_in("en")
def test_an_arbiter_registers_a_tournament(
    new_tab: NewTab, work: Office, language: Language
) -> None:
    page = new_tab(language, width=1280)
    log_in(page, language, Role.ARBITER)
    keep(page, language, "desk-home-arbiter")
    page.click(f'header a[href="/{language}/desk"]')
    page.click(f'main a[href="/{language}/desk/tournaments/new"]')
    page.fill("#name", "Open d'Autunno di Finta")
    page.fill("#city", "Finta Terme")
    page.fill("#federation", "ITA")
    page.fill("#time_control", "90 min/40 moves + 30 min + 30 sec/move")
    page.check("input[value=fide]")
    page.fill("#start", "2025-09-01")
    page.fill("#end", "2025-09-09")
    page.fill("#rounds", "9")
    button(page, language, "desk_pages.register.rows").click()
    assert page.locator("input[name=day_9]").input_value() == "2025-09-09"
    page.fill("input[name=hour_1]", "15:00")
    page.fill("#top_rating", "2650")
    button(page, language, "desk_pages.register.assess").click()
    panel = page.locator(".panel")
    expect(panel).to_contain_text(say(language, "desk_pages.assess.status.in_time"))
    expect(panel).to_contain_text("0.2.2")
    expect(page.locator(".read-as")).to_contain_text("40")
    assert work.tournaments.mine(people_in(work).arbiter)[0] == 3, "nothing is kept by assessing"
    keep(page, language, "desk-assessed")
    button(page, language, "desk_pages.register.button").click()
    expect(page.locator("h1")).to_have_text("Open d'Autunno di Finta")
    expect(page.locator(".notice.done")).to_be_visible()
    keep(page, language, "desk-tournament")
    assert work.tournaments.mine(people_in(work).arbiter)[0] == 4


@first_in("it")
def test_a_report_from_its_first_check_to_a_published_list(
    new_tab: NewTab, work: Office, clock: Clock, language: Language
) -> None:
    page = new_tab(language, width=1280)
    log_in(page, language, Role.ARBITER)
    page.goto(f"/{language}/desk/tournaments/{OPEN}")
    page.get_by_role("link", name=say(language, "desk_pages.send.title")).click()
    page.set_input_files("#file", trf(file_with_error()))
    button(page, language, "desk_pages.send.check").click()
    expect(page.locator(".trf mark").first).to_be_visible()
    keep(page, language, "desk-checked-errors")
    assert work.reports.of_tournament(people_in(work).arbiter, OPEN) == []
    page.set_input_files("#file", trf(file_with_warning()))
    button(page, language, "desk_pages.send.check").click()
    button(page, language, "desk_pages.send.send_this").click()
    answers = page.locator(".answer input:not([type=hidden])")
    assert answers.count() > 0
    keep(page, language, "desk-answers")
    for number in range(answers.count()):
        answers.nth(number).fill("È stata sostituita per malattia")
    button(page, language, "desk_pages.report.answer").click()
    expect(page.locator("main")).to_contain_text(say(language, "desk_pages.report.now_sent"))

    boss = new_tab(language, width=1280)
    log_in(boss, language, BOSS)
    keep(boss, language, "desk-home-administrator")
    boss.goto(f"/{language}/desk/reports")
    keep(boss, language, "desk-queue")
    boss.locator("main tbody a").first.click()
    button(boss, language, "desk_pages.report.accept").click()
    expect(boss.locator(".notice.done")).to_be_visible()
    keep(boss, language, "desk-accepted")
    clock.go_to(JULY)
    log_in(boss, language, BOSS)  # the session of June is over
    boss.goto(f"/{language}/desk/lists")
    keep(boss, language, "desk-lists")
    boss.locator("main tbody form button").first.click()
    # A part of the page that loads itself becomes the draft.
    expect(boss.locator("#draft")).to_be_visible(timeout=90_000)
    keep(boss, language, "desk-draft")
    boss.locator(".confirm summary.primary").click()
    boss.check("#looked")
    button(boss, language, "desk_pages.draft.publish_button").click()
    expect(boss.locator(".notice.done")).to_be_visible()
    latest = work.lists.latest("fide")
    assert latest is not None
    assert latest.list_date == JULY
    report = work.reports.of_tournament(people_in(work).arbiter, OPEN)[0]
    assert report.status is ReportStatus.RATED


@first_in("en")
def test_a_late_registration_is_refused_appealed_and_approved(
    new_tab: NewTab, work: Office, language: Language
) -> None:
    boss, arbiter = new_tab(language, width=1280), new_tab(language, width=1280)
    log_in(boss, language, BOSS)
    boss.goto(f"/{language}/desk/registrations")
    keep(boss, language, "desk-registrations")
    boss.locator("main tbody a").first.click()
    boss.locator("summary", has_text=say(language, "desk_pages.file.refuse")).click()
    boss.fill("#refuse_reason", "Registrato troppo tardi")
    boss.locator(".confirm button.danger:visible").click()
    log_in(arbiter, language, Role.ARBITER)
    arbiter.goto(f"/{language}/desk/tournaments/{LATE}")
    arbiter.fill("#appeal", "Il modulo era guasto")
    keep(arbiter, language, "desk-appeal")
    button(arbiter, language, "desk_pages.file.appeal").click()
    boss.goto(f"/{language}/desk/tournaments/{LATE}")
    boss.select_option("#outcome", "upheld")
    button(boss, language, "desk_pages.file.decide_appeal").click()
    boss.fill("#granted_by", "Presidente Finta")
    keep(boss, language, "desk-approve")
    button(boss, language, "desk_pages.file.approve").click()
    expect(boss.locator("main")).to_contain_text(say(language, "office.tournament.registered"))
    found = work.tournaments.get(people_in(work).administrator, LATE)
    assert found.appeal_upheld
    assert [approval.granted_by for approval in found.approvals] == ["Presidente Finta"]


@first_in("it")
def test_a_wrong_result_is_corrected_after_looking_at_its_impact(
    new_tab: NewTab, work: Office, language: Language
) -> None:
    page = new_tab(language, width=1280)
    log_in(page, language, BOSS)
    page.goto(f"/{language}/desk/corrections")
    keep(page, language, "desk-corrections")
    page.locator("main tbody a").first.click()
    first = page.locator("#main section[aria-labelledby=games] tbody tr").first
    was = first.locator("td").first.inner_text()
    first.get_by_role("link").first.click()
    assert page.locator("#round_0").input_value() == "1"
    page.select_option("#result_0", "0-1" if was.startswith("1") else "1-0")
    button(page, language, "desk_pages.correct.preview").click()
    expect(page.locator(".panel tbody tr")).to_have_count(2)
    keep(page, language, "desk-impact")
    people = people_in(work)
    assert work.corrections.of_report(people.administrator, RATED_REPORT) == []
    page.fill("#reason", "Il formulario dice altro")
    button(page, language, "desk_pages.correct.enter").click()
    expect(page.locator(".notice.done")).to_be_visible()
    assert len(work.corrections.of_report(people.administrator, RATED_REPORT)) == 1


@first_in("en")
def test_an_officer_changes_a_record_and_merges_two_numbers(
    new_tab: NewTab, work: Office, language: Language
) -> None:
    page = new_tab(language, width=1280)
    log_in(page, language, Role.FEDERATION_OFFICER)
    page.goto(f"/{language}/desk/people")
    page.fill("#q", "alta")
    page.locator(".filters button").click()
    page.locator("main tbody a").first.click()
    page.fill("#title", "FM")
    page.fill("#reason", "Titolo conferito")
    keep(page, language, "desk-person")
    button(page, language, "desk_pages.person.enter").click()
    expect(page.locator(".notice.done")).to_be_visible()
    page.goto(f"/{language}/desk/people/merge")
    page.fill("#see-kept", str(player_id(3)))
    page.fill("#see-left", str(player_id(9)))
    button(page, language, "desk_pages.merge.compare").click()
    page.fill("#merge_reason", "La stessa persona")
    keep(page, language, "desk-merge")
    button(page, language, "desk_pages.merge.button").click()
    expect(page.locator(".notice.done")).to_contain_text(str(player_id(9)))
    assert work.people.kept_number(player_id(9)) == player_id(3)
