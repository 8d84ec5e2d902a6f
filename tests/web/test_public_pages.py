"""What everybody may look up: sound pages in both languages that say what the lists say."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import update

from arrocco.formats.lists import read_list
from arrocco.office.roles import Role
from arrocco.store.sql.tables import accounts
from arrocco.web import writing
from arrocco.words import LANGUAGES, Language
from tests.web.conftest import Client
from tests.web.html import faults_of
from tests.web.offices import logged_in_cookie
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public
from tests.web.public_office import JULY, JUNE, KEPT, LEFT
from tests.web.visits import all_of
from tests.wiring.office.offices import name_of, player_id

PAGES = (
    "/lists", "/lists/fide", "/lists/uisp", "/lists/fide/latest", "/lists/fide/latest?top=10",
    "/lists/fide/latest?q=nobody", "/lists/rio-blitz/latest?category=OCM",
    "/lists/fide/latest/changes", "/lists/fide/latest/changes?kind=federation",
    "/lists/fide/2025-05-01/changes", "/lists/fide/latest/files", "/lists/fide/2025-05-01/files",
    "/players", "/players?q=alta", "/players?q=nobody", f"/players/{player_id(1)}",
    f"/players/{KEPT}", f"/players/{LEFT}", f"/players/{player_id(14)}",
    f"/players/{player_id(1)}/chart/fide", f"/players/{player_id(1)}/fide/2025-06-01",
    f"/players/{player_id(14)}/fide/2025-06-01", f"/players/{player_id(8)}/rio-blitz/2025-06-01",
    f"/players/{player_id(1)}/fide/2025-05-01", "/tournaments", "/tournaments?q=torri",
    "/tournaments?q=nobody", "/tournaments/1", "/tournaments/2", "/tournaments/3",
    "/tournaments/5",
)  # fmt: skip
MISSING = (
    "/players/1", "/players/99999999999999999999999999", "/lists/none/latest",
    "/lists/fide/2020-01-01", "/lists/fide/today", "/lists/uisp/latest",
    "/lists/fide/latest/files/secret.txt", "/lists/fide/latest/files/..%2F..%2Foffice.sqlite",
    "/tournaments/77", "/tournaments/99999999999999999999999", f"/players/{LEFT}/uisp/latest",
    f"/players/{player_id(14)}/fide/2025-05-01",
)  # fmt: skip


def names_of(page: str) -> list[str]:
    return [str(found.text_content()) for found in all_of(page, "//tbody//th//bdi")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_sound_and_leads_somewhere(public: Public, language: Language) -> None:
    links: set[str] = set()
    for path in PAGES:
        answer = public.client.get(f"/{language}{path}")
        assert answer.status_code == 200, path
        assert faults_of(answer.text) == [], path
        links.update(str(link) for link in all_of(answer.text, "//main//@href"))
    assert len(links) > 100
    for link in sorted(links):
        if link.startswith("/"):
            assert public.client.get(link).status_code == 200, link


def test_what_is_not_there_is_said_in_words(public: Public) -> None:
    for path in MISSING:
        answer = public.client.get(f"/it{path}")
        assert answer.status_code == 404, path
        assert faults_of(answer.text) == [], path


def test_a_list_page_shows_the_rows_of_the_published_file(public: Public) -> None:
    listed, _ = read_list(public.office.lists.folder("fide", JULY) / "list.parquet")
    wanted = sorted(zip(listed.rating.tolist(), listed.name.tolist(), strict=True), reverse=True)
    page = public.client.get("/en/lists/fide/2025-07-01").text
    shown = [int(found.text_content()) for found in all_of(page, "//tbody/tr/td[4]")]
    assert shown == [rating for rating, _ in wanted]
    assert sorted(names_of(page)) == sorted(name for _, name in wanted)


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("q=brugh", [2]),
        ("sex=F&rating_from=1800", [3, 6]),
        ("federation=smr", [2]),
        ("age_to=32", [11, 12]),
        ("age_from=60", [1]),
        ("rating_from=1900&sort=name", [1, 2, 3, 4, 5]),
        ("rating_from=1900&sort=-name", [5, 4, 3, 2, 1]),
        ("title=GM", []),
        ("rating_from=nonsense&sort=nonsense&sex=X&q=altavilla", [1]),
    ],
)
def test_filters_and_sorts(public: Public, query: str, numbers: list[int]) -> None:
    page = public.client.get(f"/en/lists/fide/latest?{query}").text
    assert names_of(page) == [name_of(number) for number in numbers]


def test_a_top_is_no_longer_than_it_says(public: Public) -> None:
    page = public.client.get("/en/lists/fide/latest?top=10&sort=name").text
    assert len(names_of(page)) == 10
    assert names_of(page)[0] == name_of(1)


def test_what_changed_is_what_the_two_lists_say(public: Public) -> None:
    was, now = (
        read_list(public.office.lists.folder("fide", day) / "list.parquet")[0]
        for day in (JUNE, JULY)
    )
    before = dict(zip(was.id.tolist(), was.rating.tolist(), strict=True))
    after = dict(zip(now.id.tolist(), now.rating.tolist(), strict=True))
    moved = {one: after[one] - before[one] for one in before if after.get(one)}
    for kind, wanted in (
        ("gained", {one for one, change in moved.items() if change > 0}),
        ("lost", {one for one, change in moved.items() if change < 0}),
        ("left", {one for one in before if before[one] and not after.get(one)}),
        ("new", {one for one in after if after[one] and not before.get(one)}),
        ("federation", {player_id(2)}),
        ("title", set()),
    ):
        told = public.client.get(f"/api/v1/lists/fide/latest/changes?kind={kind}").json()
        assert {row["id"] for row in told["players"]} == wanted, kind
        assert all(row["change"] == moved.get(row["id"]) for row in told["players"]), kind
        page = public.client.get(f"/it/lists/fide/latest/changes?kind={kind}").text
        assert len(names_of(page)) == len(wanted), kind


def test_a_search_goes_over_all_systems_and_follows_mergers(public: Public) -> None:
    page = public.client.get("/en/players", params={"q": "IMBRIANI"}).text
    assert names_of(page) == [name_of(8)]
    heads = [str(found.text_content()) for found in all_of(page, "//thead//th")]
    assert "FIDE" in heads
    assert "RIO blitz" in heads


def test_a_players_page_shows_lists_corrections_and_mergers(public: Public) -> None:
    page = public.client.get(f"/en/players/{KEPT}").text
    days = [str(found.text_content()) for found in all_of(page, "//*[@class='day']")]
    assert days[:3] == ["1 Jul 2025", "1 Jul 2025", "1 Jun 2025"]
    assert f"Number {LEFT} was the same person" in page
    corrected = [
        number
        for number in range(1, 9)
        if "A report was corrected" in public.client.get(f"/en/players/{player_id(number)}").text
    ]
    assert len(corrected) == 2, "a game has two players"
    assert all_of(page, "//figure//*[name()='svg']"), "a chart"


def test_a_period_is_the_computation_itself(public: Public) -> None:
    found = public.office.people.period("fide", player_id(8), JULY)
    page = public.client.get(f"/en/players/{player_id(8)}/fide/2025-07-01").text
    rows = all_of(page, "//div[@class='receipt']//tbody/tr")
    games = [game for event in found.rows.events for game in event.games]
    assert len(rows) == len(games) > 0
    text = re.sub(r"\s+", " ", str(all_of(page, "//div[@class='receipt']")[0].text_content()))
    assert f"{found.rows.rating} becomes {found.rows.new_rating} on the list of 1 Jul 2025." in text
    assert "2025-" not in text, "days as the page's language writes them"
    assert f"K is {found.rows.k}" in text
    articles = {str(a.text_content()) for a in all_of(page, "//*[@class='article']")}
    assert {game.article for game in games} <= articles


def test_a_base_that_a_correction_moved_is_explained(public: Public) -> None:
    moved = [
        number
        for number in range(1, 11)
        if "move it to" in public.client.get(f"/en/players/{player_id(number)}/fide/latest").text
    ]
    for number in moved:
        before = public.office.lists.view("fide", JUNE).player(player_id(number))
        found = public.office.people.period("fide", player_id(number), JULY)
        assert before is not None
        assert before.rating != found.rows.rating
    assert moved, "the correction moved somebody who played on"


def test_a_part_for_a_script_is_the_same_receipt(public: Public) -> None:
    path = f"/en/players/{player_id(8)}/fide/2025-07-01"
    part = public.client.get(path, headers={"hx-request": "true"}).text
    assert "<html" not in part
    assert 'class="receipt"' in part
    chart = public.client.get(
        f"/en/players/{player_id(8)}/chart/fide", headers={"hx-request": "true"}
    ).text
    assert "<html" not in chart
    assert chart.count('class="mark"') >= 2, "tournaments are marks"


def test_a_tournament_shows_its_table_and_its_changes_but_no_findings(public: Public) -> None:
    page = public.client.get("/en/tournaments/2").text
    tables = all_of(page, "//table")
    assert len(tables) == 2
    assert len(all_of(page, "//table[1]//tbody/tr")) >= 8
    for number in (9, 12):
        found = public.office.people.period("fide", player_id(number), JUNE)
        event = next(e for e in found.rows.events if e.tournament.name == "Torneo delle Torri")
        wanted = f"{event.variation / 100:+.2f}".replace("-", "−")
        assert wanted in page
    assert "finding" not in page
    waiting = public.client.get("/en/tournaments/5").text
    assert "waits for the list of 1 Aug 2025" in waiting
    assert not all_of(waiting, "//table"), "a report on no list yet is not shown"


def test_pages_of_the_public_may_be_asked_for_again(client: Client) -> None:
    assert client.get("/en/lists").headers["cache-control"] == "no-cache"


def test_a_player_is_led_to_their_own_rating(own_public: Public) -> None:
    office, client = own_public.office, own_public.client
    with office.desk.database.writing() as connection:
        connection.execute(update(accounts).where(accounts.c.role == "player").values(player=KEPT))
    cookie = logged_in_cookie(office, Role.PLAYER)
    client.cookies.set(own_public.app.state.cookies.session, cookie)
    assert 'href="/it/my-rating"' in client.get("/it").text
    answer = client.get("/it/my-rating", follow_redirects=False)
    assert answer.headers["location"] == f"/it/players/{KEPT}"
    assert client.get("/it/my-rating").status_code == 200
    with office.desk.database.writing() as connection:
        connection.execute(update(accounts).values(player=99999999))
    answer = client.get("/it/my-rating")
    assert answer.status_code == 200
    assert answer.url.path == "/it/players", "on no list yet: the search says so"


def test_a_single_day_is_said_once() -> None:
    assert writing.days("it", JUNE, JUNE) == "1 giu 2025"
    assert writing.days("en", JUNE, JULY) == "1 Jun 2025 – 1 Jul 2025"
