"""A finished event as the report that ratings and TRF files are made from, and its games in PGN."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from arrocco.hall.event.cards import cards, players
from arrocco.hall.event.field import in_order
from arrocco.hall.event.standings import standings
from arrocco.hall.event.state import Phase, State, rules_of
from arrocco.hall.game import State as GameState
from arrocco.hall.game import to_pgn
from arrocco.laws.hall import Laws, OnlineRating, Score
from arrocco.records.report import Bye, ByeKind, Entry, Facts, Game, GameKind, Report
from arrocco.units import HalfPoints, Rating

_BYES = {
    ByeKind.HALF_POINT: 5,
    ByeKind.FULL_POINT: 10,
    ByeKind.PAIRING_ALLOCATED: 10,
    ByeKind.ZERO_POINT: 0,
}
"""Tenths of a point, as a report file counts them unless it says otherwise."""
_SEX_IN_REPORTS = {"M": "m", "F": "w"}
"""Lists write it in one way and reports in another."""


def to_report(state: State, rio: OnlineRating | None = None, laws: Laws | None = None) -> Report:
    """The event as far as it was played, by starting numbers.

    Without `rio` the scores are those that count in the standings. With it they are those the
    rating takes (12.13: as played on the board, unless the edition is read otherwise); points are
    then what these scores and the byes come to, so that the file agrees with itself.
    """
    rules = rules_of(state)
    chief = state.chief
    rounds = [round_ for round_ in state.rounds if round_.phase is not Phase.PAIRED]
    games, byes = list(_games(state, rio)), list(_byes(state))
    return Report(
        source=state.created.event,
        name=state.created.name,
        city=state.created.site,
        federation=state.created.federation,
        start=state.created.start,
        end=state.created.end,
        system=rules.system.reported,
        chief_arbiter="" if chief is None else chief.name,
        deputies=tuple(arbiter.name for arbiter in state.arbiters if not arbiter.chief),
        time_control_text="" if rules.control is None else str(rules.control),
        time_control=rules.control,
        rounds=len(rounds),
        round_dates=round_dates(state),
        entries=_entries(state, laws or state.laws, None if rio is None else worth(games, byes)),
        games=games,
        byes=byes,
        facts=Facts(online=True),
    )


def worth(games: Iterable[Game], byes: Iterable[Bye]) -> dict[int, int]:
    """By number: the points that games and byes of a report come to, in tenths."""
    points: dict[int, int] = {}
    for game in games:
        for number, score in ((game.white, game.white_score), (game.black, game.black_score)):
            points[number] = points.get(number, 0) + 5 * int(score)
    for bye in byes:
        points[bye.entry] = points.get(bye.entry, 0) + _BYES[bye.kind]
    return points


def round_dates(state: State) -> tuple[date | None, ...]:
    """The day on which each round was opened, where the event is held."""
    return tuple(
        None if round_.opened is None else round_.opened.date()
        for round_ in state.rounds
        if round_.phase is not Phase.PAIRED
    )


def report_numbers(state: State) -> dict[int, int]:
    """By entry: the number that the report of an event gives it."""
    return {entry: number for number, entry in enumerate(in_order(state), start=1)}


def _entries(state: State, laws: Laws, rated: dict[int, int] | None) -> list[Entry]:
    """The players; `rated` are the points of a report that is to be rated, by number.

    Who was excluded has no rank in the standings, and in such a report stands after all others.
    """
    points = {entry: sum(slot.points for slot in card) for entry, card in cards(state).items()}
    rank_of = {standing.entry: standing.rank for standing in standings(state, laws)}
    last = max((rank for rank in rank_of.values() if rank), default=0) + 1
    entries = []
    for entry, number in report_numbers(state).items():
        person = state.entries[entry - 1].person
        entries.append(
            Entry(
                number=number,
                name=person.full_name,
                id=person.id,
                rating=None if person.rating is None else Rating(person.rating),
                federation=person.federation,
                sex=_SEX_IN_REPORTS.get(person.sex, person.sex),
                title=person.title,
                birth=person.birth,
                points=points[entry] if rated is None else rated.get(number, 0),
                rank=rank_of.get(entry) or (None if rated is None else last),
            )
        )
    return entries


def _games(state: State, rio: OnlineRating | None) -> Iterable[Game]:
    numbers = report_numbers(state)
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
                kind=_told_kind(result.kind if score == decided else played.kind, score),
            )


def _told_kind(kind: GameKind, score: Score) -> GameKind:
    """What has no sign of its own in a report file is told as a game that is not rated.

    So are a forfeit with half a point in it, and games that were excluded.
    """
    is_plain = score in ((2, 0), (0, 2), (0, 0))
    if kind is GameKind.PLAYED or (kind is GameKind.FORFEIT and is_plain):
        return kind
    return GameKind.SHORT


def _score(half_points: tuple[int, int]) -> Score:
    return HalfPoints(half_points[0]), HalfPoints(half_points[1])


def _byes(state: State) -> Iterable[Bye]:
    """The rounds without an opponent, also those before a late entry."""
    numbers, everybody = report_numbers(state), players(state)
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
