"""The working pages on a phone and in the dark: the same data, nothing wider than the screen."""

from __future__ import annotations

import pytest

from arrocco.office.roles import Role
from arrocco.wiring.office import Office
from arrocco.words import LANGUAGES, Language
from tests.browser.conftest import NewTab, Served, keep
from tests.browser.work_served import *  # noqa: F403 - fixtures
from tests.web.offices import logged_in_cookie
from tests.web.work_office import (
    JULY,
    LATE,
    OPEN,
    RATED_REPORT,
    file_with_warning,
    people_in,
)
from tests.wiring.office.offices import player_id

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


@pytest.mark.parametrize("language", LANGUAGES)
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
            keep(page, language, f"work-{look}-{name}")
