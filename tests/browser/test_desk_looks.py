"""The working pages on a phone and in the dark: the same data, nothing wider than the screen."""

from __future__ import annotations

from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.words import Language
from tests.browser.conftest import NewTab, Served, keep
from tests.browser.desk_served import *  # noqa: F403 - fixtures
from tests.browser.languages import first_in
from tests.desk.offices import player_id
from tests.web.desk_office import (
    JULY,
    LATE,
    OPEN,
    RATED_REPORT,
    file_with_warning,
    people_in,
)
from tests.web.offices import logged_in_cookie

PAGES = (
    ("tournaments", "/desk/tournaments"),
    ("register", "/desk/tournaments/new"),
    ("late", f"/desk/tournaments/{LATE}"),
    ("send", f"/desk/tournaments/{OPEN}/report"),
    ("report", "/desk/reports/2"),
    ("lists", "/desk/lists"),
    ("draft", "/desk/drafts/2"),
    ("draft-players", "/desk/drafts/2/players/changed"),
    ("correction", f"/desk/corrections/{RATED_REPORT}?fix=1-8-1"),
    ("person", f"/desk/people/{player_id(2)}"),
    ("audit", "/audit"),
)


@first_in("it")
def test_no_page_is_wider_than_its_screen(
    new_tab: NewTab, served: Served, work: Office, language: Language
) -> None:
    people = people_in(work)
    sent = work.reports.send(people.arbiter, OPEN, "torneo.trf", file_with_warning())
    number = work.lists.enter_draft(people.administrator, "fide", JULY)
    assert (sent.id, number) == (2, 2)
    work.lists.run_draft(number)
    for look, width, dark in (("phone", 390, language == "it"), ("dark", 1280, True)):
        if look == "dark" and language == "it":
            continue  # the phone of the Italian walk is dark already
        page = new_tab(language, width=width, dark=dark)
        cookie = logged_in_cookie(work, Role.RATING_ADMINISTRATOR)
        page.context.add_cookies(
            [{"name": "arrocco_session", "value": cookie, "url": served.address}]
        )
        for name, path in PAGES:
            page.goto(f"/{language}{path}")
            assert page.locator("h1").count() == 1, path
            wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not wide, f"{path} is wider than a {look} screen"
            if name == "audit":
                hidden = "all => all.some(e => e.scrollWidth > e.clientWidth + 1)"
                assert not page.locator(".scroll").evaluate_all(hidden), f"{look}: columns hidden"
            keep(page, language, f"desk-{look}-{name}")


@first_in("en")
def test_with_an_account_the_head_of_a_laptop_is_one_line(
    new_tab: NewTab, served: Served, work: Office, language: Language
) -> None:
    long = "Federazione Scacchistica della Repubblica di Roccafinta"
    page = new_tab(language, width=1366)
    cookie = logged_in_cookie(work, Role.SYSTEM_ADMINISTRATOR)
    page.context.add_cookies([{"name": "arrocco_session", "value": cookie, "url": served.address}])
    for name in ("", long):
        work.settings.change(people_in(work).root, name_it=name)
        for width in (1280, 1366, 1920):
            page.set_viewport_size({"width": width, "height": 768})
            page.goto(f"/{language}/desk")
            tops = page.locator(".menu li, .side > *").evaluate_all(
                "all => all.map(e => Math.round(e.getBoundingClientRect().bottom))"
            )
            assert max(tops) - min(tops) < 12, (width, tops)
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), width
            assert page.locator(".head").evaluate("e => e.offsetHeight") < 70, (width, name)
        keep(page, language, f"head-{'long' if name else 'plain'}")
