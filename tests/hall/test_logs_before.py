"""Logs that the version before wrote: read, written again to the same bytes, the same states."""

from __future__ import annotations

import json
import lzma
import re
from pathlib import Path
from typing import Any

from arrocco.hall import event as ev
from arrocco.hall.game import fold, to_pgn
from arrocco.hall.game.log import EVENT_TYPES, dump, load
from tests.hall.plain_state import digest

CASES = Path(__file__).parents[1] / "cases" / "hall-logs-0.1.0.json.xz"
LOGS: dict[str, list[dict[str, Any]]] = json.loads(lzma.decompress(CASES.read_bytes()))


def types_in(logs: list[dict[str, Any]]) -> set[str]:
    return {json.loads(line)["type"] for log in logs for line in log["log"].splitlines()}


def test_every_kind_of_record_of_the_version_before_is_there() -> None:
    """36 kinds in games and 27 in events were written by 0.1.0; later ones may be more."""
    assert len(types_in(LOGS["games"])) == 36
    assert len(types_in(LOGS["events"])) == 27
    known = {str(kind.__struct_config__.tag) for kind in EVENT_TYPES}
    assert types_in(LOGS["games"]) <= known


def without_later_tags(pgn: str) -> str:
    """What 0.1.0 wrote: it named neither the board nor the hour."""
    return re.sub(r'\[(?:Board|UTCDate|UTCTime) "[^"]*"\]\n', "", pgn)


def test_logs_of_games_give_the_same_bytes_states_and_pgn() -> None:
    for log in LOGS["games"]:
        data = log["log"].encode()
        events = load(data)
        state = fold(events)
        assert dump(events) == data
        assert digest(state) == log["state"]
        if state.outcome is None or state.outcome.before is None:  # else another end is told
            assert without_later_tags(to_pgn(state)) == log["pgn"]


def test_logs_of_events_give_the_same_bytes_states_standings_and_reports() -> None:
    for log in LOGS["events"]:
        data = log["log"].encode()
        records = ev.load(data)
        state = ev.fold(records)
        assert ev.dump(records) == data
        assert digest(state) == log["state"]
        if state.rules is not None:
            assert digest(ev.standings(state)) == log["standings"]
        assert digest(ev.arbiters_report(state, records, [])) == log["report"]
