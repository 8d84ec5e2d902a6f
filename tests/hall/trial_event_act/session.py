"""What a new act of an event can do once it is there: asked, decided, written, applied, told."""

from __future__ import annotations

import msgspec

from arrocco.hall import event as ev
from arrocco.hall.event import arbiters_report
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.entries import CheckIn
from arrocco.hall.event.wire import read_command
from arrocco.web.pages.hall_logs import report_lines
from arrocco.web.speaker import Speaker
from arrocco.words import LANGUAGES
from tests.hall.event.desk import CHIEF, Desk

REASON = "it was a namesake"


def asked(entry: int, reason: str, by: str) -> Command:
    told = {"type": "take_back_check_in", "entry": entry, "reason": reason}
    return read_command(msgspec.json.encode(told), by)


def main() -> None:
    desk = Desk(2)
    desk.granted(CheckIn(by=CHIEF, entry=1))
    assert desk.refusal(asked(1, " ", CHIEF)) == ("reason_needed", "9.1")
    assert desk.refusal(asked(9, REASON, CHIEF))[0] == "no_such_entry"
    player = desk.state.entries[0].person.account
    assert desk.ask(asked(1, REASON, player or "stranger")).refusal is not None
    [record] = desk.granted(asked(1, REASON, CHIEF))
    assert not desk.state.entries[0].checked_in

    lines = [ev.encode(one) for one in desk.log]
    written = msgspec.json.decode(lines[-1])
    assert (written["type"], written["entry"]) == ("check_in_taken_back", 1)
    assert ev.fold([ev.decode(line) for line in lines]) == desk.state
    assert record.IS_FOR_ITS_PLAYER
    reported = arbiters_report(desk.state, desk.log, [])[-1]
    assert (reported.what, reported.reason) == ("check_in_taken_back", REASON)
    for language, words in zip(
        LANGUAGES, ("check-in taken back", "presenza annullata"), strict=True
    ):
        line = report_lines(Speaker(language), desk.state, desk.log, [], {})[-1]
        assert (line.what, line.reason) == (words, REASON)
        assert desk.state.name_of(1) in line.detail


if __name__ == "__main__":
    main()
    print("the act is there")
