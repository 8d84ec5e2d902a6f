"""FIDE 2024 0.4 — what was annulled after publication shows as such to everybody."""

from __future__ import annotations

from datetime import timedelta
from html import unescape

import pytest

from arrocco.desk import Office
from arrocco.office.ledger import PlayerChanged
from arrocco.words import LANGUAGES, Language, say
from tests.desk.offices import Clock, People, accepted, player_id, published, report
from tests.desk.test_counted_once import JULY, JUNE, START, send
from tests.desk.test_counted_once import people as people
from tests.desk.test_exclusion_shown import visiting

FIRST = player_id(1)
NAME = report(1, START).name
"""Of the tournament that is annulled."""


@pytest.fixture
def in_june(small_office: Office, clock: Clock, people: People) -> Office:
    """An office that has annulled a tournament of its list of June."""
    sent = accepted(small_office, clock, people, report(1, START), ("fide",))
    published(small_office, people, "fide", JUNE)
    small_office.annulments.enter(people.administrator, sent.tournament, "it was never played")
    return small_office


@pytest.fixture
def annulled(in_june: Office, clock: Clock, people: People) -> Office:
    """The same once the list of July has taken back what the tournament brought."""
    clock.go_to(JULY)
    published(in_june, people, "fide", JULY)
    return in_june


def ratings(office: Office) -> list[int | None]:
    """Of one player on the lists of June and July."""
    rows = office.people.history(FIRST)["fide"]
    return [row.rating for row in rows if row.list_date in (JUNE, JULY)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_0_4_the_receipt_of_who_did_not_play_says_what_moved_the_rating(
    annulled: Office, language: Language
) -> None:
    june, july = ratings(annulled)
    with visiting(annulled) as client:
        receipt = unescape(client.get(f"/{language}/players/{FIRST}/fide/{JULY}").text)
        told = client.get(f"/api/v1/players/{FIRST}/fide/{JULY}").json()
    moved = say(language, "public.period.base_moved", opened="|", listed=june, rating=july)
    assert moved.split("|")[1] in receipt
    assert say(language, "public.player.entry.annulled", number=1) in receipt
    assert (told["listed"], told["new_rating"]) == (june, july)
    assert [(one["kind"], one["tournament"]) for one in told["entered"]] == [("annulled", 1)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_0_4_a_tournament_that_a_list_was_made_of_stays_to_be_seen(
    annulled: Office, language: Language
) -> None:
    with visiting(annulled) as client:
        receipt = client.get(f"/{language}/players/{FIRST}/fide/{JUNE}").text
        page = client.get(f"/{language}/tournaments/1")
        calendar = client.get(f"/{language}/tournaments").text
        told = client.get("/api/v1/tournaments/1").json()
    assert f"/{language}/tournaments/1" in receipt, "a published receipt leads to it"
    assert page.status_code == 200
    assert say(language, "public.tournament.annulled") in unescape(page.text)
    assert NAME in calendar
    assert say(language, "public.tournaments.annulled") in calendar
    assert told["tournament"]["annulled"]
    (table,) = told["tables"]
    assert sum(len(line["rounds"]) for line in table) == 8 * 7
    assert {line["points"] for line in table} != {"0"}


def test_0_4_once_its_appeal_is_upheld_the_new_report_is_shown_alone(
    in_june: Office, people: People
) -> None:
    in_june.tournaments.appeal(people.arbiter, 1, "it was played")
    in_june.tournaments.decide_appeal(people.administrator, 1, upheld=True)
    again = send(in_june, people, 1, report(1, START))
    in_june.reports.accept(people.administrator, again.id)
    with visiting(in_june) as client:
        told = client.get("/api/v1/tournaments/1").json()
    assert not told["tournament"]["annulled"]
    assert len(told["tables"]) == 1


def test_a_refused_tournament_that_was_on_no_list_is_not_shown(
    small_office: Office, clock: Clock, people: People
) -> None:
    sent = accepted(small_office, clock, people, report(1, START), ("fide",))
    small_office.tournaments.refuse(people.administrator, sent.tournament, "no arbiter")
    with visiting(small_office) as client:
        assert client.get(f"/en/tournaments/{sent.tournament}").status_code == 404
        assert NAME not in client.get("/en/tournaments").text


def test_a_death_is_told_with_the_first_lists_that_are_without_the_player(
    annulled: Office, clock: Clock, people: People
) -> None:
    died = JULY + timedelta(days=1)
    gone = PlayerChanged(player=FIRST, died=died, from_day=died, reason="the family told")
    annulled.people.change(people.administrator, gone)
    days = [JULY.replace(month=month) for month in (8, 9)]
    for day in days:
        clock.go_to(day)
        published(annulled, people, "fide", day)
    with visiting(annulled) as client:
        told = client.get(f"/api/v1/players/{FIRST}/history").json()
        page = client.get(f"/en/players/{FIRST}").text
    (entry,) = [one for one in told["entries"] if one["kind"] == "died"]
    assert entry["lists"] == {"fide": days[0].isoformat()}
    assert say("en", "public.player.note.left") in page
    assert say("en", "public.player.note.delisted") not in page
