"""A finished event as the report that ratings and TRF files are made from, and its games in PGN."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from arrocco.hall.event.cards import cards, players
from arrocco.hall.event.field import in_order
from arrocco.hall.event.objections import Laws
from arrocco.hall.event.standings import standings
from arrocco.hall.event.state import Phase, State, rules_of
from arrocco.hall.game import State as GameState
from arrocco.hall.game import to_pgn
from arrocco.laws.rio.edition_2025 import Rio2025, Score
from arrocco.report import Bye, ByeKind, Entry, Facts, Game, Report
from arrocco.units import HalfPoints, Rating

_LAWS = Laws()
_SEX_IN_REPORTS = {"M": "m", "F": "w"}
"""Lists write it in one way and reports in another."""


def to_report(state: State, rio: Rio2025 | None = None, laws: Laws = _LAWS) -> Report:
    """The event as far as it was played, by starting numbers.

    Without `rio` the scores are those that count in the standings. With it they are those the
    rating takes (12.13: as played on the board, unless the edition is read otherwise); points and
    ranks are left out then, since they may not add up.
    """
    rules = rules_of(state)
    chief = state.chief
    rounds = [round_ for round_ in state.rounds if round_.phase is not Phase.PAIRED]
    return Report(
        source=state.created.event,
        name=state.created.name,
        city=state.created.site,
        federation=state.created.federation,
        start=state.created.start,
        end=state.created.end,
        system=rules.system.reported,
        chief_arbiter="" if chief is None else chief.name,
        deputies=tuple(one.name for one in state.arbiters if not one.chief),
        time_control_text="" if rules.control is None else str(rules.control),
        time_control=rules.control,
        rounds=len(rounds),
        round_dates=round_dates(state),
        entries=_entries(state, laws, ranked=rio is None),
        games=list(_games(state, rio)),
        byes=list(_byes(state)),
        facts=Facts(online=True),
    )


def round_dates(state: State) -> tuple[date | None, ...]:
    """The day on which each round was opened, where the event is held."""
    return tuple(
        None if round_.opened is None else round_.opened.date()
        for round_ in state.rounds
        if round_.phase is not Phase.PAIRED
    )


def _numbers(state: State) -> dict[int, int]:
    return {entry: number for number, entry in enumerate(in_order(state), start=1)}


def _entries(state: State, laws: Laws, *, ranked: bool) -> list[Entry]:
    points = {entry: sum(slot.points for slot in card) for entry, card in cards(state).items()}
    rank_of = {one.entry: one.rank for one in standings(state, laws)}
    found = []
    for entry, number in _numbers(state).items():
        person = state.entries[entry - 1].person
        found.append(
            Entry(
                number=number,
                name=person.full_name,
                id=person.id,
                rating=None if person.rating is None else Rating(person.rating),
                federation=person.federation,
                sex=_SEX_IN_REPORTS.get(person.sex, person.sex),
                title=person.title,
                birth=person.birth,
                points=points[entry] if ranked else None,
                rank=rank_of.get(entry) if ranked else None,
            )
        )
    return found


def _games(state: State, rio: Rio2025 | None) -> Iterable[Game]:
    numbers = _numbers(state)
    for round_ in state.rounds:
        for board in round_.boards:
            result, played = board.result, board.as_played
            if result is None or played is None:
                continue
            decided = _score(result.half_points)
            score = decided if rio is None else rio.rated_score(_score(played.half_points), decided)
            yield Game(
                round=round_.number,
                white=numbers[board.white],
                black=numbers[board.black],
                white_score=score[0],
                black_score=score[1],
                kind=result.kind if score == decided else played.kind,
            )


def _score(half_points: tuple[int, int]) -> Score:
    return HalfPoints(half_points[0]), HalfPoints(half_points[1])


def _byes(state: State) -> Iterable[Bye]:
    """The rounds without an opponent, also those before a late entry."""
    numbers, everybody = _numbers(state), players(state)
    for round_ in state.rounds:
        if round_.phase is Phase.PAIRED:
            continue
        playing = {entry for board in round_.boards for entry in board.players}
        for entry in everybody:
            if entry not in playing:
                kind = round_.byes.get(entry, ByeKind.ZERO_POINT)
                yield Bye(round=round_.number, entry=numbers[entry], kind=kind)


def to_event_pgn(games: Iterable[GameState]) -> str:
    """The games of an event in PGN, by round and board."""
    order = sorted(games, key=lambda game: (game.created.round, game.created.board))
    return "\n".join(to_pgn(game) for game in order)
