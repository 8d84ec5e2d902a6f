"""What an event has of one of its people, for themselves: no account or number of anybody else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from arrocco.hall.event.acts.consent import ConsentedToVideo
from arrocco.hall.event.filings import FiledPaper
from arrocco.hall.event.games import game_id
from arrocco.hall.event.record import Record
from arrocco.hall.event.records import Sanction
from arrocco.hall.event.state import Entry, State


def own_data(state: State, records: Iterable[Record], account: str) -> dict[str, Any]:
    """Entry, boards, sanctions, consents, filings and messages of an account; empty for none."""
    entry = state.entry_of(account)
    parts: dict[str, Any] = {
        "filings": [_filing(filed) for filed in state.filings if account and filed.by == account],
        "waiting": any(
            account and applicant.person.account == account for applicant in state.waiting
        ),
    }
    if entry is not None:
        parts |= {
            "entry": _entry(entry),
            "boards": own_boards(state, entry.id),
            "sanctions": [_sanction(state, s) for s in state.sanctions if s.entry == entry.id],
            "messages": [
                {"at": line.at, "text": line.text}
                for line in state.chat
                if line.entry == entry.id and line.by == account
            ],
            "consents_to_video": [
                {"at": record.at, "words": record.words}
                for record in records
                if isinstance(record, ConsentedToVideo) and record.entry == entry.id
            ],
        }
    data = {name: part for name, part in parts.items() if part}
    return {"event": state.created.event, "name": state.created.name} | data if data else {}


def own_boards(state: State, entry: int) -> list[dict[str, Any]]:
    """The boards that an entry was paired at; the opponent's name stands in the public game."""
    boards = []
    for round_ in state.rounds:
        number = round_.board_of(entry)
        if number is None:
            continue
        board = round_.boards[number - 1]
        side = board.players.index(entry)
        result = board.result
        boards.append(
            {
                "round": round_.number,
                "board": number,
                "colour": ("white", "black")[side],
                "points": None if result is None else result.points[side],
                "game": game_id(state, round_.number, number),
            }
        )
    return boards


def _entry(entry: Entry) -> dict[str, Any]:
    shown = _plain(entry)
    # One may be recognised by the federation's number, with another account than the entry's.
    del shown["person"]["account"]
    return shown


def _sanction(state: State, sanction: Sanction) -> dict[str, Any]:
    """As it was told to the player; who imposed it stays with the event."""
    return _without(_plain(sanction), "by") | {"lifted": sanction.number in state.lifted}


def _filing(filed: FiledPaper) -> dict[str, Any]:
    """As it was filed, and what was decided; by whom stays with the event."""
    shown = _without(_plain(filed), "by", "about")
    if filed.decision is not None:
        shown["decision"] = _without(shown["decision"], "by")
    return shown


def _plain(value: Any) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(value, str_keys=True)
    return shown


def _without(shown: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in shown.items() if name not in names}
