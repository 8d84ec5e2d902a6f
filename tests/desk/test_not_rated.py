"""FIDE 2024 0.4 and 5.1 — what was refused, annulled or excluded is not rated."""

from __future__ import annotations

from datetime import date

import pytest

from arrocco.desk import Office
from arrocco.errors import Illegal, Inconsistent
from arrocco.office.ledger import Correction, GameExclusion, ResultCorrection
from arrocco.office.records import ReportStatus, TournamentStatus
from arrocco.office.roles import Forbidden
from tests.desk.offices import Clock, People, accepted, player_id, published, report
from tests.desk.test_counted_once import (
    JULY,
    JUNE,
    START,
    games_of,
    rating_of,
    registered,
    send,
)
from tests.desk.test_counted_once import people as people

AUGUST = date(2025, 8, 1)


@pytest.mark.parametrize("act", ["refuse", "cancel"])
def test_0_4_a_tournament_that_is_refused_or_cancelled_is_not_rated(
    small_office: Office, clock: Clock, people: People, act: str
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    sent = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, sent.id)
    change = getattr(small_office.tournaments, act)
    changed = change(people.administrator, number, "it never took place")
    assert changed.status in (TournamentStatus.REFUSED, TournamentStatus.CANCELLED)
    kept = small_office.reports.get(people.administrator, sent.id)
    assert (kept.status, kept.note) == (ReportStatus.WITHDRAWN, "it never took place")
    published(small_office, people, "fide", JUNE)
    assert games_of(small_office, 1) == []


def test_0_4_what_is_on_a_published_list_is_not_refused_in_silence(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    sent = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, sent.id)
    published(small_office, people, "fide", JUNE)
    with pytest.raises(Illegal) as refused:
        small_office.tournaments.refuse(people.administrator, number, "no arbiter")
    assert refused.value.key == "desk.refused.rated_already"
    tournament = small_office.tournaments.get(people.administrator, number)
    assert tournament.status is TournamentStatus.REGISTERED


def published_tournament(office: Office, clock: Clock, people: People) -> int:
    """The number of a tournament on the list of June."""
    sent = accepted(office, clock, people, report(1, START), ("fide",))
    published(office, people, "fide", JUNE)
    return sent.tournament


