"""FIDE 2024 5.1 — an excluded game shows in explanation, tournament, list and ledger."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from html import unescape

import pytest
from litestar.testing import TestClient

from arrocco.desk import Office
from arrocco.office.ledger import GameExclusion
from arrocco.web import writing
from arrocco.words import LANGUAGES, Language, say
from tests.cli.tournaments import run
from tests.desk.offices import Clock, People, accepted, published, report
from tests.desk.test_counted_once import people as people
from tests.web.apps import app_of
from tests.web.conftest import Client

START, JUNE = date(2025, 5, 8), date(2025, 6, 1)
GAME = report(1, START).games[0]
IDS = {entry.number: entry.id for entry in report(1, START).entries}
WHITE, BLACK = IDS[GAME.white], IDS[GAME.black]
OTHERS = set(filter(None, IDS.values())) - {WHITE, BLACK}


@pytest.fixture
def listed(small_office: Office, clock: Clock, people: People) -> Office:
    """An office whose list of June leaves one game out."""
    sent = accepted(small_office, clock, people, report(1, START), ("fide",))
    change = GameExclusion(
        round=GAME.round, white=GAME.white, black=GAME.black, ground="force_majeure", article="5.1"
    )
    small_office.corrections.enter(people.administrator, sent.id, [change], "a decision")
    published(small_office, people, "fide", JUNE)
    return small_office


@contextmanager
def visiting(office: Office) -> Iterator[Client]:
    with TestClient(app_of(office)) as client:
        yield client


@pytest.mark.parametrize("language", LANGUAGES)
def test_5_1_in_the_explanation(listed: Office, language: Language) -> None:
    why = say(language, "explain.exclusion.force_majeure")
    folder = str(listed.lists.folder("fide", JUNE))
    for player in (WHITE, BLACK):
        told = run("player", "explain", str(player), "--folder", folder, "--lang", language)
        (line,) = [line for line in told.output.splitlines() if why in line]
        assert "5.1" in line
    with visiting(listed) as client:
        assert why in client.get(f"/{language}/players/{WHITE}/fide/{JUNE}").text
        games = json.loads(client.get(f"/api/v1/players/{WHITE}/fide/{JUNE}").text)
    (event,) = games["tournaments"]
    out = [(one["article"], one["excluded"]) for one in event["games"] if one["excluded"]]
    assert out == [("5.1", "force_majeure")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_5_1_in_tournament_list_and_ledger(listed: Office, language: Language) -> None:
    with visiting(listed) as client:
        table = client.get(f"/{language}/tournaments/1").text
        files = client.get(f"/{language}/lists/fide/{JUNE}/files").text
        told = client.get(f"/api/v1/lists/fide/{JUNE}").json()
        entries = client.get("/api/v1/ledger/entries").text
    assert table.count(say(language, "web.excluded")) == 2, "of each of the two players"
    edition = writing.edition_day(language, told["edition"])
    assert told["corrections"] == 1
    made = say(language, "public.files.made", edition=edition, reports=1, corrections=1)
    assert made in unescape(files)
    assert "force_majeure" in entries


def test_5_1_on_the_pages_of_the_two_players_with_its_list(listed: Office) -> None:
    with visiting(listed) as client:
        pages = {id_: client.get(f"/en/players/{id_}").text for id_ in IDS.values()}
    told = {id_ for id_, page in pages.items() if "A game is not rated" in page}
    assert told == {WHITE, BLACK}
    for id_ in told:
        (row,) = [row for row in pages[id_].split("<tr>") if "A game is not rated" in row]
        assert f"/en/lists/fide/{JUNE}" in row
        assert say("en", "public.player.next_list") not in row


@pytest.mark.parametrize("language", LANGUAGES)
def test_5_1_the_receipt_names_what_was_entered_with_the_list(
    listed: Office, language: Language
) -> None:
    with visiting(listed) as client:
        receipt = client.get(f"/{language}/players/{WHITE}/fide/{JUNE}").text
        told = client.get(f"/api/v1/players/{WHITE}/fide/{JUNE}").json()
        other = client.get(f"/api/v1/players/{min(OTHERS)}/fide/{JUNE}").json()
    assert say(language, "public.player.entry.excluded", number=1) in unescape(receipt)
    assert [(one["kind"], one["tournament"]) for one in told["entered"]] == [("excluded", 1)]
    assert other["entered"] == []
