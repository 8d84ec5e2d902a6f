"""Between an event and its games: what each board begins with, and what comes back from it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct

from arrocco.errors import Illegal
from arrocco.hall.event.acts.results import CorrectResult, TakeBack, TakeResult
from arrocco.hall.event.acts.sanctions import CarryBack, CarryOut, Impose
from arrocco.hall.event.records import Person, Result
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.state import Board, Phase, Round, State, rules_of
from arrocco.hall.game import State as GameState
from arrocco.hall.game import kind
from arrocco.hall.game.acts import ActRecord, ArbiterCommand
from arrocco.hall.game.acts.change_points import ChangePoints
from arrocco.hall.game.acts.results import CorrectResult as CorrectGame
from arrocco.hall.game.acts.withdraw import Withdrawn
from arrocco.hall.game.events import Act, Created
from arrocco.hall.game.records import Rules as GameRules
from arrocco.hall.game.records import SeatedPlayer
from arrocco.laws.online.sanctions import Scope
from arrocco.laws.online.side import Side
from arrocco.moments import instant

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class BoardGame(Struct, frozen=True, kw_only=True):
    """A game to be created, and what the event's rules ask of whoever runs it."""

    created: Created
    premoves: bool
    """1.2a — whether commands for premoves are passed on to the game."""
    call_stops_clocks: bool
    """11.1 — whether a call for the arbiter is followed by a pause."""
    kept_from_chat: tuple[str, ...]
    """6.9k — the accounts that may not use the chat."""
    watched: tuple[str, ...]
    """9.1 — the accounts watched in the video conference."""


def create_games(state: State, round_number: int, now: datetime) -> list[BoardGame]:
    """What `arrocco.hall.game.create` needs for each board of a round that is open.

    Boards that have a result already, by forfeit, have no game. Raises `Illegal` for a round that
    is not open.
    """
    round_ = state.round(round_number)
    if round_ is None or round_.phase is not Phase.OPEN:
        raise Illegal.of("event.round_not_open", round=round_number)
    return [
        _game(state, round_, number, board, now)
        for number, board in enumerate(round_.boards, start=1)
        if board.result is None
    ]


def _game(state: State, round_: Round, number: int, board: Board, now: datetime) -> BoardGame:
    rules = rules_of(state)
    people = [state.entries[entry - 1].person for entry in board.players]
    watched = _watched(state, round_, board)
    day = (round_.opened or now).date()
    created = Created(
        at=milliseconds(instant(now) - _EPOCH),
        game=game_id(state, round_.number, number),
        white=_player(people[0]),
        black=_player(people[1]),
        control=rules.time_control.strip(),
        rules=game_rules(state, watched),
        event=state.created.name,
        site=state.created.site,
        day=day,
        round=round_.number,
        board=number,
    )
    return BoardGame(
        created=created,
        premoves=rules.premoves,
        call_stops_clocks=rules.call_stops_clocks,
        kept_from_chat=tuple(
            state.entries[entry - 1].person.account
            for entry in board.players
            if state.is_kept_from_chat(entry)
        ),
        watched=watched,
    )


def game_id(state: State, round_number: int, board: int) -> str:
    """The name of a board's game: of the event, the round and the board."""
    return f"{state.created.event}-{round_number}-{board}"


def event_of_game(game: str) -> str:
    """The name of the event that a game's name begins with."""
    return game.rsplit("-", 2)[0]


def game_rules(state: State, watched: tuple[str, ...] = ()) -> GameRules:
    """The event's rules as a game knows them, times in milliseconds.

    9.1f — moves wait for the video conference for those players of the game who are watched.
    """
    rules = rules_of(state)
    if rules.tolerance is None:
        raise Illegal.of("event.rules.tolerance_not_stated")
    limit = rules.reconnection_limit
    return GameRules(
        tolerance=milliseconds(rules.tolerance),
        white_loses_time_while_absent=rules.white_loses_time_while_absent,
        reconnection_limit=None if limit is None else milliseconds(limit),
        vcs_required=len(watched) == 2,
        watched=watched if len(watched) == 1 else (),
        scoring=rules.scoring,
        announced_fine=rules.announced_fine,
        spectator_delay=milliseconds(rules.spectators.delay),
        spectator_delay_plies=rules.spectators.delay_half_moves,
    )


def _watched(state: State, round_: Round, board: Board) -> tuple[str, ...]:
    supervision = rules_of(state).supervision
    if supervision is Supervision.NONE:
        return ()
    return tuple(
        state.entries[entry - 1].person.account
        for entry in board.players
        if supervision is Supervision.FULL or entry in round_.sample
    )