def test_0_4_annulling_a_published_tournament_takes_out_what_it_brought(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss = people.administrator
    before = {n: rating_of(small_office, player_id(n)) for n in range(1, 9)}
    number = published_tournament(small_office, clock, people)
    changed = {n: rating_of(small_office, player_id(n)) for n in range(1, 9)}
    assert changed != before
    preview = small_office.annulments.preview(boss, number)
    impact = preview.impacts["fide"]
    assert preview.next_lists == {"fide": JULY}
    assert {p.id: p.base_after for p in impact.players} == {player_id(n): before[n] for n in before}
    assert all(p.games_after == 0 for p in impact.players)
    found = small_office.annulments.enter(boss, number, "it was never played")
    assert (found.status, found.refusal_reason) == (TournamentStatus.REFUSED, "it was never played")
    assert found.appeal_until is not None
    published(small_office, people, "fide", JULY)
    assert {n: rating_of(small_office, player_id(n)) for n in before} == before
    assert all(one.is_good for one in small_office.lists.verify_all())


def test_0_4_an_annulled_tournament_whose_appeal_is_upheld_is_rated_by_a_new_report(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss = people.administrator
    number = published_tournament(small_office, clock, people)
    rated = {n: rating_of(small_office, player_id(n)) for n in range(1, 9)}
    small_office.annulments.enter(boss, number, "no arbiter")
    (old,) = small_office.reports.of_tournament(boss, number)
    assert old.status is ReportStatus.ANNULLED
    change = ResultCorrection(round=1, white=1, black=8, white_half=1, black_half=1)
    with pytest.raises(Illegal) as refused:
        small_office.corrections.enter(boss, old.id, [change], "a draw")
    assert refused.value.key == "desk.refused.annulled_already"
    small_office.tournaments.appeal(people.arbiter, number, "there was one")
    small_office.tournaments.decide_appeal(boss, number, upheld=True)
    again = send(small_office, people, number, report(1, START))
    small_office.reports.accept(boss, again.id)
    published(small_office, people, "fide", JULY)
    assert {n: rating_of(small_office, player_id(n)) for n in rated} == rated
    assert all(one.is_good for one in small_office.lists.verify_all())


def test_0_4_only_who_decides_annuls_and_only_what_is_published(
    small_office: Office, clock: Clock, people: People
) -> None:
    sent = accepted(small_office, clock, people, report(1, START), ("fide",))
    with pytest.raises(Illegal) as refused:
        small_office.annulments.preview(people.administrator, sent.tournament)
    assert refused.value.key == "desk.refused.on_no_list"
    published(small_office, people, "fide", JUNE)
    with pytest.raises(Forbidden):
        small_office.annulments.enter(people.arbiter, sent.tournament, "mine")


def test_0_4_annulling_takes_a_tournament_off_the_lists_to_come_as_well(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss = people.administrator
    sent = accepted(small_office, clock, people, report(1, START), ("fide", "uisp"))
    published(small_office, people, "fide", JUNE)
    small_office.annulments.enter(boss, sent.tournament, "it was never played")
    lists = small_office.reports.lists(boss, sent.id)
    assert {system: is_out for system, (_, is_out) in lists.items()} == {"fide": True}
    clock.go_to(JULY)
    published(small_office, people, "uisp", JULY)
    assert "uisp" not in small_office.people.history(player_id(1))


# --- one game -------------------------------------------------------------------------------------


def exclusion(ground: str = "fair_play") -> GameExclusion:
    game = report(1, START).games[0]
    return GameExclusion(
        round=1,
        white=game.white,
        black=game.black,
        ground=ground,  # type: ignore[arg-type]
        article="5.1",
    )


@pytest.mark.parametrize("ground", ["fair_play", "force_majeure"])
def test_5_1_a_game_is_excluded_with_its_reason_and_not_recoded(
    small_office: Office, clock: Clock, people: People, ground: str
) -> None:
    boss = people.administrator
    sent = accepted(small_office, clock, people, report(1, START), ("fide",))
    change = exclusion(ground)
    seq = small_office.corrections.enter(boss, sent.id, [change], "decided by the commission")
    game = small_office.corrections.as_corrected(boss, sent.id).games[0]
    assert game.kind == ground
    assert game.white_score + game.black_score == 2  # the result stays
    published(small_office, people, "fide", JUNE)
    player = report(1, START).entries[change.white - 1].id or 0
    assert small_office.people.history(player)["fide"][-1].games == 6
    with small_office.desk.database.reading() as connection:
        entry = small_office.desk.book(connection).entries[seq]
    assert isinstance(entry, Correction)
    assert entry.changes == (change,)
    assert all(one.is_good for one in small_office.lists.verify_all())


def test_5_1_a_game_of_a_published_list_is_excluded_by_the_next_one(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss = people.administrator
    sent = accepted(small_office, clock, people, report(1, START), ("fide",))
    published(small_office, people, "fide", JUNE)
    preview = small_office.corrections.preview(boss, sent.id, [exclusion()])
    assert [p.games_after - p.games_before for p in preview.impacts["fide"].players] == [-1, -1]
    small_office.corrections.enter(boss, sent.id, [exclusion()], "an engine was used")
    published(small_office, people, "fide", JULY)
    after = {p.id: p.base_after for p in preview.impacts["fide"].players}
    assert {player: rating_of(small_office, player) for player in after} == after
    assert all(one.is_good for one in small_office.lists.verify_all())


def test_5_1_an_exclusion_goes_with_its_game_into_a_report_sent_again(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(boss, first.id)
    small_office.corrections.enter(boss, first.id, [exclusion()], "an engine was used")
    second = send(small_office, people, number, made)
    small_office.reports.accept(boss, second.id)
    assert small_office.corrections.as_corrected(boss, second.id).games[0].kind == "fair_play"
    published(small_office, people, "fide", JUNE)
    assert games_of(small_office, 1) == [6]


def test_5_1_only_a_game_that_was_played_and_counts_is_excluded(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss = people.administrator
    sent = accepted(small_office, clock, people, report(1, START), ("fide",))
    small_office.corrections.enter(boss, sent.id, [exclusion()], "an engine was used")
    with pytest.raises(Inconsistent) as refused:
        small_office.corrections.enter(boss, sent.id, [exclusion()], "again")
    assert refused.value.key == "office.refused.not_to_exclude"
