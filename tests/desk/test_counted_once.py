"""FIDE 2024 4, 9.1 and 0.4 — each game counts once, and what was refused is not rated."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.desk.lookup import Lookup
from arrocco.errors import Illegal
from arrocco.office.ledger import IdCorrection, ResultCorrection
from arrocco.office.records import ReportStatus, SentReport, Tournament
from arrocco.records.report import Entry, Game, Report
from arrocco.units import HalfPoints
from tests.desk.offices import (
    Clock,
    People,
    data_of,
    people_of,
    played_anew,
    player_id,
    published,
    registration_of,
    report,
    swiss,
    write_opening,
)

MAY, JUNE, JULY = date(2025, 5, 1), date(2025, 6, 1), date(2025, 7, 1)
START = date(2025, 5, 8)


@pytest.fixture
def people(small_office: Office, clock: Clock, tmp_path: Path) -> People:
    """An office with a list of May."""
    found = people_of(small_office)
    opening = write_opening(tmp_path / "fide.csv")
    small_office.lists.import_list(found.administrator, "fide", MAY, opening)
    return found


def registered(
    office: Office, clock: Clock, people: People, made: Report, systems: tuple[str, ...] = ("fide",)
) -> Tournament:
    assert made.start is not None
    assert made.end is not None
    clock.go_to(made.start - timedelta(days=40))
    tournament = office.tournaments.register(people.arbiter, registration_of(made, systems))
    clock.go_to(made.end + timedelta(days=2))
    return tournament


def send(office: Office, people: People, number: int, made: Report) -> SentReport:
    sent = office.reports.send(people.arbiter, number, "report.trf", data_of(made))
    if sent.status is not ReportStatus.NEEDS_ANSWERS:
        return sent
    warned = {i: "it was so" for i, f in enumerate(sent.findings) if f.severity == "warning"}
    return office.reports.answer(people.arbiter, sent.id, warned)


def keys(sent: SentReport) -> set[str]:
    return {finding.key for finding in sent.findings}


def games_of(office: Office, number: int) -> list[int]:
    """The games of a player on each list after the first."""
    return [row.games for row in office.people.history(player_id(number))["fide"] if row.games]


def one_day_longer(made: Report) -> Report:
    assert made.end is not None
    return replace(made, end=made.end + timedelta(days=1))


def test_9_1_a_report_sent_again_with_another_last_day_takes_the_place_of_the_first(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(boss, first.id)
    second = send(small_office, people, number, one_day_longer(made))
    assert "office.replaces" in keys(second)
    small_office.reports.accept(boss, second.id)
    assert small_office.reports.get(boss, first.id).status is ReportStatus.SUPERSEDED
    published(small_office, people, "fide", JUNE)
    assert games_of(small_office, 1) == [7]


def test_9_1_after_publication_the_same_games_are_a_correction(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, first.id)
    published(small_office, people, "fide", JUNE)
    second = send(small_office, people, number, one_day_longer(made))
    assert "office.corrects_rated" in keys(second)
    with pytest.raises(Illegal):
        small_office.reports.accept(people.administrator, second.id)
    offer, preview = small_office.replacements.preview(people.administrator, second.id)
    assert [difference.key for difference in offer.differences] == ["office.difference.days"]
    assert offer.rated.id == first.id
    assert preview.next_lists == {"fide": JULY}
    small_office.replacements.enter(people.administrator, second.id, "the last day was wrong")
    changed = small_office.reports.get(people.administrator, second.id)
    assert changed.status is ReportStatus.CORRECTION
    published(small_office, people, "fide", JULY)
    assert games_of(small_office, 1) == [7]


def test_9_1_a_report_sent_again_without_a_difference_corrects_nothing(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, first.id)
    published(small_office, people, "fide", JUNE)
    again = send(small_office, people, number, made)
    assert again.status is ReportStatus.RETURNED
    assert "office.games_rated" in keys(again)
    with pytest.raises(Illegal) as refused:
        small_office.replacements.enter(people.administrator, again.id, "why")
    assert refused.value.key == "desk.refused.no_correction"


def test_9_1_a_correction_is_not_too_late_after_the_third_list(
    small_office: Office, clock: Clock, people: People
) -> None:
    """Its games are rated already; a first report on the same day is too late."""
    made, other = report(1, START), report(3, START, name="Another tournament")
    number, late = (registered(small_office, clock, people, one).id for one in (made, other))
    first = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, first.id)
    for day in (JUNE, JULY, date(2025, 8, 1), date(2025, 9, 1)):
        clock.go_to(day)
        published(small_office, people, "fide", day)
    assert "check.too_late" in keys(send(small_office, people, late, other))
    second = send(small_office, people, number, one_day_longer(made))
    assert "check.too_late" not in keys(second)
    offer, _ = small_office.replacements.preview(people.administrator, second.id)
    assert offer.rated.id == first.id


def rating_of(office: Office, player: int) -> int:
    """The rating on the last list."""
    return office.people.history(player)["fide"][-1].rating or 0


def scores_of(games: list[Game]) -> list[tuple[int, int, int, int]]:
    return sorted((game.round, game.white, game.black, game.white_score) for game in games)


def test_9_1_a_result_in_a_report_sent_again_is_carried_into_the_next_list(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(boss, first.id)
    published(small_office, people, "fide", JUNE)
    game = next(one for one in made.games if one.white_score == 2)
    turned = replace(game, white_score=game.black_score, black_score=game.white_score)
    entries = [replace(entry, points=None) for entry in made.entries]
    games = [turned if one is game else one for one in made.games]
    second = send(small_office, people, number, replace(made, entries=entries, games=games))
    offer, preview = small_office.replacements.preview(boss, second.id)
    assert [difference.key for difference in offer.differences] == ["office.difference.game"]
    loser, winner = (made.entries[n - 1].id or 0 for n in (game.white, game.black))
    assert {player.id for player in preview.impacts["fide"].players} == {loser, winner}
    before = rating_of(small_office, loser), rating_of(small_office, winner)
    small_office.replacements.enter(boss, second.id, "the arbiter wrote it down wrongly")
    (shown,) = Lookup(small_office).accepted(number)
    as_corrected = shown.read(small_office.desk)
    assert as_corrected is not None
    assert scores_of(as_corrected.games) == scores_of(games)
    published(small_office, people, "fide", JULY)
    assert rating_of(small_office, loser) < before[0]
    assert rating_of(small_office, winner) > before[1]
    assert all(one.is_good for one in small_office.lists.verify_all())


def test_9_1_a_report_sent_again_keeps_the_numbers_that_the_office_gave(
    small_office: Office, clock: Clock, people: People
) -> None:
    """Its file has no more numbers than the first one had; whoever plays goes on being rated."""
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    entries = [replace(one, id=None if one.number == 3 else one.id) for one in made.entries]
    without = replace(made, entries=entries)
    sent = small_office.reports.send(people.arbiter, number, "report.trf", data_of(without))
    given = small_office.numbers.give(boss, sent.id, {3: made.entries[2].id or 0})
    warned = {i: "it was so" for i, f in enumerate(given.findings) if f.severity == "warning"}
    if warned:
        small_office.reports.answer(people.arbiter, sent.id, warned)
    small_office.reports.accept(boss, sent.id)
    published(small_office, people, "fide", JUNE)
    before = {n: rating_of(small_office, player_id(n)) for n in range(1, 9)}
    again = send(small_office, people, number, one_day_longer(without))
    assert again.numbers == {3: player_id(3)}
    _, preview = small_office.replacements.preview(boss, again.id)
    assert not preview.impacts["fide"].players
    small_office.replacements.enter(boss, again.id, "the last day was wrong")
    published(small_office, people, "fide", JULY)
    assert {n: rating_of(small_office, player_id(n)) for n in before} == before
    assert all(one.is_good for one in small_office.lists.verify_all())


def test_4_the_whole_report_takes_the_place_of_all_its_parts(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    half = START + timedelta(days=2)
    parts = [
        replace(made, end=half, games=[g for g in made.games if g.round <= 3]),
        replace(made, start=half, games=[g for g in made.games if g.round > 3]),
    ]
    sent = [send(small_office, people, number, part) for part in parts]
    for part in sent:
        small_office.reports.accept(boss, part.id)
    assert [small_office.reports.get(boss, one.id).status for one in sent] == [
        ReportStatus.ACCEPTED,
        ReportStatus.ACCEPTED,
    ]
    whole = send(small_office, people, number, made)
    small_office.reports.accept(boss, whole.id)
    assert [small_office.reports.get(boss, one.id).status for one in sent] == [
        ReportStatus.SUPERSEDED,
        ReportStatus.SUPERSEDED,
    ]
    published(small_office, people, "fide", JUNE)
    assert games_of(small_office, 1) == [7]


def test_9_1_of_a_tournament_published_in_parts_the_part_that_changed_is_corrected(
    small_office: Office, clock: Clock, people: People
) -> None:
    """The whole counts nothing again and says which part to send; that part is a correction."""
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    half = START + timedelta(days=2)
    early, late = ([g for g in made.games if (g.round <= 3) is first] for first in (True, False))
    parts = [replace(made, end=half, games=early), replace(made, start=half, games=late)]
    sent = [send(small_office, people, number, part) for part in parts]
    for part in sent:
        small_office.reports.accept(boss, part.id)
    published(small_office, people, "fide", JUNE)
    first = next(game for game in late if game.white_score != 1)
    draw = replace(first, white_score=HalfPoints(1), black_score=HalfPoints(1))
    entries = [replace(entry, points=None) for entry in made.entries]
    whole = [draw if game is first else game for game in made.games]
    whole_again = send(small_office, people, number, replace(made, games=whole, entries=entries))
    assert whole_again.status is ReportStatus.RETURNED
    told = [f.details for f in whole_again.findings if f.key == "office.parts_rated"]
    assert sorted((one["version"], one["games"]) for one in told) == [(1, 12), (2, 16)]
    put_right = [draw if game is first else game for game in late]
    changed = replace(made, start=half, games=put_right, entries=entries)
    again = send(small_office, people, number, changed)
    offer, preview = small_office.replacements.preview(boss, again.id)
    assert offer.rated.id == sent[1].id
    assert [difference.key for difference in offer.differences] == ["office.difference.game"]
    small_office.replacements.enter(boss, again.id, "it was a draw")
    published(small_office, people, "fide", JULY)
    after = {p.id: p.base_after for p in preview.impacts["fide"].players}
    assert {player: rating_of(small_office, player) for player in after} == after
    assert games_of(small_office, 1) == [7]
    assert all(one.is_good for one in small_office.lists.verify_all())


def test_9_1_a_report_that_lacks_games_of_the_accepted_one_asks_why(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, first.id)
    shorter = replace(made, games=[game for game in made.games if game.round < 7])
    again = small_office.reports.send(people.arbiter, number, "report.trf", data_of(shorter))
    (finding,) = [f for f in again.findings if f.key == "office.replaces_with_fewer"]
    assert (finding.details["games"], finding.details["missing"]) == (24, 4)
    assert again.status in (ReportStatus.NEEDS_ANSWERS, ReportStatus.RETURNED)


def test_9_1_a_report_that_undoes_a_correction_asks_why(
    small_office: Office, clock: Clock, people: People
) -> None:
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(boss, first.id)
    game = next(one for one in made.games if one.white_score == 2)
    turned = ResultCorrection(
        round=game.round, white=game.white, black=game.black, white_half=0, black_half=2
    )
    stranger = IdCorrection(entry=made.entries[-1].number, player=player_id(11))
    small_office.corrections.enter(boss, first.id, [turned, stranger], "the score sheet")
    again = small_office.reports.send(people.arbiter, number, "report.trf", data_of(made))
    (finding,) = [f for f in again.findings if f.key == "office.replaces_corrected"]
    assert (finding.details["version"], finding.details["changes"]) == (1, 2)
    assert again.status is ReportStatus.NEEDS_ANSWERS
    games = [
        replace(one, white_score=HalfPoints(0), black_score=HalfPoints(2)) if one is game else one
        for one in made.games
    ]
    entries = [replace(one, points=None) for one in made.entries]
    entries[-1] = replace(entries[-1], id=player_id(11))
    put_right = data_of(replace(made, games=games, entries=entries))
    third = small_office.reports.send(people.arbiter, number, "report.trf", put_right)
    assert "office.replaces" in keys(third)
    assert "office.replaces_corrected" not in keys(third)


def test_9_1_the_same_games_under_another_registration_are_refused(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, START)
    number = registered(small_office, clock, people, made).id
    other = registered(small_office, clock, people, replace(made, name="Another name")).id
    waiting = send(small_office, people, other, made)
    first = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, first.id)
    with pytest.raises(Illegal) as refused:  # it was sent before the other was accepted
        small_office.reports.accept(people.administrator, waiting.id)
    assert refused.value.key == "desk.refused.same_games_elsewhere"
    again = send(small_office, people, other, one_day_longer(made))
    assert again.status is ReportStatus.RETURNED
    assert "office.same_games_elsewhere" in keys(again)


def test_9_1_a_swiss_under_another_registration_is_the_same_whatever_its_results(
    small_office: Office, clock: Clock, people: People
) -> None:
    """Its pairings are drawn: no other tournament has them; those of a round robin others have."""
    for made, same in ((swiss(1), True), (report(1, START + timedelta(days=30)), False)):
        anew = played_anew(made)
        number, other = (registered(small_office, clock, people, one).id for one in (made, anew))
        first = send(small_office, people, number, made)
        small_office.reports.accept(people.administrator, first.id)
        again = send(small_office, people, other, anew)
        assert ("office.same_games_elsewhere" in keys(again)) is same
        assert (again.status is ReportStatus.RETURNED) is same


def test_9_1_the_same_players_on_the_same_days_ask_why(
    small_office: Office, clock: Clock, people: People
) -> None:
    """A round robin with all its colours turned, under another name, looks like other games."""
    made = report(1, START)
    games = [replace(game, white=game.black, black=game.white) for game in made.games]
    anew = replace(made, name="Another name", games=games, entries=without_points(made))
    number, other = (registered(small_office, clock, people, one).id for one in (made, anew))
    first = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, first.id)
    again = small_office.reports.send(people.arbiter, other, "report.trf", data_of(anew))
    assert again.status is ReportStatus.NEEDS_ANSWERS
    (finding,) = [f for f in again.findings if f.key == "office.same_players_elsewhere"]
    assert (finding.details["tournament"], finding.details["players"]) == (number, 8)
    answers = {i: "a return match" for i, f in enumerate(again.findings) if f.severity == "warning"}
    small_office.reports.answer(people.arbiter, again.id, answers)
    small_office.reports.accept(people.administrator, again.id)


def test_9_1_the_same_players_ask_why_also_where_neither_report_is_accepted_yet(
    small_office: Office, clock: Clock, people: People
) -> None:
    made = report(1, START)
    games = [replace(game, white=game.black, black=game.white) for game in made.games]
    anew = replace(made, name="Another name", games=games, entries=without_points(made))
    number, other = (registered(small_office, clock, people, one).id for one in (made, anew))
    first = send(small_office, people, number, made)
    again = small_office.reports.send(people.arbiter, other, "report.trf", data_of(anew))
    assert "office.same_players_elsewhere" in keys(again)
    assert again.status is ReportStatus.NEEDS_ANSWERS
    small_office.reports.accept(people.administrator, first.id)  # who came first is not held up


def without_points(made: Report) -> list[Entry]:
    return [replace(entry, points=None) for entry in made.entries]


def test_9_1_the_same_games_are_found_by_numbers_that_were_decided(
    small_office: Office, clock: Clock, people: People
) -> None:
    """Under another registration, with other spellings and no numbers but those of the office."""
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    other = registered(small_office, clock, people, replace(made, name="Another name")).id
    entries = [
        replace(entry, id=None, rating=None, name=f"Altrimenti, {chr(64 + entry.number) * 3}")
        for entry in made.entries
    ]
    waiting = send(small_office, people, other, replace(made, entries=entries))
    decided = {entry.number: entry.id or 0 for entry in made.entries}
    given = small_office.numbers.give(boss, waiting.id, decided)
    warned = {i: "it was so" for i, f in enumerate(given.findings) if f.severity == "warning"}
    assert not [f.key for f in given.findings if f.severity == "error"]
    small_office.reports.answer(people.arbiter, waiting.id, warned)
    first = send(small_office, people, number, made)
    small_office.reports.accept(boss, first.id)
    with pytest.raises(Illegal) as refused:
        small_office.reports.accept(boss, waiting.id)
    assert refused.value.key == "desk.refused.same_games_elsewhere"


def test_the_same_people_may_meet_again_on_the_same_days(
    small_office: Office, clock: Clock, people: People
) -> None:
    made, again = report(1, START), report(5, START, name="Another tournament")
    for one in (made, again):
        number = registered(small_office, clock, people, one).id
        sent = send(small_office, people, number, one)
        assert "office.same_games_elsewhere" not in keys(sent)
        small_office.reports.accept(people.administrator, sent.id)
    published(small_office, people, "fide", JUNE)
    assert games_of(small_office, 1) == [14]


def counted_anew(made: Report) -> Report:
    """A report whose rounds are counted from two, with a day more."""
    games = [replace(game, round=game.round + 1) for game in made.games]
    days = (*made.round_dates, made.end)
    return one_day_longer(replace(made, rounds=made.rounds + 1, games=games, round_dates=days))


@pytest.mark.parametrize("published_before", [False, True])
def test_9_1_rounds_that_are_counted_otherwise_are_the_same_games(
    small_office: Office, clock: Clock, people: People, published_before: bool
) -> None:
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(boss, first.id)
    if published_before:
        published(small_office, people, "fide", JUNE)
    again = send(small_office, people, number, counted_anew(made))
    if published_before:
        assert "office.corrects_rated" in keys(again)
        with pytest.raises(Illegal):
            small_office.reports.accept(boss, again.id)
        offer, _ = small_office.replacements.preview(boss, again.id)
        assert [difference.key for difference in offer.differences] == ["office.difference.days"]
    else:
        assert "office.replaces" in keys(again)
        small_office.reports.accept(boss, again.id)
        assert small_office.reports.get(boss, first.id).status is ReportStatus.SUPERSEDED
        published(small_office, people, "fide", JUNE)
    assert games_of(small_office, 1) == [7]


def test_9_1_wrong_numbers_put_right_leave_the_games_the_same(
    small_office: Office, clock: Clock, people: People
) -> None:
    """Sent first with the numbers of others, who are told apart by name."""
    boss, made = people.administrator, report(1, START)
    number = registered(small_office, clock, people, made).id
    others = [replace(entry, id=player_id(entry.number + 8)) for entry in made.entries]
    strangers = [replace(entry, rating=None) for entry in others]
    first = send(small_office, people, number, replace(made, entries=strangers))
    again = send(small_office, people, number, one_day_longer(made))
    assert small_office.reports.get(boss, first.id).status is ReportStatus.SUPERSEDED
    assert again.status is not ReportStatus.SUPERSEDED


def test_9_1_another_group_on_the_same_days_takes_a_place_only_with_a_reason(
    small_office: Office, clock: Clock, people: People
) -> None:
    made, others = report(1, START), report(3, START, players=range(9, 13), rounds=3)
    others = replace(others, end=made.end)
    number = registered(small_office, clock, people, made).id
    first = send(small_office, people, number, made)
    small_office.reports.accept(people.administrator, first.id)
    again = small_office.reports.send(people.arbiter, number, "report.trf", data_of(others))
    (finding,) = [f for f in again.findings if f.key == "office.replaces_with_fewer"]
    assert (finding.details["games"], finding.details["missing"]) == (0, 28)
    published(small_office, people, "fide", JUNE)
    late = small_office.reports.send(people.arbiter, number, "report.trf", data_of(others))
    assert late.status is ReportStatus.RETURNED
    assert "office.days_rated" in keys(late)
