"""What an office takes back, seen in the browser: sent again, refused, annulled (0.4, 9.1).

The English walks are a desk's, the Italian ones a phone's. One server answers for all of them; each
walk has an office of its own behind it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from litestar import Litestar
from playwright.sync_api import Page, expect

from arrocco.desk import Office
from arrocco.office.records import ReportStatus, TournamentStatus
from arrocco.office.roles import Role
from arrocco.words import Language, say
from tests.browser import axe
from tests.browser.conftest import NewTab, Served, keep
from tests.browser.desk_served import serving
from tests.browser.languages import first_in
from tests.browser.test_desk_jobs import BOSS, button, trf
from tests.desk.offices import Clock, data_of, player_id, published
from tests.web.desk_office import (
    JULY,
    OPEN,
    RATED,
    RATED_REPORT,
    good_file,
    people_in,
    played,
)
from tests.web.desk_office import clock as clock
from tests.web.desk_office import made_app as made_app
from tests.web.desk_office import worked as worked
from tests.web.offices import logged_in_cookie

both = first_in("it")


@pytest.fixture(scope="module")
def address(made_app: Litestar) -> Iterator[str]:
    with serving(made_app) as found:
        yield found


@pytest.fixture
def work(worked: Path, tmp_path: Path, clock: Clock, made_app: Litestar) -> Iterator[Office]:
    """The office of a walk, put behind the server."""
    folder = Path(shutil.copytree(worked, tmp_path / "office"))
    with closing(Office.open(folder, now=clock)) as opened:
        made_app.state.office = opened
        yield opened


@pytest.fixture
def served(address: str, work: Office) -> Served:
    return Served(address, work.folder)


def at_work(page: Page, served: Served, work: Office, role: Role) -> None:
    """Logs somebody in without the pages for it: other walks take those."""
    value = logged_in_cookie(work, role)
    page.context.add_cookies([{"name": "arrocco_session", "value": value, "url": served.address}])


def width(language: Language) -> int:
    return 390 if language == "it" else 1366


def see(page: Page, language: Language, name: str) -> None:
    """Keeps a picture of a page that is not wider than its screen."""
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), name
    keep(page, language, f"story-{name}")


def ending(day: int) -> bytes:
    """The report of the open tournament with another last day."""
    return data_of(replace(played(), end=date(2025, 6, day)))


def accepted(work: Office) -> int:
    """The report of the open tournament, sent and accepted."""
    people = people_in(work)
    sent = work.reports.send(people.arbiter, OPEN, "torneo.trf", good_file())
    warned = {n: "vero" for n, one in enumerate(sent.findings) if one.severity == "warning"}
    work.reports.answer(people.arbiter, sent.id, warned)
    return work.reports.accept(people.administrator, sent.id).id


def send_again(page: Page, language: Language, file: bytes) -> None:
    """The arbiter sends a report and answers what it is asked."""
    page.goto(f"/{language}/desk/tournaments/{OPEN}/report")
    page.set_input_files("#file", trf(file))
    button(page, language, "desk_pages.send.send").click()
    answers = page.locator(".answer input:visible")
    expect(page.locator("#findings")).to_be_visible()
    if answers.count():
        for number in range(answers.count()):
            answers.nth(number).fill("L'ultimo turno è stato giocato un giorno dopo")
        button(page, language, "desk_pages.report.answer").click()
    expect(page.locator("main")).to_contain_text(say(language, "desk_pages.report.now_sent"))


@both
def test_9_1_a_report_sent_again_replaces_and_after_publication_corrects(
    new_tab: NewTab, served: Served, work: Office, clock: Clock, language: Language
) -> None:
    people, first = people_in(work), accepted(work)
    page = new_tab(language, width=width(language))
    at_work(page, served, work, Role.ARBITER)
    send_again(page, language, ending(21))
    for key in ("desk_pages.report.earlier", "office.replaces.do"):
        expect(page.locator("main")).to_contain_text(say(language, key))
    see(page, language, "resent")
    at_work(page, served, work, BOSS)
    page.reload()
    button(page, language, "desk_pages.report.accept").click()
    expect(page.locator(".notice.done")).to_be_visible()
    page.goto(f"/{language}/desk/reports/{first}")
    expect(page.locator("main")).to_contain_text(say(language, "desk_pages.report.now_superseded"))
    see(page, language, "resent-replaced")
    assert work.reports.get(people.administrator, first).status is ReportStatus.SUPERSEDED

    clock.go_to(JULY)
    published(work, people_in(work), "fide", JULY)
    at_work(page, served, work, Role.ARBITER)
    send_again(page, language, ending(22))
    see(page, language, "resent-late")
    at_work(page, served, work, BOSS)
    page.reload()
    page.get_by_role("link", name=say(language, "desk_pages.report.replace"), exact=True).click()
    expect(page.locator("#differences")).to_be_visible()
    see(page, language, "resent-difference")
    if language == "it":  # both sizes are looked at
        axe.check(page, "/desk/reports/{report:int}/correct")
    page.fill("#reason", "L'ultimo giorno era sbagliato")
    button(page, language, "desk_pages.correct.enter").click()
    expect(page.locator(".notice.done")).to_be_visible()
    expect(page.locator("main")).to_contain_text(say(language, "office.report.correction"))
    see(page, language, "resent-corrected")
    page.goto(f"/{language}/desk/tournaments/{OPEN}")
    see(page, language, "resent-file")
    boss = people_in(work).administrator
    statuses = [one.status for one in work.reports.of_tournament(boss, OPEN)]
    assert sorted(statuses) == [
        ReportStatus.CORRECTION,
        ReportStatus.RATED,
        ReportStatus.SUPERSEDED,
    ]


@both
def test_0_4_the_report_of_a_refused_tournament_leaves_the_draft(
    new_tab: NewTab, served: Served, work: Office, clock: Clock, language: Language
) -> None:
    report = accepted(work)
    clock.go_to(JULY)
    boss = people_in(work).administrator
    with_it = work.lists.enter_draft(boss, "fide", JULY)
    work.lists.run_draft(with_it)
    page = new_tab(language, width=width(language))
    at_work(page, served, work, BOSS)
    page.goto(f"/{language}/desk/tournaments/{OPEN}")
    page.locator("summary", has_text=say(language, "desk_pages.file.refuse")).click()
    expect(page.locator(".confirm form:visible")).to_contain_text(
        say(language, "desk_pages.file.takes_out")
    )
    page.fill("#refuse_reason", "Nessun arbitro era presente")
    see(page, language, "refusing")
    page.locator(".confirm button.danger:visible").click()
    expect(page.locator(".notice.done")).to_be_visible()
    see(page, language, "refused")
    assert work.reports.get(boss, report).status is ReportStatus.WITHDRAWN
    page.goto(f"/{language}/desk/reports/{report}")
    expect(page.locator("main")).to_contain_text("Nessun arbitro era presente")
    see(page, language, "refused-report")
    page.goto(f"/{language}/desk/drafts/{with_it}")
    expect(page.locator(".notice.warning").first).to_contain_text(
        say(language, "desk_pages.draft.behind")
    )
    see(page, language, "refused-draft-behind")
    button(page, language, "desk_pages.draft.again").click()
    expect(page.locator("#unusual")).to_be_visible(timeout=90_000)
    see(page, language, "refused-draft")
    latest = max(work.lists.drafts(boss, "fide", JULY), key=lambda one: one.id)
    assert latest.id > with_it
    assert latest.diff is not None
    assert (latest.diff.gains, latest.diff.losses) == ((), ())


@both
def test_0_4_a_published_tournament_is_annulled_after_its_impact_is_seen(
    new_tab: NewTab, served: Served, work: Office, clock: Clock, language: Language
) -> None:
    page = new_tab(language, width=width(language))
    at_work(page, served, work, BOSS)
    page.goto(f"/{language}/desk/tournaments/{RATED}")
    page.get_by_role("link", name=say(language, "desk_pages.annul.title"), exact=True).click()
    expect(page.locator(".panel tbody tr")).to_have_count(8)
    see(page, language, "annul-impact")
    boss = people_in(work).administrator
    assert work.tournaments.get(boss, RATED).status is TournamentStatus.REGISTERED
    page.fill("#reason", "Il torneo non è mai stato giocato")
    button(page, language, "desk_pages.annul.button").click()
    expect(page.locator(".notice.done")).to_be_visible()
    see(page, language, "annulled")
    assert work.tournaments.get(boss, RATED).status is TournamentStatus.REFUSED
    page.goto(f"/{language}/desk/reports/{RATED_REPORT}")
    expect(page.locator("main")).to_contain_text(say(language, "office.report.annulled"))
    expect(page.locator("#corrections")).to_be_visible()
    see(page, language, "annulled-report")
    clock.go_to(JULY)
    published(work, people_in(work), "fide", JULY)
    (row,) = [one for one in work.people.history(player_id(1))["fide"] if one.list_date == JULY]
    assert row.rating == 2210
