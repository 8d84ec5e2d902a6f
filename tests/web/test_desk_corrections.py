"""Corrections and players' records through the pages: looked at first, entered with a reason."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import html

from arrocco.desk import Office
from arrocco.office.ledger import ErrorsWaived, PlayerChanged
from arrocco.office.records import ReportStatus
from arrocco.office.roles import Role
from arrocco.store.sql import ledger
from tests.desk.offices import player_id
from tests.web.conftest import Client, LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import JUNE, RATED_REPORT, people_in
from tests.web.visits import posted

BOSS, ARBITER, OFFICER = Role.RATING_ADMINISTRATOR, Role.ARBITER, Role.FEDERATION_OFFICER
PATH = f"/en/desk/corrections/{RATED_REPORT}"


def wrong_game(office: Office) -> dict[str, str]:
    """The fields that turn the first decisive game around."""
    read = office.reports.read(people_in(office).administrator, RATED_REPORT)
    game = next(game for game in read.games if game.white_score != 1)
    result = "0-1" if game.white_score == 2 else "1-0"
    return {
        "round_0": str(game.round),
        "white_0": str(game.white),
        "black_0": str(game.black),
        "result_0": result,
    }


def entered(office: Office) -> int:
    return len(office.corrections.of_report(people_in(office).administrator, RATED_REPORT))


def previewed(client: Client, sent: dict[str, str]) -> str:
    answer = posted(client, PATH, sent | {"do": "preview"})
    assert answer.status_code == 200
    page: Any = html.fromstring(answer.text)
    return str(page.xpath("//input[@name='previewed']/@value")[0])


def test_a_correction_shows_everybody_it_touches_before_it_is_entered(
    logged_in: LogIn, office: Office
) -> None:
    client, sent = logged_in(BOSS), wrong_game(office)
    answer = posted(client, PATH, sent | {"do": "preview"})
    page: Any = html.fromstring(answer.text)
    rows = page.xpath("//section[contains(@class, 'panel')]//tbody/tr")
    assert len(rows) == 2
    assert "It enters the list of 1 Jul 2025" in answer.text
    assert entered(office) == 0
    digest = previewed(client, sent)
    enter = sent | {"do": "enter", "previewed": digest}
    assert posted(client, PATH, enter).status_code == 422, "a reason is needed"
    assert entered(office) == 0
    assert posted(client, PATH, enter | {"reason": "the score sheet"}).status_code == 303
    assert entered(office) == 1
    assert "the score sheet" in client.get(PATH).text


def test_errors_that_a_correction_brings_are_waived_or_stop_it(
    logged_in: LogIn, office: Office
) -> None:
    client = logged_in(BOSS)
    sent = {"entry_0": "3", "player_0": str(player_id(90))}
    shown = posted(client, PATH, sent | {"do": "preview"})
    assert 'name="waive_0"' in shown.text
    assert "The correction brings errors into the report." in shown.text
    enter = sent | {"do": "enter", "previewed": previewed(client, sent), "reason": "namesake"}
    answer = posted(client, PATH, enter)
    assert (answer.status_code, 'name="waive_0"' in answer.text) == (422, True)
    assert entered(office) == 0
    assert posted(client, PATH, enter | {"waive_0": "known to the federation"}).status_code == 303
    assert entered(office) == 1
    with office.desk.database.reading() as connection:
        (waived,) = ledger.of_kind(connection, ErrorsWaived)
    assert isinstance(waived.entry, ErrorsWaived)
    assert [(one.key, one.reason) for one in waived.entry.errors] == [
        ("check.not_on_list", "known to the federation")
    ]


def test_what_was_not_looked_at_is_not_entered(logged_in: LogIn, office: Office) -> None:
    client, sent = logged_in(BOSS), wrong_game(office)
    digest = previewed(client, sent)
    other = sent | {"start": "2025-05-08", "end": "2025-05-13"}
    for forged in ({"previewed": ""}, {"previewed": "0" * 16}, {"previewed": digest} | other):
        answer = posted(client, PATH, sent | forged | {"do": "enter", "reason": "quick"})
        assert answer.status_code == 200, "it is shown again instead"
        assert 'name="previewed"' in answer.text
    assert entered(office) == 0


@pytest.mark.parametrize(
    ("forged", "status"),
    [
        ({"round_0": "99", "white_0": "1", "black_0": "2", "result_0": "1-0"}, 409),
        ({"round_0": "1", "white_0": "x", "black_0": "2", "result_0": "1-0"}, 422),
        ({"round_0": "1", "white_0": "1", "black_0": "2", "result_0": "5-0"}, 422),
        ({"entry_0": "99", "player_0": "99000900"}, 409),
        ({"entry_0": "1", "player_0": str(player_id(2))}, 409),
        ({"entry_0": "1", "player_0": str(player_id(1))}, 409),
        ({"start": "2025-05-08"}, 422),
        ({"start": "2025-05-08", "end": "2025-05-01"}, 409),
        ({}, 409),
    ],
)
def test_a_correction_that_does_not_fit_is_refused(
    logged_in: LogIn, office: Office, forged: dict[str, str], status: int
) -> None:
    sent = forged | {"do": "preview"}
    assert posted(logged_in(BOSS), PATH, sent).status_code == status
    assert entered(office) == 0


def test_only_the_administrator_corrects(logged_in: LogIn, office: Office) -> None:
    sent = wrong_game(office) | {"do": "enter", "reason": "mine"}
    for role in (ARBITER, OFFICER):
        assert posted(logged_in(role), PATH, sent).status_code == 403
    assert entered(office) == 0


def test_links_fill_the_form(logged_in: LogIn) -> None:
    text = logged_in(BOSS).get(f"{PATH}?fix=1-8-1&fix=<x>&entry=3&entry=y&games=zz").text
    page: Any = html.fromstring(text)
    values = [page.xpath(f"//input[@name='{n}']/@value")[0] for n in ("round_0", "white_0")]
    assert values == ["1", "8"]
    assert page.xpath("//input[@name='entry_0']/@value") == ["3"]
    assert "<x>" not in text


# --- players' records -----------------------------------------------------------------------------


def changes(office: Office) -> list[PlayerChanged]:
    with office.desk.database.reading() as connection:
        found = [one.entry for one in ledger.of_kind(connection, PlayerChanged)]
    return [one for one in found if isinstance(one, PlayerChanged)]


def person(number: int, act: str) -> str:
    return f"/en/desk/people/{player_id(number)}/{act}"


def test_an_officer_changes_a_record_of_their_federation(logged_in: LogIn, office: Office) -> None:
    client = logged_in(OFFICER)
    sent = {"title": "FM", "from_day": "2025-06-20", "reason": "title conferred"}
    assert posted(client, person(2, "change"), sent).status_code == 303
    (made,) = changes(office)
    assert (made.player, made.title, made.name) == (player_id(2), "FM", "")


def test_7_14g_an_affiliation_is_entered_shown_and_taken_back(
    logged_in: LogIn, office: Office
) -> None:
    client, page = logged_in(OFFICER), f"/en/desk/people/{player_id(2)}"
    sent = {"affiliated": "IBCA", "from_day": "2025-06-20", "reason": "member since May"}
    assert posted(client, person(2, "change"), sent).status_code == 303
    assert [change.affiliated for change in changes(office)] == ["IBCA"]
    shown: Any = html.fromstring(client.get(page).text)
    assert "IBCA" in shown.xpath("string(//dl)")
    assert posted(client, person(2, "change"), sent | {"affiliated": "-"}).status_code == 303
    assert office.people.affiliation(player_id(2)) == ""


@pytest.mark.parametrize(
    "forged",
    [
        {"title": ""},
        {"affiliated": "FIDE"},
        {"reason": ""},
        {"federation": "I7A"},
        {"sex": "x"},
        {"birth": "yesterday"},
        {"category": "KING"},
        {"from_day": "soon"},
        {"title": "GRANDMASTER"},
        {"name": "a\u202eb"},
    ],
)
def test_a_forged_change_is_refused(
    logged_in: LogIn, office: Office, forged: dict[str, str]
) -> None:
    sent = {"title": "FM", "from_day": "2025-06-20", "reason": "title conferred"} | forged
    answer = posted(logged_in(OFFICER), person(2, "change"), sent)
    assert answer.status_code in (409, 422)
    assert changes(office) == []


def move_away(office: Office, number: int) -> None:
    """A list on which a player belongs to another federation."""
    row = f'{player_id(number)},"Altrove, Finta",FRA,M,1970-07-23,,1900,,0,\n'
    path = office.folder / "away.csv"
    path.write_text("id,name,federation,sex,birth,title,rating,k,games,flag\n" + row, "utf-8")
    boss = people_in(office).administrator
    office.lists.import_list(boss, "fide-rapid", JUNE, path)


def test_another_federations_player_is_not_an_officers_to_change(
    logged_in: LogIn, office: Office
) -> None:
    move_away(office, 60)
    client = logged_in(OFFICER)
    assert "another federation" in client.get(f"/en/desk/people/{player_id(60)}").text
    sent = {"title": "FM", "from_day": "2025-06-20", "reason": "mine now"}
    assert posted(client, person(60, "change"), sent).status_code == 403
    died = {"died": "2025-06-01", "died_reason": "rumour"}
    assert posted(client, person(60, "died"), died).status_code == 403
    merged = {"kept": player_id(1), "left": player_id(60), "merge_reason": "mine now"}
    assert posted(client, "/en/desk/people/merge", merged).status_code == 403
    assert changes(office) == []
    assert office.people.kept_number(player_id(60)) == player_id(60)
    rows = office.audit.page(people_in(office).administrator, outcome="refused")
    assert {"change_player", "merge_players"} <= {row.action for row in rows}
    assert posted(logged_in(BOSS), person(60, "change"), sent).status_code == 303


def test_of_another_federations_player_an_officer_sees_the_year_of_birth_alone(
    logged_in: LogIn, office: Office
) -> None:
    move_away(office, 60)
    pages = (
        f"/en/desk/people/{player_id(60)}",
        f"/en/desk/people/merge?kept={player_id(1)}&left={player_id(60)}",
    )
    found = f"/en/desk/people?system=fide-rapid&q={player_id(60)}"
    for page in (*pages, found):
        text = logged_in(OFFICER).get(page).text
        assert "1970" in text, page
        assert "07-23" not in text, page
    for page in pages:  # lists tell nobody more
        text = logged_in(BOSS).get(page).text
        assert "1970" in text, page
        assert "07-23" not in text, page


def test_a_death_is_entered_once_its_day_has_come(logged_in: LogIn, office: Office) -> None:
    client = logged_in(OFFICER)
    sent = {"died": "2025-07-30", "died_reason": "obituary"}
    assert posted(client, person(5, "died"), sent).status_code == 422
    assert posted(client, person(5, "died"), sent | {"died": "2025-06-20"}).status_code == 303
    assert [change.died is not None for change in changes(office)] == [True]


@pytest.mark.parametrize(
    ("kept", "left", "status"),
    [(1, 1, 422), (1, 70, 403), (70, 71, 403)],
)
def test_numbers_that_cannot_be_merged(
    logged_in: LogIn, office: Office, kept: int, left: int, status: int
) -> None:
    sent = {"kept": player_id(kept), "left": player_id(left), "merge_reason": "the same"}
    answer = posted(logged_in(OFFICER), "/en/desk/people/merge", sent)
    assert answer.status_code == status
    assert office.people.kept_number(player_id(left)) == player_id(left)


def test_a_number_on_no_list_has_no_record(logged_in: LogIn) -> None:
    assert logged_in(BOSS).get(f"/en/desk/people/{player_id(70)}").status_code == 404


def test_the_choice_of_what_to_correct_counts_the_reports_that_it_shows(
    logged_in: LogIn, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss = people_in(office).administrator
    total, found = office.reports.correctable(boss)
    assert total == len(found) > 0
    assert {one.status for one in found} <= {ReportStatus.RATED, ReportStatus.ACCEPTED}
    days = [office.tournaments.get(boss, one.tournament).registration.start for one in found]
    assert days == sorted(days, reverse=True)
    monkeypatch.setattr("arrocco.web.pages.desk_corrections._SIZE", 1)
    client = logged_in(BOSS)
    for number, report in enumerate(found, start=1):
        page: Any = html.fromstring(client.get(f"/en/desk/corrections?page={number}").text)
        links = page.xpath("//main//tbody//a/@href")
        assert links == [f"/en/desk/corrections/{report.id}"], "no page is empty or short"
    name = office.tournaments.get(boss, found[0].tournament).registration.name
    assert office.reports.correctable(boss, text=name.upper())[0] >= 1
    assert office.reports.correctable(boss, text="nowhere at all") == (0, [])
