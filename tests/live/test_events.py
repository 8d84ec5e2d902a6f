"""Events: rounds create their games together, results come back once, arbiters have zones."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta

import pytest
from msgspec.structs import replace

from arrocco.errors import Refusal
from arrocco.hall import event as ev
from arrocco.hall.event.acts.officials import DismissArbiter
from arrocco.hall.event.acts.pairing import PairByHand
from arrocco.hall.event.acts.results import ResultTaken
from arrocco.hall.event.acts.rounds import CloseRound
from arrocco.hall.event.acts.sanctions import Impose, LiftSanction
from arrocco.hall.event.creation import Create
from arrocco.hall.event.records import Person
from arrocco.hall.event.rules import Spectators
from arrocco.hall.game import Phase
from arrocco.laws.classes import TimeClass
from arrocco.laws.online.sanctions import Scope
from arrocco.office.roles import Asker
from tests.live.stage import (
    CHIEF,
    HELPER,
    ORGANISER,
    Client,
    Stage,
    VirtualTime,
    event,
    open_round,
    run,
    settle,
    start_round,
)

FIRST, SECOND = "open-1-1", "open-1-2"


def taken(stage: Stage) -> list[ResultTaken]:
    log = [ev.decode(line) for line in stage.store.read("event:open")]
    return [one for one in log if isinstance(one, ResultTaken)]


async def player(stage: Stage, number: int, game: str) -> Client:
    client = stage.connect(str(number))
    await client.join(game)
    return client


class Listed:
    """An office that knows one person, who holds the number of the one account there is."""

    def __init__(self, person: Person, account: str = "", number: int = 0) -> None:
        self.person, self.account, self.number = person, account, number

    def __call__(self, asker: Asker, kind: TimeClass | None) -> Person:
        return self.person

    def may_have_number(self, account: str, number: int) -> bool:
        return account != self.account or number == self.number


class TestRounds:
    def test_all_games_are_created_in_the_transaction_that_opens_the_round(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, players=6)
            before = len(stage.store.commits)
            await open_round(stage, room)
            assert stage.store.commits[before:] == [1, 1 + 3], "the pairing, then the round"
            assert stage.store.streams("game:") == [f"game:open-1-{n}" for n in (1, 2, 3)]

        run(play)

    def test_a_round_that_cannot_be_written_has_no_games(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            stage.store.bad_stream = "game:open-1-2"
            await room.ask(PairByHand(by=CHIEF, boards=((1, 2), (3, 4)), reason="by hand"))
            chief = stage.connect(CHIEF)
            assert (await chief.command("open_round"))["key"] == "hall_live.not_written"
            assert list(stage.hall.rooms_of(room)) == []
            stage.store.bad_stream = ""
            assert (await chief.command("open_round"))["type"] == "done"
            assert len(list(stage.hall.rooms_of(room))) == 2

        run(play)

    def test_games_begin_together_once_everybody_could_come(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            games = await open_round(stage, room)
            await player(stage, 1, FIRST)
            assert {game.state.phase for game in games} == {Phase.WAITING}
            await start_round(stage)
            assert {game.state.phase for game in games} == {Phase.RUNNING}
            assert len({game.state.started for game in games}) == 1
            assert games[0].state.white.joined == games[0].state.started
            assert games[0].state.black.joined is None

        run(play)

    def test_a_player_is_known_by_the_federations_number_too(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)
            with_other_account = stage.connect("555", player=99_000_002)
            shown = (await with_other_account.join(FIRST))[-1]["view"]
            assert shown["side"] == "black"
            nobody = stage.connect("556", player=99_000_099)
            assert (await nobody.join(FIRST))[-1]["view"]["role"] == "spectator"

        run(play)


class TestResults:
    def test_the_end_of_a_game_is_taken_once(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)
            one = await player(stage, 1, FIRST)
            await start_round(stage)
            await one.wish("resign", FIRST)
            await settle()
            assert [(r.board, r.result.points, r.by) for r in taken(stage)] == [(1, (0, 10), "")]
            assert room.state.board(1, 1).result is not None  # type: ignore[union-attr]

        run(play)

    def test_an_end_that_a_crash_kept_from_the_event_is_taken_at_the_next_start(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)
            one = await player(stage, 1, FIRST)
            await start_round(stage)
            stage.store.bad_stream = "event:open"
            await one.wish("resign", FIRST)
            assert taken(stage) == []
            stage.store.bad_stream = ""
            for _ in range(2):
                after = Stage(stage.store, stage.time)
                await after.hall.start()
                assert [r.board for r in taken(after)] == [1]
                await after.hall.stop()

        run(play)

    def test_a_corrected_result_reaches_the_event(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)
            one = await player(stage, 1, FIRST)
            chief = await player(stage, int(CHIEF), FIRST)
            await start_round(stage)
            await one.wish("resign", FIRST)
            answer = await chief.wish(
                "correct_result",
                FIRST,
                scores=[0, 0],
                article="13.3",
                reason="fault",
                against="black",
            )
            assert answer["type"] == "done", answer
            await settle()
            assert [r.result.points for r in taken(stage)] == [(0, 10), (0, 0)]

        run(play)

    def test_a_fine_in_a_game_is_carried_out_once_by_the_event(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, announced_fine=5000)
            await open_round(stage, room)
            chief = await player(stage, int(CHIEF), FIRST)
            await start_round(stage)
            answer = await chief.wish("fine", FIRST, side="white", cents=1000, reason="noise")
            assert answer["type"] == "done", answer
            await chief.wish("add_note", FIRST, text="and a note")
            await chief.wish("pause", FIRST, reason="to talk")
            await settle()
            assert [s.fine for s in room.state.sanctions] == [1000]

        run(play)


class TestArbiters:
    def test_an_assistant_acts_on_the_boards_of_the_zone_only(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)
            await start_round(stage)
            helper = stage.connect(HELPER)
            assert (await helper.join(SECOND))[-1]["view"]["role"] == "arbiter"
            assert (await helper.join(FIRST))[-1]["view"]["role"] == "spectator"
            assert (await helper.wish("pause", SECOND, reason="x"))["type"] == "done"
            assert (await helper.wish("pause", FIRST, reason="x"))["key"] == "hall.not_seated"
            organiser = stage.connect(ORGANISER)
            assert (await organiser.wish("pause", FIRST, reason="x"))["key"] == "hall.not_seated"

        run(play)

    def test_who_is_dismissed_sees_and_does_nothing_more(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)
            await start_round(stage)
            helper = await player(stage, int(HELPER), SECOND)
            helper.say(type="wall", event="open")
            assert [one["type"] for one in await helper.hear()] == ["wall"]
            await room.ask(DismissArbiter(by=CHIEF, account=HELPER))
            assert {one["type"] for one in await helper.hear()} == {"closed"}
            assert (await helper.wish("pause", SECOND, reason="x"))["key"] == "hall.not_seated"
            white = await player(stage, 3, SECOND)
            await white.wish("move", SECOND, uci="e2e4", ply=0)
            await stage.time.pass_by(2000)
            assert [one["type"] for one in await helper.hear()] == []

        run(play)

    def test_a_call_stops_the_clocks_where_the_rules_say_so(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, call_stops_clocks=True)
            games = await open_round(stage, room)
            white = await player(stage, 1, FIRST)
            await start_round(stage)
            await white.wish("call_arbiter", FIRST, text="help")
            assert games[0].state.phase is Phase.PAUSED
            assert games[0].state.acts[-1].act.article == "11.1"

        run(play)

    def test_premoves_are_refused_where_the_rules_say_so(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, premoves=False)
            await open_round(stage, room)
            black = await player(stage, 2, FIRST)
            await start_round(stage)
            refused = await black.wish("set_premove", FIRST, uci="e7e5", ply=1)
            assert (refused["key"], refused["article"]) == ("hall_live.no_premoves", "1.2a")

        run(play)


class TestSpectators:
    def test_are_let_in_only_where_the_rules_admit_them(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, spectators=Spectators(admitted=False))
            await open_round(stage, room)
            public = stage.connect("")
            assert (await public.join(FIRST))[-1]["key"] == "hall_live.no_such_game"
            colleague = stage.connect("3")
            assert (await colleague.join(FIRST))[-1]["type"] == "view"

        run(play)

    def test_6_9j_who_is_expelled_is_one_of_the_public(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(
                stage, spectators=Spectators(admitted=False, delay=timedelta(seconds=60))
            )
            await open_round(stage, room)
            expelled = stage.connect("3")
            assert (await expelled.join(FIRST))[-1]["type"] == "view"
            assert room.delay_for("3") == timedelta(0)
            impose = Impose(by=CHIEF, article="6.9j", entry=3, reason="x", scope=Scope.TOURNAMENT)
            assert not (await room.ask(impose)).objections
            again = stage.connect("3")
            assert (await again.join(FIRST))[-1]["key"] == "hall_live.no_such_game"
            assert (await again.join(SECOND))[-1]["type"] == "view"  # one's own game goes on
            assert room.delay_for("3") == timedelta(seconds=60)
            await room.ask(LiftSanction(by=CHIEF, number=1, reason="no"))
            assert (await again.join(FIRST))[-1]["type"] == "view"

        run(play)

    def test_hear_of_results_as_late_as_of_moves(self) -> None:
        async def play(stage: Stage) -> None:
            late = Spectators(delay=timedelta(seconds=60))
            room = await event(stage, spectators=late)
            await open_round(stage, room)
            one = await player(stage, 1, FIRST)
            public, colleague = stage.connect(""), stage.connect("3")
            for client in (public, colleague):
                client.say(type="event", event="open")
                await client.hear()
            await start_round(stage)
            await one.wish("resign", FIRST)
            assert [x["type"] for x in await colleague.hear()] == ["event_update"]
            assert await public.hear() == []
            newcomer = stage.connect("")
            newcomer.say(type="event", event="open")
            assert (await newcomer.hear())[-1]["boards"][0]["result"] is None
            await stage.time.pass_by(60_000)
            records = (await public.hear())[-1]["records"]
            assert [x["type"] for x in records] == ["result_taken"]

        run(play)

    def test_who_come_between_a_result_and_its_telling_are_told_too(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, spectators=Spectators(delay=timedelta(seconds=60)))
            await open_round(stage, room)
            one = await player(stage, 1, FIRST)
            await start_round(stage)
            await one.wish("resign", FIRST)
            await stage.time.pass_by(30_000)
            newcomer = stage.connect("")
            newcomer.say(type="event", event="open")
            shown = (await newcomer.hear())[-1]
            assert shown["boards"][0]["result"] is None
            await stage.time.pass_by(30_000)
            told = (await newcomer.hear())[-1]
            assert [x["type"] for x in told["records"]] == ["result_taken"]
            assert told["now"] == stage.time.now(), "a message says when it is sent"

        run(play)

    def test_cannot_count_by_numbers_the_results_that_they_have_not_heard_of(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage, players=6, spectators=Spectators(delay=timedelta(minutes=9)))
            public, colleague = stage.connect(""), stage.connect("5")
            for client in (public, colleague):
                client.say(type="event", event="open")
                assert (await client.hear())[-1]["number"] == 0
            await open_round(stage, room)
            players = [await player(stage, 1, FIRST), await player(stage, 3, SECOND)]
            await start_round(stage)
            numbers = {}
            for name, client in (("public", public), ("colleague", colleague)):
                numbers[name] = [one["number"] for one in await client.hear()]
            assert numbers == {"public": [1, 2], "colleague": [1, 2]}, "paired, opened"
            for one, game in zip(players, (FIRST, SECOND), strict=True):
                await one.wish("resign", game)
            assert [one["number"] for one in await colleague.hear()] == [3, 4]
            # Whatever the public hears or asks for meanwhile is numbered as if nothing had ended.
            public.say(type="event", event="open")
            assert [one["number"] for one in await public.hear()] == [2]
            newcomer = stage.connect("")
            newcomer.say(type="event", event="open")
            shown = (await newcomer.hear())[-1]
            assert (shown["number"], shown["written"]) == (0, 0)
            colleague.say(type="event", event="open")
            assert (await colleague.hear())[-1]["written"] == room.state.number
            assert await public.hear() == []
            await stage.time.pass_by(9 * 60_000)
            assert [one["number"] for one in await public.hear()] == [3, 4]
            assert [one["number"] for one in await newcomer.hear()] == [1, 2]

        run(play)

    def test_are_not_told_who_decided_what_and_why(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            public = stage.connect("")
            public.say(type="event", event="open")
            await public.hear()
            await open_round(stage, room)
            records = [r for one in await public.hear() for r in one["records"]]
            assert [r["type"] for r in records] == ["round_paired", "round_opened"]
            assert {(r["by"], r.get("reason", "")) for r in records} == {("", "")}

        run(play)


class TestWall:
    def test_shows_all_boards_then_those_that_change_with_the_urgent_first(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)
            players = [await player(stage, n, f"open-1-{(n + 1) // 2}") for n in range(1, 5)]
            await start_round(stage)
            chief = stage.connect(CHIEF)
            chief.say(type="wall", event="open")
            first = (await chief.hear())[-1]
            assert [board["game"] for board in first["boards"]] == [FIRST, SECOND]
            assert first["order"] == [FIRST, SECOND]
            await players[3].wish("call_arbiter", SECOND, text="help")
            await stage.time.pass_by(250)
            told = (await chief.hear())[-1]
            assert [board["game"] for board in told["boards"]] == [SECOND]
            assert told["boards"][0]["alarms"][0]["key"] == "hall_live.alarm.call"
            assert told["order"] == [SECOND, FIRST]
            await stage.time.pass_by(5000)
            assert await chief.hear() == [], "nothing has changed"

        run(play)

    def test_is_for_arbiters_and_of_their_zone(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            await open_round(stage, room)
            for account in ("1", ORGANISER, ""):
                client = stage.connect(account)
                client.say(type="wall", event="open")
                assert (await client.hear())[-1]["key"] == "hall_live.not_the_arbiter"
            helper = stage.connect(HELPER)
            helper.say(type="wall", event="open")
            assert [b["game"] for b in (await helper.hear())[-1]["boards"]] == [SECOND]

        run(play)


class TestCommands:
    def test_are_asked_by_whoever_the_server_knows(self) -> None:
        async def play(stage: Stage) -> None:
            await event(stage)
            assert (await stage.connect("1").command("pair_round"))[
                "key"
            ] == "event.not_yours_to_do"
            assert (await stage.connect("").command("pair_round"))["key"] == "hall_live.sign_in"
            bad = await stage.connect(CHIEF).command("no_such")
            assert bad["key"] == "event.not_a_command"

        run(play)

    def test_5_4_nobody_enters_themselves_under_the_number_of_another(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            forged = {"account": "7", "surname": "Falsa", "name": "Nome", "id": 99_000_077}
            player = stage.connect("7", 99_000_007)
            assert (await player.command("enter", person=forged))["key"] == "event.not_about_you"
            unknown = stage.connect("7")
            assert (await unknown.command("enter", person=forged))["key"] == "event.not_about_you"
            assert room.state.entry_of("7") is None
            own = forged | {"id": 99_000_007}
            assert (await player.command("enter", person=own))["type"] == "done"
            by_official = forged | {"account": "8"}
            answer = await stage.connect(CHIEF).command("enter", person=by_official)
            assert answer["type"] == "done"

        run(play)

    def test_5_4_an_official_seats_no_account_under_the_number_of_another(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            listed = Listed(Person(account="7", surname="A", name="B"), "8", 99_000_008)
            room._services = room._services._replace(known=listed)
            chief = stage.connect(CHIEF)
            forged = {"account": "8", "surname": "Falsa", "name": "Nome", "id": 99_000_077}
            answer = await chief.command("enter", person=forged)
            assert answer["key"] == "event.number_of_another"
            assert room.state.entry_of("8") is None
            own = forged | {"id": 99_000_008}
            assert (await chief.command("enter", person=own))["type"] == "done"
            nobody = forged | {"account": "guest"}
            assert (await chief.command("enter", person=nobody))["type"] == "done"
            entry = room.state.entry_of("8")
            assert entry is not None
            other = await chief.command(
                "correct_person", entry=entry.id, person=forged | {"id": 99_000_099}
            )
            assert other["key"] == "event.number_of_another"
            renamed = own | {"surname": "Vera"}
            done = await chief.command("correct_person", entry=entry.id, person=renamed)
            assert done["type"] == "done"

        run(play)

    def test_5_4_who_enters_has_name_and_rating_of_the_lists_whatever_is_said(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            known = Person(account="7", surname="Vera", name="Nome", id=99_000_007, rating=1500)
            room._services = room._services._replace(known=Listed(known))
            boast = {
                "account": "7",
                "surname": "Falsa",
                "name": "Nome",
                "id": 99_000_007,
                "rating": 2800,
                "title": "GM",
                "sex": "w",
            }
            player = stage.connect("7", 99_000_007)
            assert (await player.command("enter", person=boast))["type"] == "done"
            entry = room.state.entry_of("7")
            assert entry is not None
            assert entry.person == replace(known, sex="w")  # lists may not know that
            by_official = boast | {"account": "8", "id": 99_000_008}
            await stage.connect(CHIEF).command("enter", person=by_official)
            entered = room.state.entry_of("8")
            assert entered is not None
            assert entered.person.rating == 2800  # officials answer for whomever they enter

        run(play)

    def test_a_command_goes_on_when_its_sender_leaves(self) -> None:
        async def play(stage: Stage) -> None:
            room = await event(stage)
            chief = stage.connect(CHIEF)
            command = {"type": "pair_by_hand", "boards": [[1, 2], [3, 4]], "reason": "by hand"}
            chief.say(type="command", id="p", event="open", command=command)
            await asyncio.sleep(0)
            chief.connection.close()
            await settle()
            written = len(stage.store.read("event:open"))
            assert room.state.number == written

        run(play)


def test_rooms_of_a_round_that_is_over_leave_the_memory_and_can_be_asked_for() -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage, players=2)
        await open_round(stage, room)
        one = await player(stage, 1, FIRST)
        await start_round(stage)
        await one.wish("resign", FIRST)
        one.connection.close()
        await settle()
        outcome = await room.ask(CloseRound(by=CHIEF))
        assert not outcome.objections
        assert FIRST not in stage.hall.rooms
        back = stage.connect("1")
        assert (await back.join(FIRST))[-1]["view"]["result"]["reason"] == "resignation"
        back.connection.close()
        assert FIRST not in stage.hall.rooms

    run(play)


def test_a_hall_starts_again_with_every_game_standing_still() -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage)
        await open_round(stage, room)
        one = await player(stage, 1, FIRST)
        await start_round(stage)
        await stage.time.pass_by(10_000)
        await one.wish("move", FIRST, uci="e2e4", ply=0)
        after = Stage(stage.store, VirtualTime(stage.time.now() + 3_600_000))
        assert await after.hall.start() == 2
        await after.time.pass_by(3_600_000)
        game = after.hall.rooms[FIRST].state
        assert game.phase is Phase.PAUSED
        assert game.clock.black == 180_000
        assert not game.white.platform.on
        chief = after.connect(CHIEF)
        await chief.join(FIRST)
        answer = await chief.wish("resume", FIRST, reason="we are back")
        assert answer["type"] == "done", answer
        await after.hall.stop()

    run(play)


def test_time_goes_on_from_the_last_moment_of_a_log() -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage)
        await open_round(stage, room)
        await start_round(stage)
        last = stage.time.now()
        after = Stage(stage.store)  # its date has gone back
        await after.hall.start()
        assert after.time.now() >= last
        await after.hall.stop()

    run(play)


def test_an_event_has_its_name_alone() -> None:
    async def play(stage: Stage) -> None:
        await event(stage)
        again = Create(
            by="5",
            event="open",
            name="x",
            start=stage.hall.events["open"].state.created.start,
            end=stage.hall.events["open"].state.created.end,
        )
        with pytest.raises(Refusal) as caught:
            await stage.hall.create_event(again)
        assert caught.value.key == "hall_live.event_there_already"

    run(play)


@pytest.mark.parametrize(
    "name",
    [
        "Open",
        "a b",
        "a/b",
        "../a",
        'a"',
        "a\r\nset-cookie: x=1",
        "alone.x",
        "-a",
        "a-",
        "è",
        "x" * 33,
        "new",
        "game",
    ],
)
def test_an_event_has_a_name_that_addresses_and_headers_can_hold(name: str) -> None:
    async def play(stage: Stage) -> None:
        day = date(2026, 11, 16)
        with pytest.raises(Refusal) as caught:
            await stage.hall.create_event(Create(by="5", event=name, name="x", start=day, end=day))
        expected = "event_there_already" if name in ("new", "game") else "event_name"
        assert caught.value.key == f"hall_live.{expected}"

    run(play)


def test_one_damaged_log_does_not_keep_the_others_from_their_games() -> None:
    async def play(stage: Stage) -> None:
        room = await event(stage)
        await open_round(stage, room)
        await event(stage, name="broken")
        stage.store.kept["event:broken"][1] = b"{"
        stage.store.kept["game:open-1-1"][0] = b"{}"
        after = Stage(stage.store, stage.time)
        assert await after.hall.start() == 1
        assert list(after.hall.rooms) == [SECOND]
        client = after.connect("1")
        told = [message["key"] for message in await client.join(FIRST) if "key" in message]
        assert told == ["hall_live.not_written"]
        await after.hall.stop()

    run(play)
