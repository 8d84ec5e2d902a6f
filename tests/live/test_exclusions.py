"""13.5c, 6.9j — who is excluded for a time, or from a championship, enters nowhere in it."""

from __future__ import annotations

from typing import Any

import pytest

from arrocco.hall.event.acts.championship import JoinChampionship
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.pairing import PairRound
from arrocco.hall.event.acts.sanctions import Impose
from arrocco.laws.online.sanctions import Scope
from arrocco.live.event_room import EventRoom
from tests.hall.event.desk import as_decided
from tests.live.carried import restarted
from tests.live.stage import CHIEF, ORGANISER, Stage, event, run

DAY = 24 * 3600 * 1000


async def excluded(stage: Stage, **more: Any) -> tuple[EventRoom, EventRoom]:
    """The first player is excluded in one event; another event is open for entries."""
    first = await event(stage, players=2)
    await first.ask(JoinChampionship(by=ORGANISER, name="Campionato"))
    imposed = await first.ask(as_decided(Impose(by=CHIEF, entry=1, reason="an engine", **more)))
    assert not imposed.objections
    second = await event(stage, players=0, name="second")
    return first, second


async def refusal(first: EventRoom, second: EventRoom) -> tuple[str, str] | None:
    person = first.state.entries[0].person
    objections = (await second.ask(Enter(by=ORGANISER, person=person))).objections
    return (objections[0].key, objections[0].article) if objections else None


def test_13_5c_for_a_time_everywhere_and_no_longer() -> None:
    async def play(stage: Stage) -> None:
        both = await excluded(stage, article="13.5c", scope=Scope.PERIOD, days=2)
        assert await refusal(*both) == ("event.excluded_for_a_time", "13.5c")
        after = await restarted(stage)
        again = after.hall.events["open"], after.hall.events["second"]
        assert await refusal(*again) == ("event.excluded_for_a_time", "13.5c")
        await after.hall.stop()
        await stage.time.pass_by(2 * DAY + 1)
        assert await refusal(*both) is None

    run(play)


@pytest.mark.parametrize("article", ["6.9j", "13.5c"])
def test_6_9j_13_5c_from_a_championship_only_there(article: str) -> None:
    async def play(stage: Stage) -> None:
        first, second = await excluded(stage, article=article, scope=Scope.CHAMPIONSHIP)
        await second.ask(JoinChampionship(by=ORGANISER, name="  CAMPIONATO "))
        assert await refusal(first, second) == ("event.excluded_from_championship", article)
        await second.ask(JoinChampionship(by=ORGANISER, name="Another"))
        assert await refusal(first, second) is None

    run(play)


def test_6_9j_from_one_tournament_only_from_that() -> None:
    async def play(stage: Stage) -> None:
        assert await refusal(*await excluded(stage, article="6.9j", scope=Scope.TOURNAMENT)) is None

    run(play)


def test_13_5e_a_revoked_qualification_keeps_from_the_next_phase() -> None:
    async def play(stage: Stage) -> None:
        first, second = await excluded(stage, article="13.5e")
        assert await refusal(first, second) is None, "another championship is no next phase"
        third = await event(stage, players=0, name="third")
        await third.ask(JoinChampionship(by=ORGANISER, name="Campionato"))
        assert await refusal(first, third) == ("event.qualification_revoked", "13.5e")

    run(play)


def test_13_5c_who_was_excluded_since_entering_is_not_paired() -> None:
    async def play(stage: Stage) -> None:
        first = await event(stage, players=2)
        second = await event(stage, players=2, name="second")
        same = first.state.entries[0].person
        assert same == second.state.entries[0].person
        await first.ask(
            as_decided(
                Impose(by=CHIEF, entry=1, reason="x", article="13.5c", scope=Scope.PERIOD, days=9)
            )
        )
        objections = (await second.ask(PairRound(by=CHIEF))).objections
        assert [(one.key, one.article) for one in objections] == [
            ("event.excluded_in_field", "13.5c")
        ]
        assert objections[0].details["name"] == same.full_name
        await stage.time.pass_by(10 * DAY)
        objections = (await second.ask(PairRound(by=CHIEF))).objections
        assert [one.key for one in objections] == ["event.pair_by_hand"], "as these rules say"

    run(play)