def _player(person: Person) -> SeatedPlayer:
    return SeatedPlayer(person.account, person.full_name, person.title, person.rating)


def milliseconds(time: timedelta) -> int:
    return time // timedelta(milliseconds=1)


# --- into a game ----------------------------------------------------------------------------------


def act_in_game(state: State, command: CorrectResult | Impose) -> tuple[str, ArbiterCommand] | None:
    """The game whose points a command decides, and the act there; `None` where it decides none."""
    place = board_of(state, command)
    board = None if place is None else state.board(*place)
    if place is None or board is None or board.result is None or command.points is None:
        return None
    culprit = command.against if isinstance(command, CorrectResult) else command.entry
    side = None if culprit is None else Side.WHITE if culprit == board.white else Side.BLACK
    given: dict[str, Any] = {"by": command.by, "reason": command.reason, "article": command.article}
    act: ArbiterCommand
    if command.article in ChangePoints.ARTICLES and side is not None:
        act = ChangePoints(**given, side=side, scores=command.points)
    elif command.article in CorrectGame.ARTICLES:
        act = CorrectGame(**given, against=side, scores=command.points)
    else:
        return None
    return game_id(state, *place), act


def board_of(state: State, command: CorrectResult | Impose) -> tuple[int, int] | None:
    """The round and the board that a command is about."""
    round_ = None if command.round is None else state.round(command.round)
    if round_ is None:
        return None
    if isinstance(command, CorrectResult):
        return round_.number, command.board
    number = round_.board_of(command.entry)
    return None if number is None else (round_.number, number)


# --- back from a game -----------------------------------------------------------------------------


def taken_back(state: State, game: GameState) -> TakeBack | None:
    """6.8, 11.2 — what the event has to forget of a game that goes on, or has other colours.

    A result that an arbiter entered by hand, of which the game knows nothing, is left alone.
    """
    created = game.created
    board, white = state.board(created.round, created.board), state.entry_of(game.white.player.id)
    if board is None or white is None:
        return None
    goes_on = game.outcome is None and board.told is not None
    if not goes_on and white.id == board.white:
        return None
    return TakeBack(
        by="", round=created.round, board=created.board, white=white.id, game=created.game
    )


def result_of(game: GameState, round_number: int, board: int) -> TakeResult | None:
    """What the hall says to the event when a game has ended, and when its result has changed."""
    outcome = game.outcome
    if outcome is None:
        return None
    return TakeResult(
        decided=not outcome.by_server,
        by="",
        round=round_number,
        board=board,
        result=Result(outcome.scores, outcome.half_points, kind(game)),
        game=game.created.game,
        article=outcome.article,
    )


def sanctions_of(state: State, game: GameState) -> list[CarryOut | CarryBack]:
    """What the event still has to do about the acts of a game's arbiter: it takes nothing twice.

    Those on time and on points have had their effect in the game (6.9b to 6.9f).
    """
    commands: list[CarryOut | CarryBack] = []
    name = game.created.game
    for act in game.acts:
        known = state.sanction_of(name, act.number)
        if act.number in game.withdrawn:
            if known is not None and known.number not in state.lifted:
                commands.append(_carried_back(game, act.number))
            continue
        entry = state.entry_of(act.concerns)
        if entry is None or known is not None:
            continue
        command = _carried_out(state, act.act, entry.id)
        if command is not None:
            commands.append(CarryOut(by="", game=name, act=act.number, impose=command))
    return commands


def _carried_back(game: GameState, number: int) -> CarryBack:
    by = next(
        act.act
        for act in reversed(game.acts)
        if isinstance(act.act, Withdrawn) and act.act.corrects == number
    )
    return CarryBack(by="", game=game.created.game, act=number, arbiter=by.by, reason=by.reason)


def _carried_out(state: State, act: Act, entry: int) -> Impose | None:
    """6.9 — what the event imposes for an act in a game, if anything."""
    sanction = act.sanction() if isinstance(act, ActRecord) else None
    if sanction is None:
        return None
    rounds = range(0)
    if sanction.scope is Scope.ROUNDS:
        first = state.next_round
        rounds = range(first, first + (sanction.rounds or 0))
        if state.announced_rounds:
            # Of the rounds to come no more can be missed than there are.
            rounds = range(first, min(rounds.stop, state.announced_rounds + 1))
            if not rounds:
                return None
    return Impose(
        by=act.by,
        article=sanction.article,
        entry=entry,
        reason=act.reason,
        scope=sanction.scope,
        rounds=tuple(rounds),
        fine=sanction.fine,
    )
