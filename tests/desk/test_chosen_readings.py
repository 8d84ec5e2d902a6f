"""An office chooses how it reads open articles: from a list on, in the ledger, on every road."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from arrocco.cli.main import program
from arrocco.desk import Office
from arrocco.desk.book import Book
from arrocco.desk.desk import operator
from arrocco.engine.receipt_steps import readings_behind
from arrocco.errors import Illegal, Inconsistent, Refusal
from arrocco.formats.lists import read_list
from arrocco.office.ledger import ListPublished, ReadingChosen
from arrocco.office.roles import Asker, Forbidden, Role
from arrocco.records.report import Report
from arrocco.store.explanation_steps import articles
from arrocco.store.list_folder import LIST
from arrocco.units import HalfPoints
from tests.desk.office_replay.replayed import differing_files, replayed
from tests.desk.offices import (
    HEADING,
    RATINGS,
    Clock,
    People,
    accepted,
    folder_bytes,
    name_of,
    people_of,
    player_id,
    published,
    report,
)

MAY, JUNE, JULY, AUGUST = (date(2025, month, 1) for month in (5, 6, 7, 8))
LEAVING = 8
"""Opens at 1401, loses every game of May, and is on the list of June without a rating."""
WHY = "decision of the board"
HEAD = operator(Role.HEAD_OF_OFFICE)


@pytest.fixture
def people(small_office: Office, clock: Clock, tmp_path: Path) -> People:
    found = people_of(small_office)
    rows = [
        f'{player_id(n)},"{name_of(n)}",ITA,M,1970,,{1401 if n == LEAVING else rating},20,0,\n'
        for n, rating in enumerate(RATINGS, start=1)
    ]
    path = tmp_path / "may.csv"
    path.write_text(HEADING + "".join(rows), "utf-8")
    small_office.lists.import_list(found.administrator, "fide", MAY, path)
    return found


def lost_by(made: Report, number: int) -> Report:
    """A report in which one player loses every game."""
    place = next(entry.number for entry in made.entries if entry.id == player_id(number))
    games = []
    for game in made.games:
        if place in (game.white, game.black):
            halves = HalfPoints(0), HalfPoints(2)
            white, black = halves if game.white == place else halves[::-1]
            games.append(replace(game, white_score=white, black_score=black))
        else:
            games.append(game)
    for entry in made.entries:
        entry.points = 5 * sum(
            game.white_score * (game.white == entry.number)
            + game.black_score * (game.black == entry.number)
            for game in games
        )
    return replace(made, games=games)


def rated(office: Office, day: date, number: int = LEAVING) -> int | None:
    listed, _ = read_list(office.lists.folder("fide", day) / LIST)
    player = listed.player(player_id(number))
    return None if player is None or player.rating is None else int(player.rating)


def chosen(office: Office, choice: str, from_list: date, asker: Asker = HEAD) -> int:
    return office.readings.choose(asker, "fide", "reentry", choice, from_list, WHY)


def test_7_2_1_the_office_chooses_how_who_was_delisted_comes_back(
    small_office: Office, clock: Clock, people: People, tmp_path: Path
) -> None:
    """Delisted in June, zero points then: ignored by default, counted where games are kept."""
    office, boss = small_office, people.administrator
    accepted(office, clock, people, lost_by(report(1, date(2025, 5, 9)), LEAVING), ("fide",))
    draft = office.lists.enter_draft(boss, "fide", JUNE)
    office.lists.run_draft(draft)
    assert not office.lists.is_behind(boss, draft)
    seq = chosen(office, "keeps_games", JUNE)
    assert office.lists.is_behind(boss, draft), "it was read in another way"
    with pytest.raises(Illegal):
        office.lists.publish(boss, draft, before_closing=True)
    published(office, people, "fide", JUNE)
    assert rated(office, JUNE) is None
    accepted(office, clock, people, lost_by(report(2, date(2025, 6, 9)), LEAVING), ("fide",))
    published(office, people, "fide", JULY)
    assert rated(office, JULY) is not None, "no first event is ignored: the zero counts"

    # the ledger has the choice, and the list that it was made so
    with office.desk.database.reading() as connection:
        book = office.desk.book(connection)
    entry = book.entries[seq]
    assert entry == ReadingChosen(
        law="fide", reading="reentry", choice="keeps_games", from_list=JUNE, reason=WHY
    )
    lists = {day: book.entries[at] for day, at in book.lists("fide").items()}
    ways = {
        day: one.readings["reentry"] for day, one in lists.items() if isinstance(one, ListPublished)
    }
    assert ways == {JUNE: "keeps_games", JULY: "keeps_games"}

    # taken back for August: what is out stays, and all of it is built again to the byte
    before = {day: folder_bytes(office.lists.folder("fide", day)) for day in (JUNE, JULY)}
    chosen(office, "as_new", AUGUST)
    accepted(office, clock, people, report(3, date(2025, 7, 9)), ("fide",))
    published(office, people, "fide", AUGUST)
    made = office.lists.verify_all()
    assert len(made) == 4, "the imported one too"
    assert all(one.is_good for one in made)
    for day, files in before.items():
        assert folder_bytes(office.lists.folder("fide", day)) == files

    # whoever asks for a receipt is told
    explained = office.people.period("fide", player_id(LEAVING), JULY)
    told = {one.name for one in readings_behind(explained.law, articles(explained, "en"))}
    assert "reentry" in told
    plain = office.people.period("fide", player_id(LEAVING), AUGUST)
    assert "reentry" not in {one.name for one in readings_behind(plain.law, articles(plain, "en"))}

    # and a replay of what was in force comes to the same lists; by default it would not
    again, by_default = "fide", "fide@2024-03-01"
    _, found = replayed(office, "fide", JUNE, AUGUST, again, tmp_path / "again")
    assert found.reports["replayed"] == 3
    assert differing_files(office, "fide", found) == []
    _, other = replayed(office, "fide", JUNE, AUGUST, by_default, tmp_path / "default")
    assert (JULY, LIST) in differing_files(office, "fide", other)


def test_a_list_made_in_another_way_than_the_ledger_says_is_found(
    small_office: Office, clock: Clock, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = small_office
    accepted(office, clock, people, report(1, date(2025, 5, 9)), ("fide",))
    chosen(office, "keeps_games", JUNE)
    with monkeypatch.context() as patch:
        patch.setattr(Book, "readings", lambda *_: {})
        published(office, people, "fide", JUNE)
    (found,) = [one for one in office.lists.verify_all() if one.list_date == JUNE]
    assert [(one.key, one.details["part"]) for one in found.findings] == [
        ("desk.verify.plan", "readings")
    ]


def test_only_the_head_of_the_office_chooses(
    small_office: Office, clock: Clock, people: People
) -> None:
    office = small_office
    for asker in (people.administrator, people.officer, people.arbiter, people.player, Asker()):
        with pytest.raises(Forbidden):
            chosen(office, "keeps_games", JUNE, asker)
    chosen(office, "keeps_games", JUNE)
    refused = office.audit.page(people.root, action="choose_reading", outcome="refused")
    assert {line.role for line in refused} == {
        "rating_administrator",
        "federation_officer",
        "arbiter",
        "player",
    }
    (done,) = office.audit.page(people.root, action="choose_reading", outcome="done")
    assert (done.role, done.subject) == ("head_of_office", "reading:fide:reentry")
    assert (done.details["choice"], done.details["from_list"]) == ("keeps_games", "2025-06-01")


@pytest.mark.parametrize(
    ("law", "reading", "choice", "day", "key"),
    [
        ("fide", "reentry", "as_new", JUNE, "desk.refused.read_so_already"),
        ("fide", "reentry", "keeps_games", MAY, "desk.refused.list_is_out"),
        ("fide", "reentry", "keeps_games", date(2025, 6, 2), "desk.refused.no_list_then"),
        ("fide", "reentry", "otherwise", JUNE, "laws.refused.no_choice"),
        ("fide", "published_ru", "first", JUNE, "laws.refused.no_reading"),
        ("rio", "publication_interval", "quarterly", JUNE, "laws.refused.no_reading"),
        ("online", "yellow_cards", "always_yellow", JUNE, "laws.refused.no_regulation"),
    ],
)
def test_what_cannot_be_chosen(
    small_office: Office,
    clock: Clock,
    people: People,
    law: str,
    reading: str,
    choice: str,
    day: date,
    key: str,
) -> None:
    office = small_office
    with pytest.raises(Refusal) as refused:
        office.readings.choose(HEAD, law, reading, choice, day, WHY)
    assert refused.value.key == key
    with pytest.raises(Inconsistent):
        office.readings.choose(HEAD, "fide", "reentry", "keeps_games", JUNE, "  ")
    assert office.readings.all() == []


def test_8_58_which_ru_is_published_is_chosen_in_an_office_of_2011(
    small_office: Office, clock: Clock
) -> None:
    """The reading of an edition can be chosen where that edition settles the period."""
    office, day = small_office, date(2011, 9, 1)
    clock.go_to(date(2011, 8, 1))
    office.readings.choose(HEAD, "fide", "published_ru", "first", day, WHY)
    assert office.readings.for_list("fide", day) == {"published_ru": "first"}
    assert office.readings.for_list("fide", date(2011, 7, 1)) == {}
    shown = {one.reading.name: one for one in office.readings.offered() if one.law == "fide"}
    assert (shown["published_ru"].choice.name, shown["published_ru"].is_default) == ("first", False)


def test_the_command_line_chooses_and_shows(
    small_office: Office, clock: Clock, people: People
) -> None:
    folder = str(small_office.folder)

    def run(*args: str) -> object:
        done = CliRunner().invoke(program, ["office", *args, "--office", folder, "--json"])
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    # the command line has today's date: a list far ahead is to come whenever it is
    told = run(
        "choose-reading", "uisp", "decimals=carried", "--from", "2031-01-01", "--reason", WHY
    )
    assert isinstance(told, dict)
    assert told["choice"] == "carried"
    shown = run("readings")
    assert isinstance(shown, dict)
    assert [(one["law"], one["choice"]) for one in shown["chosen"]] == [("uisp", "carried")]
    assert {one["law"] for one in shown["next_list"]} >= {"fide", "uisp"}
    text = CliRunner().invoke(program, ["office", "readings", "--office", folder, "--lang", "it"])
    assert "decimals: carried, dalla lista del" in text.stdout
