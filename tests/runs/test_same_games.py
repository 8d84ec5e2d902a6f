"""FIDE 2024 4, 9.1 — among the files of a period each game counts once."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest

from arrocco.findings import Finding, Severity
from arrocco.office.repeated_reports import repeated_reports
from arrocco.records.report import Entry, Game, Report
from arrocco.records.reportbatch import batch_of
from arrocco.runs.same_games import CountedOnce, marks_of
from arrocco.units import HalfPoints
from tests.desk.offices import played_anew, report, swiss

START = date(2025, 5, 8)


def named(made: Report, source: str, **changes: object) -> Report:
    return replace(made, source=source, **changes)  # type: ignore[arg-type]


def refused(once: CountedOnce, *reports: Report) -> list[tuple[str, object]]:
    """By report that is not let in: the one that has its games."""
    found: list[tuple[str, object]] = []

    def let_pass(finding: Finding) -> bool:
        if finding.severity is not Severity.ERROR:
            return True
        found.append((finding.place.file, finding.details["other"]))
        return False

    keys = once.repeated(marks_of(batch_of(list(reports))), let_pass)
    assert keys == {source for source, _ in found}
    return found


def versions() -> list[Report]:
    made = report(1, START)
    assert made.end is not None
    part = [game for game in made.games if game.round <= 3]
    rounds = [replace(game, round=game.round + 2) for game in made.games]
    longer = made.end + timedelta(days=1)
    return [
        named(made, "first"),
        named(made, "longer", end=longer, name="Another name"),
        named(made, "part", games=part),
        named(made, "rounds", games=rounds, rounds=9),
    ]


@pytest.mark.parametrize("together", [True, False])
def test_9_1_the_first_counts_whatever_dates_names_and_rounds_say(together: bool) -> None:
    once, sent = CountedOnce(), versions()
    batches = [sent] if together else [[one] for one in sent]
    found = [pair for batch in batches for pair in refused(once, *batch)]
    assert found == [("longer", "first"), ("part", "first"), ("rounds", "first")]


def test_9_1_other_days_and_other_results_are_other_games() -> None:
    made, later = report(1, START), START + timedelta(days=30)
    moved = named(made, "moved", start=later, end=later + timedelta(days=6))
    assert refused(CountedOnce(), named(made, "a"), moved, named(report(5, START), "b")) == []


def turned(made: Report, source: str) -> Report:
    """The same round robin with all colours turned and other results."""
    games = [
        replace(
            game,
            white=game.black,
            black=game.white,
            white_score=game.white_score,
            black_score=game.black_score,
        )
        for game in made.games
    ]
    return named(made, source, name="Another name", games=games)


def others_played(made: Report, source: str) -> Report:
    entries = [
        replace(entry, id=(entry.id or 0) + 500, name=f"Altra, {chr(64 + entry.number) * 3}")
        for entry in made.entries
    ]
    return named(made, source, entries=entries)


@pytest.mark.parametrize("together", [True, False])
def test_9_1_the_same_players_on_the_same_days_are_told_and_count(together: bool) -> None:
    """A copy whose games cannot be told from others: the files' roads say so, and count both."""
    made, told = named(report(1, START), "a"), list[Finding]()
    others = [turned(made, "b"), others_played(made, "others")]
    later = START + timedelta(days=30)
    others.append(named(made, "moved", start=later, end=later + timedelta(days=6)))
    once = CountedOnce()

    def let_pass(finding: Finding) -> bool:
        told.append(finding)
        return finding.severity is not Severity.ERROR

    batches = [[made, *others]] if together else [[one] for one in (made, *others)]
    for batch in batches:
        assert not once.repeated(marks_of(batch_of(batch)), let_pass)
    (finding,) = told
    assert (finding.key, finding.place.file) == ("check.same_players", "b")
    assert (finding.details["other"], finding.details["players"]) == ("a", 8)
    assert repeated_reports([made, *others]) == {1: finding}


def test_9_1_a_match_of_equal_games_is_counted_game_by_game() -> None:
    """Two draws with the same colours are not four."""

    def match(source: str, draws: int, opponent: int) -> Report:
        half = HalfPoints(1)
        games = [Game(n, 1, 2, half, half) for n in range(1, draws + 1)]
        games += [Game(n, 1, 3, half, half) for n in range(draws + 1, 7)]
        entries = [
            Entry(1, "Finta, Ada", 99000001),
            Entry(2, "Finto, Bruno", 99000002),
            Entry(3, "Finta, Cleo", opponent),
        ]
        day = START + timedelta(days=6)
        return Report(source=source, start=START, end=day, entries=entries, games=games)

    two, other = match("two", 2, 99000003), match("other", 2, 99000004)
    assert refused(CountedOnce(), two, other) == []
    assert refused(CountedOnce(), match("five", 5, 99000003), match("again", 5, 99000004)) == [
        ("again", "five")
    ]


def test_9_1_columns_and_records_agree() -> None:
    """Random groups of reports, some of them altered copies of others."""
    rng = Random(11)
    refusals = 0
    for _ in range(80):
        sent: list[Report] = []
        for number in range(rng.randint(2, 6)):
            kind = rng.choice((report, swiss))
            made = kind(rng.randint(1, 3), START + timedelta(days=rng.choice((0, 3, 40))))
            if rng.random() < 0.2:
                made = played_anew(made)
            games = [
                replace(game, white_score=HalfPoints(1), black_score=HalfPoints(1))
                if rng.random() < 0.15
                else game
                for game in made.games
            ]
            sent.append(named(made, f"{number}", games=games[: rng.randint(2, 28)]))
        by_records = [
            (finding.place.file, finding.details["other"])
            for finding in repeated_reports(sent).values()
            if finding.severity is Severity.ERROR
        ]
        cut = rng.randint(0, len(sent))
        once = CountedOnce()
        by_columns = [*refused(once, *sent[:cut]), *refused(once, *sent[cut:])]
        assert sorted(s for s, _ in by_columns) == sorted(s for s, _ in by_records)
        refusals += len(by_records)
    assert refusals > 20
