"""What a new act can do once it is there: asked, written, applied, seen, reported, offered."""

from __future__ import annotations

from typing import Any

import msgspec

from arrocco.hall.event import arbiters_report
from arrocco.hall.game import GameRole, fold, view_for, visible_to
from arrocco.hall.game.act_forms import act_forms
from arrocco.hall.game.log import decode
from arrocco.hall.game.view import ArbiterView
from arrocco.laws.online.edition_2025 import Online2025
from arrocco.web.pages.hall_common import script_words
from arrocco.web.pages.hall_logs import game_lines
from arrocco.web.speaker import Speaker
from arrocco.words import LANGUAGES, say
from tests.hall.event.desk import Desk
from tests.live.stage import GAME, Stage, run, seated

REASON = "to the door"


async def play(stage: Stage) -> None:
    room, white, _, arbiter = await seated(stage)
    asked: dict[str, Any] = {"side": "white", "time": 300_000, "reason": REASON}
    refused = await arbiter.wish("allow_leaving", **{**asked, "time": 0})
    assert (refused["key"], refused["field"]) == ("hall.objection.no_time_given", "time")
    assert (await white.wish("allow_leaving", **asked))["type"] == "refused"
    assert (await arbiter.wish("allow_leaving", **asked))["type"] == "done"
    number = room.state.acts[-1].number

    lines = stage.store.read(f"game:{GAME}")
    events = [decode(line) for line in lines]
    written = msgspec.json.decode(lines[-1])
    assert (written["type"], written["article"], written["time"]) == (
        "leaving_allowed",
        "5.6",
        300_000,
    )
    assert fold(events) == room.state
    roles = [role for role in GameRole if visible_to(events[-1], role)]
    assert roles == [GameRole.WHITE, GameRole.BLACK, GameRole.ARBITER]
    seen = view_for(room.state, GameRole.ARBITER, stage.time.now())
    assert isinstance(seen, ArbiterView)
    assert seen.acts[-1].withdrawable
    [*_, shown] = [one for one in await white.hear() if one["type"] == "view"]
    assert shown["view"]["acts"][-1]["act"]["type"] == "leaving_allowed"

    desk = Desk(2)
    reported = arbiters_report(desk.state, desk.log, [room.state])[-1]
    assert (reported.what, reported.reason) == ("leaving_allowed", REASON)
    for language in LANGUAGES:
        line = game_lines(Speaker(language), events, {})[-1]
        words = msgspec.json.decode(script_words(language))
        assert line.what == words["act.leaving_allowed"]
        assert "5:00" in line.detail

    assert (await arbiter.wish("withdraw", corrects=number, reason="back"))["type"] == "done"
    assert number in room.state.withdrawn


def main() -> None:
    [form] = [act_form for act_form in act_forms(Online2025()) if act_form.type == "allow_leaving"]
    assert (form.articles, form.phases) == (("5.6", "7.8"), ("waiting", "running", "paused"))
    assert [(field.name, field.kind) for field in form.fields] == [
        ("side", "side"),
        ("time", "time"),
    ]
    for language in LANGUAGES:
        assert say(language, "hall_pages.js.do.allow_leaving")
    run(play)


if __name__ == "__main__":
    main()
    print("the act is there")
