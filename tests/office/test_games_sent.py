"""FIDE 2024 9.4 — the games sent with a report are matched with it, game by game."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from arrocco.errors import Malformed
from arrocco.findings import MAX_OF_A_KIND, Finding, Severity, count_of
from arrocco.office.games_sent import games_findings
from arrocco.records.report import Entry, Game, GameKind, Report
from arrocco.units import HalfPoints
from arrocco.words import finding_advice, finding_text
from tests.desk.offices import report
from tests.pgn_games import pgn_of

MADE = report(4, date(2025, 5, 8), players=range(1, 7), rounds=5)


def found(sent: bytes, made: Report = MADE) -> list[Finding]:
    findings = games_findings(made, sent, "games.pgn", "9.4")
    for language in ("en", "it"):
        assert all(finding_text(language, finding) for finding in findings)
        assert all(finding_advice(language, one) for one in findings)
    return findings


@pytest.mark.parametrize("ids", [False, True])
def test_9_4_whole_games_say_nothing(ids: bool) -> None:
    assert found(pgn_of(MADE, ids=ids)) == []


def test_9_4_names_match_whatever_their_order_and_accents() -> None:
    sent = pgn_of(MADE).decode().replace("Altavilla, Fintaa", "Fintaa Altavìlla").encode()
    assert found(sent) == []


def test_9_4_a_missing_game_is_named() -> None:
    (one,) = found(pgn_of(MADE, MADE.games[1:]))
    assert (one.key, one.article, one.severity) == ("games_sent.missing", "9.4", Severity.WARNING)
    assert one.details["round"] == MADE.games[0].round


def test_9_4_where_nobody_asks_for_games_a_missing_one_is_a_note() -> None:
    (one,) = games_findings(MADE, pgn_of(MADE, MADE.games[1:]), "games.pgn")
    assert (one.severity, one.article) == (Severity.NOTE, "")


def changed(game: Game) -> tuple[Game, ...]:
    return (game, *MADE.games[1:])


FIRST = MADE.games[0]
TURNED = replace(
    FIRST,
    white=FIRST.black,
    black=FIRST.white,
    white_score=FIRST.black_score,
    black_score=FIRST.white_score,
)


@pytest.mark.parametrize(
    ("game", "key"),
    [
        (replace(FIRST, round=9), "games_sent.round_differs"),
        (TURNED, "games_sent.colours_differ"),
        (
            replace(FIRST, white_score=FIRST.black_score, black_score=FIRST.white_score)
            if FIRST.white_score != FIRST.black_score
            else replace(FIRST, white_score=HalfPoints(2), black_score=HalfPoints(0)),
            "games_sent.result_differs",
        ),
    ],
)
def test_9_4_what_contradicts_is_named(game: Game, key: str) -> None:
    (one,) = found(pgn_of(MADE, changed(game)))
    assert one.key == key
    assert one.severity is Severity.WARNING


def test_9_4_a_game_without_a_round_takes_the_one_that_is_left() -> None:
    lines = pgn_of(MADE).decode().split("\n")
    lines[1] = '[Round "?"]'
    assert [one.key for one in found("\n".join(lines).encode())] == ["pgn.no_round"]


def test_9_4_a_game_twice_and_a_stranger_are_named() -> None:
    twice = found(pgn_of(MADE, [*MADE.games, FIRST]))
    assert [one.key for one in twice] == ["pgn.not_in_report"]
    entries = [replace(MADE.entries[0], name="Nessuno, Mai"), *MADE.entries[1:]]
    strange = found(pgn_of(replace(MADE, entries=entries)))
    games = [game for game in MADE.games if 1 in (game.white, game.black)]
    keys = [one.key for one in strange]
    assert keys.count("pgn.player_not_in_report") == len(games)
    assert keys.count("games_sent.missing") == len(games)


def test_9_4_of_two_of_one_name_only_a_number_tells() -> None:
    entries = [*MADE.entries, Entry(7, MADE.entries[0].name, 99_000_900)]
    made = replace(MADE, entries=entries)
    assert {one.key for one in found(pgn_of(made), made)} == {
        "pgn.player_not_in_report",
        "games_sent.missing",
    }
    assert found(pgn_of(made, ids=True), made) == []


def test_9_4_a_game_that_was_not_played_need_not_be_sent() -> None:
    games = [replace(FIRST, kind=GameKind.FORFEIT), *MADE.games[1:]]
    assert found(pgn_of(MADE, MADE.games[1:]), replace(MADE, games=games)) == []


def test_9_4_an_illegal_move_wants_an_answer_and_stops_no_report() -> None:
    sent = pgn_of(MADE).replace(b"1. e4 e5", b"1. e4 Ke4", 1)
    keys = {one.key: one.severity for one in found(sent)}
    assert keys == {"pgn.bad_move": Severity.WARNING}


def test_9_4_a_long_list_is_capped_and_counted() -> None:
    entries = [Entry(n, f"Finta {chr(96 + n)}", 99_000_100 + n) for n in range(1, 21)]
    games = [
        Game(n, a, b, HalfPoints(2), HalfPoints(0))
        for n, (a, b) in enumerate(
            ((a, b) for a in range(1, 21) for b in range(a + 1, 21)), start=1
        )
    ]
    made = Report(name="x", entries=entries, games=games)
    findings = found(pgn_of(made, games[:1]), made)
    assert len(findings) == MAX_OF_A_KIND
    assert count_of(findings) == len(games) - 1


def test_9_4_a_file_without_a_game_is_refused() -> None:
    with pytest.raises(Malformed):
        found(b"\n")
