"""The page on which the head of the office chooses readings, and where others see them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.laws.systems import SYSTEMS
from arrocco.office.readings import closing_list
from arrocco.office.roles import Role
from tests.web.conftest import Client, LogIn
from tests.web.visits import posted

WHY = "decision of the board of 3 March"


@pytest.fixture
def head(logged_in: LogIn) -> Client:
    return logged_in(Role.HEAD_OF_OFFICE)


def next_list(office: Office) -> date:
    return closing_list(SYSTEMS["fide"], office.desk.now().date())


def asked(day: date, **other: str) -> dict[str, str]:
    form = {"way": "fide:reentry:keeps_games", "from_list": day.isoformat(), "reason": WHY}
    return form | other


def test_7_2_1_the_head_chooses_a_reading_and_everybody_sees_it(
    head: Client, logged_in: LogIn, office: Office
) -> None:
    day = next_list(office)
    before = head.get("/en/settings/readings").text
    assert 'value="fide:reentry:keeps_games"' in before
    assert 'value="fide:reentry:as_new"' not in before, "it is read so already"
    assert "publication_interval" not in before
    answer = posted(head, "/en/settings/readings", asked(day))
    assert answer.status_code == 303, answer.text
    for language, words in (("en", "chosen by the office"), ("it", "scelta dall&#39;ufficio")):
        page = head.get(f"/{language}/settings/readings").text
        assert words in page
        assert WHY in page
    assert 'href="/en/settings/readings"' in head.get("/en/settings").text

    edition = SYSTEMS["fide"].edition_on(day - timedelta(days=1)).edition
    public = logged_in(Role.PUBLIC)
    assert "This office reads: keeps_games" in public.get(f"/en/law/fide/{edition}").text
    assert "Questo ufficio legge: keeps_games" in public.get(f"/it/law/fide/{edition}").text
    assert "This office reads" not in public.get("/en/law/fide/2011-07-01").text
    told = public.get(f"/api/v1/law/fide/{edition}").json()["readings"]
    by_name = {reading["name"]: reading["chosen"] for reading in told}
    assert by_name.pop("reentry") == [
        {"choice": "keeps_games", "from_list": day.isoformat(), "reason": WHY, "seq": 1}
    ]
    assert not any(by_name.values())


def test_refusals_stand_beside_their_fields(head: Client, office: Office) -> None:
    day = next_list(office)
    for form, words in (
        (asked(day + timedelta(days=1)), "has no list of"),
        (asked(day, reason=""), "reason"),
        (asked(day, way="fide:reentry:as_new"), "is read as as_new already"),
        (asked(day, way="fide:nothing"), "nothing"),
        (asked(day, way=""), "way"),
    ):
        answer = posted(head, "/en/settings/readings", form)
        assert answer.status_code in (409, 422), answer.status_code
        assert words in answer.text
    assert office.readings.all() == []


def test_settings_lead_there_only_whom_it_is_for(logged_in: LogIn, office: Office) -> None:
    admin = logged_in(Role.SYSTEM_ADMINISTRATOR)
    assert "/settings/readings" not in admin.get("/en/settings").text
    assert admin.get("/en/settings/readings").status_code == 403


def test_hall_entry_ratings_are_read_as_the_office_reads_them(office: Office) -> None:
    """RIO 14.2 - the one function that hand-over, preview, cases and entry ratings ask."""
    start = date(2025, 6, 14)
    assert office.readings.rio_on(start).readings["fsi_printed_default"] == "is_absence"
    office.readings.choose(
        operator(Role.HEAD_OF_OFFICE), "rio", "fsi_printed_default", "counts", date(2025, 7, 1), WHY
    )
    assert office.readings.rio_on(start).readings["fsi_printed_default"] == "counts"
    assert office.readings.rio_on(start).entry_rating_for("rapid", {"fsi": 1399}) == (1399, "fsi")
    assert office.readings.rio_on(date(2025, 5, 31)).entry_rating_for("rapid", {"fsi": 1399})[
        0
    ] == (999)


def test_calculators_read_as_the_office_unless_asked_otherwise(
    logged_in: LogIn, office: Office
) -> None:
    """FIDE 8.2.1 over the whole event: five losses against rated players and a win."""
    day = next_list(office)
    public, on = logged_in(Role.PUBLIC), (day - timedelta(days=1)).isoformat()
    games = [("1800", "0")] * 5 + [("-", "1")]
    query = "&".join(f"o={opponent}&r={result}" for opponent, result in games)
    page = f"/en/calculator/first-rating?law=fide&on={on}&{query}"
    api = f"/api/v1/calculators/initial?law=fide&on={on}&games=" + ",".join(
        ":".join(game) for game in games
    )
    assert "first_event_ignored" in public.get(api).json()["reasons"]
    before = public.get(page).text
    office.readings.choose(
        operator(Role.HEAD_OF_OFFICE), "fide", "zero_first_event", "whole_event", day, WHY
    )
    assert "first_event_ignored" not in public.get(api).json()["reasons"]
    after = public.get(page).text
    assert after != before
    assert '<option value="whole_event" selected>' in after
    asked_otherwise = public.get(f"{page}&read.zero_first_event=against_rated").text
    assert '<option value="against_rated" selected>' in asked_otherwise
