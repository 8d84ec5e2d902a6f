"""12.13 — from a decided case to a published list: offered to the office, entered by a person."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from arrocco.desk import Office
from arrocco.desk.case_ratings import RatingsState
from arrocco.desk.desk import operator
from arrocco.errors import Illegal, Inconsistent, NotFound
from arrocco.hall import event as ev
from arrocco.laws.online.sanctions import Scope
from arrocco.office.cases.records import CaseSanction, OpponentPoints
from arrocco.office.ledger import Correction, GameExclusion
from arrocco.office.roles import Forbidden, Role
from arrocco.store.sql import mails
from tests.desk.decided_cases import SYSTEM, DecidedCases
from tests.desk.offices import Clock, People

LOSS = CaseSanction(article="13.3", rounds=(1,))
OUT = CaseSanction(article="13.5d", scope=Scope.TOURNAMENT)


@pytest.fixture
def c(office: Office, people: People, clock: Clock, tmp_path: Path) -> DecidedCases:
    return DecidedCases(office, people, clock, tmp_path)


def winner_of_round_1(c: DecidedCases) -> int:
    """An entry whose first game was won, so that losing it changes something."""
    for board in c.event.rounds[0].boards:
        assert board.result is not None
        for entry, points in zip(board.players, board.result.points, strict=True):
            if points == 10:
                return entry
    raise AssertionError("somebody won")


def state_of(c: DecidedCases, number: int) -> RatingsState:
    return c.office.case_ratings.seen_in_case(c.master, number, c.event).state


def test_12_13_a_published_list_is_corrected_in_the_next_one(c: DecidedCases) -> None:
    sent = c.accepted()
    june = c.publish()
    before = c.ratings(june)
    winner = winner_of_round_1(c)
    case = c.decided(LOSS, OUT, entry=winner)
    boss, ratings = c.people.administrator, c.office.case_ratings
    with pytest.raises(NotFound):  # in force, and the event has not taken it
        ratings.offered(boss, case.number, c.event)
    assert not ratings.waiting(boss, c.event)
    c.carried_out(case)
    assert state_of(c, case.number) is RatingsState.TO_CORRECT
    [waiting] = ratings.waiting(boss, c.event)
    assert waiting.case == case.number
    _, offer, preview = ratings.offered(boss, case.number, c.event)
    assert offer.report is not None
    assert offer.report.id == sent.id
    [change] = offer.changes
    assert (change.article, change.round) == ("13.3", 1)
    assert change.white_half + change.black_half == 0, "who lost keeps nothing, and the other loses"
    assert preview is not None
    [touched] = preview.impacts[SYSTEM].players
    assert touched.id == 99000100 + winner, "12.13: the opponent keeps what they had"
    assert touched.base_after is not None
    assert touched.base_before is not None
    fall = touched.base_after - touched.base_before
    assert fall < 0
    seq = ratings.enter(boss, case.number, c.event, "Caso 1 (13.3)")
    assert state_of(c, case.number) is RatingsState.CORRECTED
    assert not ratings.waiting(boss, c.event)
    assert ratings.of_corrections([seq, seq + 1]) == {seq: case.number}
    known, _ = c.office.cases.get(c.master, case.number, c.event)
    assert [(one.report, one.correction) for one in known.corrections] == [(sent.id, seq)]
    [(_, entered)] = c.office.corrections.of_report(boss, sent.id)
    assert isinstance(entered, Correction)
    assert entered.changes == (change,)
    july = c.publish()
    after = c.ratings(july)
    assert {n: after[n] - before[n] for n in after if after[n] != before[n]} == {
        99000100 + winner: fall
    }
    assert c.ratings(june) == before, "what is out stays"
    assert [one.findings for one in c.office.lists.verify_all() if not one.is_good] == []
    with pytest.raises(Illegal):
        ratings.enter(boss, case.number, c.event, "twice")


def test_12_13_opponents_who_win_by_the_decision_are_corrected_too(c: DecidedCases) -> None:
    c.accepted()
    c.publish()
    winner = winner_of_round_1(c)
    c.carried_out(c.decided(replace(LOSS, opponents=OpponentPoints.WIN), entry=winner))
    _, offer, preview = c.office.case_ratings.offered(c.people.administrator, 1, c.event)
    assert preview is not None
    assert len(preview.impacts[SYSTEM].players) == 2
    assert {offer.changes[0].white_half, offer.changes[0].black_half} == {0, 2}


def test_13_5b_before_publication_the_accepted_report_is_corrected(c: DecidedCases) -> None:
    c.accepted()
    change = CaseSanction(article="13.5b", round=1, points=(0, 0))
    c.carried_out(c.decided(change, entry=winner_of_round_1(c)))
    boss = c.people.administrator
    _, offer, preview = c.office.case_ratings.offered(boss, 1, c.event)
    assert [one.article for one in offer.changes] == ["13.5b"]
    assert preview is not None
    assert not preview.impacts, "it is on no list yet"
    c.office.case_ratings.enter(boss, 1, c.event, "Caso 1 (13.5b)")
    june = c.publish()
    assert [one.findings for one in c.office.lists.verify_all() if not one.is_good] == []
    assert c.ratings(june)


def test_a_report_that_waits_must_be_sent_again_and_one_to_come_is_right(c: DecidedCases) -> None:
    winner = winner_of_round_1(c)
    c.sent()
    case = c.decided(LOSS, entry=winner)
    c.carried_out(case)
    boss = c.people.administrator
    assert state_of(c, 1) is RatingsState.TO_SEND_AGAIN
    [waiting] = c.office.case_ratings.waiting(boss, c.event)
    assert waiting.state is RatingsState.TO_SEND_AGAIN
    with pytest.raises(Illegal):
        c.office.case_ratings.enter(boss, 1, c.event, "no")
    c.accepted()  # sent again, with the results as decided
    assert state_of(c, 1) is RatingsState.UNCHANGED
    assert not c.office.case_ratings.waiting(boss, c.event)


def test_without_a_report_there_is_nothing_to_correct(c: DecidedCases) -> None:
    c.carried_out(c.decided(LOSS, entry=winner_of_round_1(c)))
    assert state_of(c, 1) is RatingsState.NOT_SENT
    with pytest.raises(NotFound):
        c.office.case_ratings.offered(c.people.administrator, 1, c.event)


def test_12_13_an_exclusion_alone_moves_no_rating(c: DecidedCases) -> None:
    c.accepted()
    c.publish()
    c.carried_out(c.decided(OUT, CaseSanction(article="13.5a")))
    assert state_of(c, 1) is RatingsState.UNCHANGED
    assert not c.office.case_ratings.waiting(c.people.administrator, c.event)


def test_a_game_that_the_office_has_excluded_is_not_rated_again(c: DecidedCases) -> None:
    sent = c.accepted()
    c.publish()
    winner = winner_of_round_1(c)
    c.carried_out(c.decided(LOSS, entry=winner))
    boss = c.people.administrator
    _, offer, _ = c.office.case_ratings.offered(boss, 1, c.event)
    [change] = offer.changes
    out = GameExclusion(
        round=change.round,
        white=change.white,
        black=change.black,
        ground="fair_play",
        article="5.1",
    )
    c.office.corrections.enter(boss, sent.id, [out], "5.1")
    assert state_of(c, 1) is RatingsState.UNCHANGED


def test_only_the_rating_office_enters_it_and_undecided_cases_are_not_its_business(
    c: DecidedCases,
) -> None:
    c.accepted()
    c.publish()
    case = c.decided(LOSS, entry=winner_of_round_1(c))
    c.carried_out(case)
    people = c.people
    for asker in (people.root, people.officer, people.arbiter, people.player, c.master):
        for ask in (
            lambda asker=asker: c.office.case_ratings.offered(asker, case.number, c.event),
            lambda asker=asker: c.office.case_ratings.enter(asker, case.number, c.event, "x"),
        ):
            with pytest.raises(Forbidden):
                ask()
        assert c.office.case_ratings.waiting(asker, c.event) == []
    with pytest.raises(NotFound):
        c.office.case_ratings.offered(people.administrator, 99, c.event)
    with pytest.raises(Inconsistent):
        c.office.case_ratings.enter(people.administrator, case.number, c.event, "  ")


def test_the_officers_and_then_the_player_are_written_to(c: DecidedCases) -> None:
    c.accepted()
    c.publish()
    c.carried_out(c.decided(CaseSanction(article="13.5b", round=1, points=(0, 0))))
    boss = c.people.administrator

    def told(account: int | None) -> list[str]:
        with c.office.desk.database.reading() as connection:
            return [str(mail) for mail in mails.newest(connection) if mail.account == account]

    assert any("/desk/case-ratings/1" in mail for mail in told(boss.account))
    before = len(told(c.people.player.account))
    c.office.case_ratings.enter(boss, 1, c.event, "Caso 1 (13.5b)")
    assert len(told(c.people.player.account)) == before + 1


def test_15_1_an_office_that_rates_what_was_played_reads_so_everywhere(c: DecidedCases) -> None:
    """The hand-over has the game as it was won, and the decision leaves nothing to correct."""
    boss, winner = c.people.administrator, winner_of_round_1(c)
    c.office.readings.choose(
        operator(Role.HEAD_OF_OFFICE),
        "rio",
        "rated_score",
        "as_played",
        c.next_list(),
        "delibera finta 2",
    )
    case = c.decided(LOSS, entry=winner)
    c.carried_out(case)
    rio = c.office.readings.rio_on(c.event.created.start)
    assert rio.readings["rated_score"] == "as_played"
    played, decided = (ev.to_report(c.event, rio=read) for read in (rio, c.event.laws.rio))
    first = [[game for game in one.games if game.round == 1] for one in (played, decided)]
    assert first[0] != first[1], "the decision took the win away"
    sent = c.accepted()
    read, _ = c.office.desk.parsed.read(c.office.desk.blobs.get(sent.blob), sent.file_name)
    sent_games, played_games = (
        {(one.round, one.white, one.black, one.white_score, one.black_score) for one in games}
        for games in (read.games, played.games)
    )
    assert sent_games == played_games
    assert state_of(c, case.number) is RatingsState.UNCHANGED
    assert not c.office.case_ratings.waiting(boss, c.event)
    june = c.publish()
    explained = c.office.people.period(SYSTEM, 99000100 + winner, june)
    assert explained.law.reads("rated_score", "as_played")
