"""An online event of the playing hall, from its log to what each person sees of it.

An event is a log of records; its state is their fold. Nothing here reads a clock or a file: the
server gives the moment, which has the offset of the place where the event is held.

    decision = create(Create(by=..., event="...", name="...", start=..., end=...), now)
    state = begin(decision.events[0])              # write the records first, then apply them
    decision = decide(state, command, now)         # `read_command` makes commands from messages
    for event in decision.events:                  # write again ...
        state = apply(state, event)                # ... and apply
    state = fold(load(data))                       # the same state, from the stored log

`create_games` gives the games of a round that was opened; `taken_back`, `result_of` and
`sanctions_of` bring back what became of them, as commands. `view_for` is what somebody may see,
`standings` the standings at any moment, `to_report` and `to_event_pgn` what leaves the hall.
"""

from arrocco.hall.event.acts.closing import appeals_until, complaints_until
from arrocco.hall.event.creation import create
from arrocco.hall.event.decide import decide
from arrocco.hall.event.decision import Decision
from arrocco.hall.event.fold import apply, begin, fold
from arrocco.hall.event.games import (
    BoardGame,
    create_games,
    result_of,
    sanctions_of,
    taken_back,
)
from arrocco.hall.event.log import RECORD_TYPES, VERSION, decode, dump, encode, load
from arrocco.hall.event.objections import objections
from arrocco.hall.event.report import to_event_pgn, to_report
from arrocco.hall.event.report_of_acts import ReportedAct, arbiters_report
from arrocco.hall.event.rules import Rules
from arrocco.hall.event.standings import Standing, shown, standings
from arrocco.hall.event.state import Phase, State
from arrocco.hall.event.tiebreaks import ACRONYMS
from arrocco.hall.event.view import OfficialView, PlayerView, PublicView, as_seen, view_for
from arrocco.hall.event.wire import read_command, read_create
from arrocco.laws.hall import Laws

__all__ = [
    "ACRONYMS",
    "RECORD_TYPES",
    "VERSION",
    "BoardGame",
    "Decision",
    "Laws",
    "OfficialView",
    "Phase",
    "PlayerView",
    "PublicView",
    "ReportedAct",
    "Rules",
    "Standing",
    "State",
    "appeals_until",
    "apply",
    "arbiters_report",
    "as_seen",
    "begin",
    "complaints_until",
    "create",
    "create_games",
    "decide",
    "decode",
    "dump",
    "encode",
    "fold",
    "load",
    "objections",
    "read_command",
    "read_create",
    "result_of",
    "sanctions_of",
    "shown",
    "standings",
    "taken_back",
    "to_event_pgn",
    "to_report",
    "view_for",
]
