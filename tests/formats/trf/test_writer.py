"""A report is written as a regular file, and read back it is the same report."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arrocco.errors import Inconsistent
from arrocco.formats.trf import from_report, read_report
from arrocco.formats.trf.systems import WORDS
from arrocco.formats.trf.writer import Version
from arrocco.records.report import (
    Birth,
    Bye,
    ByeKind,
    Entry,
    Facts,
    Game,
    GameKind,
    NationalRecord,
    Report,
    System,
)
from arrocco.records.timecontrol import parse_code
from arrocco.units import HalfPoints, Rating
from tests.formats.trf.reading import read, without_places
from tests.formats.trf.samples import match, round_robin, swiss

VERSIONS: tuple[Version, ...] = get_args(Version)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "data",
    [swiss(13, 6, seed=5), swiss(40, 9, seed=6), round_robin(8), match("1==0")],
    ids=["swiss", "large swiss", "round robin", "match"],
)
def test_a_report_that_was_read_is_written_and_read_again(version: Version, data: bytes) -> None:
    report = read(data)[0]
    again, findings = read(from_report(report, version))
    assert without_places(again) == without_places(report)
    assert [f.key for f in findings if f.is_error] == []


def test_a_regular_trf16_is_written_to_the_same_bytes() -> None:
    data = swiss(16, 6, seed=4)
    report = read(data)[0]
    assert from_report(report, "trf16") == data


def test_lines_end_with_cr_lf_and_the_text_is_utf8_without_a_mark() -> None:
    report = Report(name="Città", rounds=1, entries=[Entry(1, "Niccolò")])
    data = from_report(report, "trf16")
    assert data.startswith("012 Città\r\n".encode())
    assert data.count(b"\n") == data.count(b"\r\n") == len(data.splitlines())


def test_trf26_has_rounds_type_and_time_control_code() -> None:
    report = read(swiss(8, 3))[0]
    lines = from_report(report, "trf26").decode().split("\r\n")
    assert "142 3" in lines
    assert "192 CUSTOM_SWISS" in lines
    assert "222 5400+30" in lines
    old = from_report(report, "trf16").decode()
    assert "\n142" not in old
    assert "\n192" not in old
    assert "\n222" not in old


def test_a_match_decided_early_keeps_its_announced_length() -> None:
    report = read(match("1111"))[0]
    report.facts.match_games = 6
    assert read(from_report(report, "trf26"))[0].facts.match_games == 6


def test_a_round_without_game_or_bye_is_written_as_a_zero_point_bye() -> None:
    game = Game(1, 1, 2, HalfPoints(2), HalfPoints(0))
    report = Report(rounds=1, entries=[Entry(1), Entry(2), Entry(3)], games=[game])
    again = read_report(from_report(report, "trf16"), "")[0]
    assert [(bye.entry, bye.kind) for bye in again.byes] == [(3, ByeKind.ZERO_POINT)]


@pytest.mark.parametrize("kind", list(ByeKind))
def test_a_last_round_of_byes_alone_survives_trf16(kind: ByeKind) -> None:
    byes = [Bye(2, 1, kind), Bye(2, 2, kind)]
    report = Report(rounds=2, entries=TWO, games=[GAME], byes=byes)
    again, _ = read_report(from_report(report, "trf16"), "r.trf")
    assert again.rounds == 2
    assert [(bye.round, bye.entry, bye.kind) for bye in again.byes] == [(2, 1, kind), (2, 2, kind)]


def test_line_breaks_in_texts_and_long_names_do_not_break_the_columns() -> None:
    report = Report(
        name="Due\r\nrighe", rounds=1, entries=[Entry(1, "N" * 50 + "\n", id=99000001), Entry(2)]
    )
    report.games = [Game(1, 1, 2, HalfPoints(1), HalfPoints(1))]
    again = read_report(from_report(report, "trf26"), "")[0]
    assert again.name == "Due  righe"
    assert again.entries[0].name == "N" * 33
    assert again.entries[0].id == 99000001


GAME = Game(1, 1, 2, HalfPoints(2), HalfPoints(0))
TWO = [Entry(1), Entry(2)]


@pytest.mark.parametrize(
    "report",
    [
        Report(rounds=1, entries=TWO, games=[GAME, GAME]),
        Report(rounds=1, entries=TWO, games=[GAME], byes=[Bye(1, 2, ByeKind.HALF_POINT)]),
        Report(rounds=1, entries=TWO, games=[replace(GAME, black=3)]),
        Report(rounds=1, entries=TWO, games=[replace(GAME, black=1)]),
        Report(rounds=1, entries=TWO, games=[replace(GAME, round=2)]),
        Report(rounds=1, entries=TWO, games=[replace(GAME, black_score=HalfPoints(2))]),
        Report(
            rounds=1,
            entries=TWO,
            games=[Game(1, 1, 2, HalfPoints(1), HalfPoints(1), GameKind.FORFEIT)],
        ),
        Report(rounds=1, entries=[Entry(1), Entry(1)]),
        Report(rounds=1, entries=[Entry(0)]),
        Report(rounds=1, entries=[Entry(10_000)]),
        Report(rounds=1, entries=[Entry(1, rating=Rating(10_000))]),
        Report(rounds=1, entries=[Entry(1, id=100_000_000_000)]),
        Report(rounds=1, entries=[Entry(1, points=1000)]),
        Report(rounds=1000, entries=TWO),
        Report(rounds=1, entries=TWO, round_dates=(date(1950, 1, 1),)),
        Report(rounds=1, entries=[Entry(1, national=(NationalRecord("ITA", None, 5),))]),
    ],
)
def test_what_the_format_cannot_hold_is_refused(report: Report) -> None:
    with pytest.raises(Inconsistent) as refusal:
        from_report(report, "trf16")
    assert refusal.value.advice


# --- any report -----------------------------------------------------------------------------------

words = st.text(
    st.characters(categories=["Lu", "Ll", "Nd"], max_codepoint=0x24F), min_size=1, max_size=12
).map(str.strip)
texts = st.one_of(st.just(""), st.lists(words, min_size=1, max_size=4).map(" ".join))
births = st.one_of(
    st.none(),
    st.integers(1900, 2020).map(Birth),
    st.dates(date(1900, 1, 1), date(2020, 12, 31)).map(lambda d: Birth(d.year, d.month, d.day)),
)
ratings = st.one_of(st.none(), st.integers(1, 9999).map(Rating))
ids = st.one_of(st.none(), st.integers(1, 99_999_999_999))

SCORES = {
    GameKind.PLAYED: [(2, 0), (1, 1), (0, 2), (0, 0), (1, 0), (0, 1)],
    GameKind.FORFEIT: [(2, 0), (0, 2), (0, 0)],
    GameKind.SHORT: [(2, 0), (1, 1), (0, 2), (0, 0), (1, 0), (0, 1)],
}


@st.composite
def entries(draw: st.DrawFn, number: int, version: Version) -> Entry:
    national: tuple[NationalRecord, ...] = ()
    if version == "trf26" and draw(st.booleans()):
        national = (NationalRecord("ITA", draw(ratings), draw(ids)),)
    return Entry(
        number,
        draw(texts)[:33].strip(),
        draw(ids),
        draw(ratings),
        draw(st.sampled_from(["", "ITA", "FRA"])),
        draw(st.sampled_from(["", "m", "w"])),
        draw(st.sampled_from(["", "GM", "WFM", "XYZ"])),
        draw(births),
        draw(st.one_of(st.none(), st.integers(0, 999))),
        draw(st.one_of(st.none(), st.integers(1, 9999))),
        national,
    )


@st.composite
def reports(draw: st.DrawFn, version: Version) -> Report:
    """Reports in which every entry has a game or a bye in each round, and the last has a game."""
    numbers = draw(st.lists(st.integers(1, 9999), min_size=2, max_size=9, unique=True))
    rounds = draw(st.integers(1, 5))
    games: list[Game] = []
    byes: list[Bye] = []
    for round_ in range(1, rounds + 1):
        order = draw(st.permutations(numbers))
        pairs = draw(st.integers(0, len(order) // 2))
        for index in range(pairs):
            white, black = order[2 * index], order[2 * index + 1]
            known = draw(st.booleans())
            if not known:
                white, black = min(white, black), max(white, black)
            kind = draw(st.sampled_from(list(SCORES)))
            first, second = draw(st.sampled_from(SCORES[kind]))
            scores = HalfPoints(first), HalfPoints(second)
            games.append(Game(round_, white, black, *scores, kind, known))
        byes += [Bye(round_, n, draw(st.sampled_from(list(ByeKind)))) for n in order[2 * pairs :]]
    start = draw(st.one_of(st.none(), st.dates(date(1970, 1, 1), date(2069, 1, 1))))
    system = draw(st.sampled_from(list(System)))
    control = parse_code(
        draw(st.sampled_from(["5400+30", "40/6000+30:900+30", "300+3", "W300-B240"]))
    )
    days: tuple[date | None, ...] = ()
    if start and draw(st.booleans()):
        days = tuple(draw(st.one_of(st.none(), st.just(start))) for _ in range(rounds))
    report = Report(
        name=draw(texts),
        city=draw(texts),
        federation=draw(st.sampled_from(["", "ITA"])),
        start=start,
        end=start + timedelta(days=draw(st.integers(0, 30))) if start else None,
        system=system,
        system_text=WORDS[system],
        chief_arbiter=draw(texts),
        deputies=tuple(draw(st.lists(texts.filter(bool), max_size=2))),
        time_control_text=str(control) if control.is_equal else "",
        time_control=control,
        rounds=rounds,
        round_dates=days if any(days) else (),
        entries=[draw(entries(number, version)) for number in numbers],
        games=games,
        byes=byes,
    )
    if system is System.MATCH and len(numbers) == 2:
        report.facts = Facts(match_games=rounds)
    if version == "trf16" and not control.is_equal:
        report.time_control = None
    if version == "trf26":
        report.time_control_text = report.time_control_text or str(control)
    return report


def canonical(report: Report) -> Report:
    """The games and byes in the order of rounds and then of lines, as a reader gives them."""
    order = {entry.number: index for index, entry in enumerate(report.entries)}
    report = without_places(report)

    def by_game(game: Game) -> tuple[int, int]:
        return game.round, order[min(game.white, game.black)]

    games = sorted(report.games, key=by_game)
    byes = sorted(report.byes, key=lambda bye: (bye.round, order[bye.entry]))
    return replace(report, games=games, byes=byes)


@given(reports("trf16"))
@settings(max_examples=60, deadline=None)
def test_any_report_survives_trf16(report: Report) -> None:
    again, _ = read_report(from_report(report, "trf16"), "")
    assert without_places(again) == canonical(report)


@given(reports("trf26"))
@settings(max_examples=60, deadline=None)
def test_any_report_survives_trf26(report: Report) -> None:
    again, _ = read_report(from_report(report, "trf26"), "")
    assert without_places(again) == canonical(report)
