"""Law, calculators and statistics under a browser: as wide as a desk, on a phone, dark, by hand."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arrocco.desk import Office
from arrocco.office.roles import Asker, Role
from arrocco.words import LANGUAGES, Language
from tests.browser.conftest import NewTab, Served, keep
from tests.cli.tournaments import report as small_report
from tests.cli.tournaments import write_report
from tests.desk.offices import write_opening

GAMES = "law=fide&on=2024-05-01&rating=2000&k=20&o=2100&r=1&o=1900&r=0&o=2050&r=0.5"
PLACES = (
    ("law", "law"),
    ("law-edition", "law/fide/2024-03-01"),
    ("law-diff", "law/fide/diff/2024-03-01/2025-10-01"),
    ("calculator", f"calculator?{GAMES}&what=2:2"),
    ("first-rating", f"calculator/first-rating?{GAMES}"),
    ("expected", f"calculator/expected?{GAMES}&opponent=2400"),
    ("side-by-side", f"calculator/side-by-side?{GAMES}&a=fide&b=uisp&control=90%2B30"),
    ("statistics", "statistics/fide"),
)
LOOKS = (("light", 1280, False), ("phone", 390, False), ("dark", 1280, True))


@pytest.fixture(scope="module", autouse=True)
def lists(served: Served, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Five lists in the office that is served, imported beside the server."""
    folder = tmp_path_factory.mktemp("lists")
    with closing(Office.open(served.folder)) as office:
        clerk = Asker(account=1, name="Ada Rossi", role=Role.RATING_ADMINISTRATOR)
        for shift, month in enumerate((1, 2, 3, 4, 5)):
            opening = write_opening(folder / f"{month}.csv", 7 * shift)
            office.lists.import_list(clerk, "fide", date(2025, month, 1), opening)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_look_as_they_should(new_tab: NewTab, language: Language) -> None:
    for look, width, dark in LOOKS:
        page = new_tab(language, width=width, dark=dark)
        for name, path in PLACES:
            page.goto(f"/{language}/{path}")
            wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not wide, f"{path} is wider than a {look} screen"
            if language == "en" or look == "light":
                keep(page, language, f"{name}-{look}")


def test_an_article_of_a_receipt_leads_to_its_place(tab: Page) -> None:
    tab.goto(f"/en/calculator?{GAMES}")
    tab.locator(".receipt .steps .article").last.click()
    tab.wait_for_url("**/en/law/fide/2024-03-01#art-8.3.4")
    expect(tab.locator("section:target")).to_contain_text("rounded to the nearest whole number")
    expect(tab.locator("section:target")).to_be_in_viewport()


def test_a_calculation_is_written_corrected_and_sent_on_by_its_address(
    tab: Page, new_tab: NewTab
) -> None:
    tab.goto("/en/calculator")
    tab.fill("#on", "2024-05-01")
    tab.fill("#rating", "2000")
    for number, (rating, result) in enumerate((("2100", "1"), ("1900", "0")), start=1):
        tab.fill(f"#o-{number}", rating)
        tab.select_option(f"#r-{number}", result)
    tab.press("#o-2", "Enter")
    expect(tab.locator("#result")).to_have_text("2000 → 2000 (0)")
    tab.click("button[name=add]")
    expect(tab.locator("input[name=o]")).to_have_count(8)
    expect(tab.locator("#o-2")).to_have_value("1900")
    tab.click("button[name=remove][value='2']")
    expect(tab.locator("#result")).to_have_text("2000 → 2013 (+13)")
    other = new_tab()
    other.goto(tab.url)
    expect(other.locator("#result")).to_have_text("2000 → 2013 (+13)")


def test_a_report_is_compared_under_two_laws(tab: Page, tmp_path: Path) -> None:
    made = small_report([2100, 2000, 1900], [(1, 1, 2, "1"), (2, 2, 3, "0")])
    tab.goto("/it/calculator/side-by-side")
    tab.set_input_files("#report", write_report(tmp_path, made))
    tab.click("#by-report ~ form button:not([hidden])")
    expect(tab.locator("#result")).to_have_text("Torneo Finto")
    tab.locator(".steps-of summary").first.click()
    expect(tab.locator(".steps-of .receipt").first).to_be_visible()
    keep(tab, "it", "side-by-side-report")
