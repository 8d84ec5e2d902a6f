"""Who runs an event and who plays in it (5.4, 6.3, 9.1e, 12.5d)."""

from __future__ import annotations

from datetime import date

import pytest

from arrocco.errors import Illegal
from arrocco.hall.event import create, decide
from arrocco.hall.event.acts import COMMANDS
from arrocco.hall.event.acts.byes import CancelBye, RequestBye
from arrocco.hall.event.acts.chat import Say
from arrocco.hall.event.acts.closing import Validate
from arrocco.hall.event.acts.committee import CarryOutDecision, TakeMeasure
from arrocco.hall.event.acts.consent import ConsentToVideo
from arrocco.hall.event.acts.entries import CheckIn, CorrectPerson, Enter, WithdrawEntry
from arrocco.hall.event.acts.joining import AnnounceAbsence, NoteJoined
from arrocco.hall.event.acts.officials import AppointArbiter, AssignZone, DismissArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairRound
from arrocco.hall.event.acts.results import TakeBack, TakeResult
from arrocco.hall.event.acts.room_checks import AnswerRoomCheck
from arrocco.hall.event.acts.rounds import CloseRound, OpenRound
from arrocco.hall.event.acts.sanctions import CarryBack, CarryOut
from arrocco.hall.event.acts.schedule import HoldStart
from arrocco.hall.event.acts.talks import EndTalk
from arrocco.hall.event.acts.waiting import LeaveWaitingList
from arrocco.hall.event.creation import Create
from arrocco.hall.event.record import Created
from arrocco.hall.event.records import Arbiter, EventRole, PairingSystem
from arrocco.laws.online.sanctions import Scope
from arrocco.records.report import ByeKind
from tests.hall.event.desk import CHIEF, HELPER, ORGANISER, START, WIN, Desk, person, rules

HALF, ZERO = ByeKind.HALF_POINT, ByeKind.ZERO_POINT


class TestCreation:
    def wish(self, **changes: object) -> Create:
        given = {"event": "e", "name": "N", "start": date(2026, 1, 2), "end": date(2026, 1, 3)}
        return Create(by=ORGANISER, **{**given, **changes})  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("changes", "key"),
        [
            ({"name": " "}, "name_needed"),
            ({"event": ""}, "name_needed"),
            ({"name": "x" * 2001}, "text_too_long"),
            ({"end": date(2026, 1, 1)}, "ends_before_it_starts"),
        ],
    )
    def test_an_event_needs_a_name_and_days_in_order(
        self, changes: dict[str, object], key: str
    ) -> None:
        decision = create(self.wish(**changes), START)
        assert decision.refusal is not None
        assert decision.refusal.key == f"event.{key}"

    def test_who_creates_it_organises_it_with_others(self) -> None:
        (created,) = create(self.wish(organisers=("oscar", ORGANISER, "")), START).events
        assert isinstance(created, Created)
        assert created.organisers == (ORGANISER, "oscar")

    def test_nobody_creates_nothing(self) -> None:
        nobody = Create(by="", event="e", name="N", start=date(2026, 1, 2), end=date(2026, 1, 2))
        refusal = create(nobody, START).refusal
        assert refusal is not None
        assert refusal.key == "event.organiser_needed"

    def test_an_event_is_not_created_within_another(self) -> None:
        assert Desk().refusal(self.wish())[0] == "not_yours_to_do"

    def test_a_moment_needs_its_offset(self) -> None:
        with pytest.raises(Illegal):
            decide(Desk().state, Validate(by=CHIEF), START.replace(tzinfo=None))


class TestArbiters:
    def test_the_organiser_appoints_the_chief_and_the_chief_assistants(self) -> None:
        desk = Desk()
        chief = Arbiter(account="dora", name="Dora", chief=True)
        assistant = Arbiter(account=HELPER, name="Anna", zone=(1, 4))
        assert desk.refusal(AppointArbiter(by=CHIEF, arbiter=chief)) == (
            "chief_by_organiser",
            "6.3",
        )
        desk.granted(AppointArbiter(by=CHIEF, arbiter=assistant))
        assert desk.state.role(HELPER) is EventRole.ASSISTANT
        desk.granted(AppointArbiter(by=ORGANISER, arbiter=chief))
        assert [arbiter.account for arbiter in desk.state.arbiters if arbiter.chief] == ["dora"]
        assert desk.state.role(CHIEF) is EventRole.ASSISTANT

    def test_the_chief_cannot_step_down_by_appointing_themselves_assistant(self) -> None:
        wish = AppointArbiter(by=CHIEF, arbiter=Arbiter(account=CHIEF, name="Carla"))
        assert Desk().refusal(wish) == ("chief_by_organiser", "6.3")

    @pytest.mark.parametrize("zone", [(0, 3), (4, 3)])
    def test_a_zone_has_a_first_and_a_last_board(self, zone: tuple[int, int]) -> None:
        desk = Desk()
        desk.appoint(HELPER, "Anna")
        wish = AssignZone(by=CHIEF, account=HELPER, zone=zone)
        assert desk.refusal(wish) == ("no_zone", "6.3")

    def test_zones_are_given_to_assistants_only(self) -> None:
        desk = Desk()
        desk.appoint(HELPER, "Anna")
        desk.granted(AssignZone(by=CHIEF, account=HELPER, zone=(2, 3)))
        arbiter = desk.state.arbiter(HELPER)
        assert arbiter is not None
        assert [board for board in range(1, 6) if arbiter.watches(board)] == [2, 3]
        assert desk.refusal(AssignZone(by=CHIEF, account=CHIEF, zone=(1, 1)))[0] == (
            "no_such_arbiter"
        )
        assert desk.refusal(AssignZone(by=HELPER, account=HELPER))[0] == "not_yours_to_do"

    def test_nobody_is_arbiter_and_player(self) -> None:
        desk = Desk(2)
        wish = AppointArbiter(by=ORGANISER, arbiter=Arbiter(account="p1", name="Ada"))
        assert desk.refusal(wish) == ("arbiter_plays", "6.3")
        wish_ = Enter(by=ORGANISER, person=person(9, account=CHIEF))
        assert desk.refusal(wish_) == ("arbiter_plays", "6.3")

    def test_an_event_under_way_keeps_a_chief_arbiter(self) -> None:
        desk = Desk(4)
        assert desk.refusal(DismissArbiter(by=CHIEF, account=CHIEF))[0] == "chief_stays"
        desk.pair()
        assert desk.refusal(DismissArbiter(by=ORGANISER, account=CHIEF))[0] == "chief_stays"
        desk.appoint("dora", "Dora", chief=True)
        desk.granted(DismissArbiter(by=ORGANISER, account=CHIEF))
        assert desk.state.arbiter(CHIEF) is None

    def test_an_organiser_who_is_the_chief_arbiter_too_does_what_both_do(self) -> None:
        desk = Desk(4)
        desk.appoint(ORGANISER, "Olga Organizza", chief=True)
        assert desk.state.roles(ORGANISER) == [EventRole.CHIEF, EventRole.ORGANISER]
        desk.granted(SetRules(by=ORGANISER, rules=rules(rounds=5)))
        desk.granted(PairRound(by=ORGANISER))

    def test_who_may_what_leaves_nothing_out(self) -> None:
        assert all(kind.MAY for kind in COMMANDS)
        asked = [kind for kind in COMMANDS if not kind.FROM_PAGES]
        players = {kind for kind in asked if EventRole.PLAYER in kind.MAY}
        assert players == {
            Enter,
            CheckIn,
            WithdrawEntry,
            RequestBye,
            CancelBye,
            Say,
            LeaveWaitingList,
            ConsentToVideo,
            AnnounceAbsence,
            AnswerRoomCheck,
        }
        assert {kind for kind in COMMANDS if EventRole.SERVER in kind.MAY} == {
            HoldStart,
            OpenRound,
            PairRound,
            TakeResult,
            TakeBack,
            NoteJoined,
            CloseRound,
            CarryOut,
            CarryBack,
            CarryOutDecision,
            TakeMeasure,
            EndTalk,
        }


class TestEntries:
    def test_a_player_enters_with_account_surname_and_name(self) -> None:
        desk = Desk()
        desk.granted(Enter(by="p1", person=person(1)))
        assert desk.state.role("p1") is EventRole.PLAYER
        for lacking in ({"surname": " "}, {"name": ""}, {"account": ""}):
            wish = Enter(by=ORGANISER, person=person(2, **lacking))
            assert desk.refusal(wish) == ("surname_and_name", "5.4")

    def test_a_player_enters_only_themselves(self) -> None:
        assert Desk().refusal(Enter(by="p1", person=person(2))) == ("not_about_you", "5.4")

    def test_the_federations_number_is_asked_for_unless_the_rules_do_not(self) -> None:
        wish = Enter(by="p1", person=person(1, id=None))
        assert Desk().refusal(wish) == ("federation_id_needed", "5.4")
        Desk(federation_id_required=False).granted(wish)

    @pytest.mark.parametrize("same", [{"account": "p1"}, {"id": 99_000_001}])
    def test_12_5d_nobody_plays_with_two_accounts(self, same: dict[str, object]) -> None:
        wish = Enter(by=ORGANISER, person=person(2, **same))
        assert Desk(1).refusal(wish) == ("already_entered", "12.5d")

    def test_a_name_is_corrected_but_the_account_stays_once_play_has_begun(self) -> None:
        desk = Desk(2)
        desk.granted(CorrectPerson(by=ORGANISER, entry=1, person=person(1, account="q1")))
        desk.pair()
        desk.granted(
            CorrectPerson(by=CHIEF, entry=1, person=person(1, account="q1", surname="Acero"))
        )
        entry = desk.state.entry(1)
        assert entry is not None
        assert entry.person.full_name == "Acero, Ada"
        wish = CorrectPerson(by=CHIEF, entry=1, person=person(1, account="r1"))
        assert desk.refusal(wish) == ("account_stays", "5.4")

    def test_a_late_entry_plays_from_the_next_round_and_is_numbered_by_rating(self) -> None:
        desk = Desk(4, late_entries_until=2).pair()
        assert desk.refusal(Enter(by="p9", person=person(9)))[0] == "late_entry_by_official"
        desk.granted(Enter(by=CHIEF, person=person(9, rating=2500)))
        desk.play(WIN, WIN).pair()
        assert desk.state.entries[4].first_round == 2
        assert desk.state.order[0] == 5
        assert 5 in desk.state.rounds[1].byes or any(5 in board for board in desk.boards)
        wish = Enter(by=CHIEF, person=person(10))
        assert desk.refusal(wish)[0] == "too_late_to_enter"

    def test_c042_2_5_after_the_fourth_round_a_newcomer_is_put_in_by_rating(self) -> None:
        desk = Desk(8, rounds=7, late_entries_until=7)
        for _ in range(4):
            desk.pair().play(*[WIN] * 4)
        before = desk.state.order
        desk.granted(Enter(by=CHIEF, person=person(9, rating=2500)))
        desk.pair()
        assert desk.state.order == (9, *before)

    def test_without_rules_nobody_enters(self) -> None:
        desk = Desk()
        bare = decide(
            type(desk.state)(created=desk.state.created, number=1, last_at=START),
            Enter(by="p1", person=person(1)),
            START,
        )
        assert bare.refusal is not None
        assert bare.refusal.key == "event.no_rules"


class TestPresence:
    def test_where_the_rules_ask_it_only_who_is_there_is_paired(self) -> None:
        desk = Desk(4, check_in=True)
        assert desk.refusal(PairRound(by=CHIEF))[0] == "too_few_players"
        desk.granted(CheckIn(by="p1", entry=1))
        desk.granted(CheckIn(by=CHIEF, entry=3))
        assert desk.refusal(CheckIn(by="p1", entry=1))[0] == "already_checked_in"
        assert desk.refusal(CheckIn(by="p1", entry=2))[0] == "not_about_you"
        desk.pair()
        assert desk.boards == [(1, 3)]
        assert desk.state.rounds[0].byes == {2: ZERO, 4: ZERO}

    def test_9_1e_who_withdraws_is_paired_no_more_and_comes_back_by_an_official(self) -> None:
        desk = Desk(5).pair().play(WIN, WIN)
        desk.granted(WithdrawEntry(by="p1", entry=1, reason="ill"))
        desk.pair()
        assert desk.state.rounds[1].byes[1] is ZERO
        assert desk.refusal(CheckIn(by="p1", entry=1))[0] == "has_withdrawn"
        desk.play(WIN, WIN)
        desk.granted(CheckIn(by=CHIEF, entry=1))
        desk.pair()
        assert any(1 in board for board in desk.boards) or 1 in desk.state.rounds[2].byes

    def test_who_withdraws_before_the_first_round_takes_no_part(self) -> None:
        desk = Desk(3)
        desk.granted(WithdrawEntry(by="p3", entry=3))
        desk.pair()
        assert desk.state.order == (1, 2)
        assert 3 not in desk.ranks()


class TestByes:
    def test_half_a_point_only_as_often_and_as_late_as_the_rules_say(self) -> None:
        desk = Desk(6, rounds=5, half_point_byes=1, half_point_byes_until=3)
        assert desk.refusal(RequestBye(by="p1", entry=1, round=4, kind=HALF))[0] == (
            "no_half_point_bye"
        )
        desk.granted(RequestBye(by="p1", entry=1, round=1, kind=HALF))
        assert desk.refusal(RequestBye(by="p1", entry=1, round=2, kind=HALF))[0] == (
            "no_half_point_bye"
        )
        desk.granted(RequestBye(by="p1", entry=1, round=2, kind=ZERO))
        desk.pair()
        assert desk.state.rounds[0].byes[1] is HALF
        desk.play(WIN, WIN)
        assert desk.points()[1] == 5

    def test_a_bye_is_asked_for_before_the_pairing_and_can_be_cancelled_until_then(self) -> None:
        desk = Desk(4)
        desk.granted(RequestBye(by="p1", entry=1, round=1))
        desk.granted(CancelBye(by="p1", entry=1, round=1))
        assert desk.refusal(CancelBye(by="p1", entry=1, round=1))[0] == "no_such_bye"
        desk.pair()
        assert 1 not in desk.state.rounds[0].byes
        assert desk.refusal(RequestBye(by="p1", entry=1, round=1))[0] == "round_is_paired"
        assert desk.refusal(RequestBye(by="p1", entry=1, round=4))[0] == "no_such_round"

    @pytest.mark.parametrize("kind", [ByeKind.FULL_POINT, ByeKind.PAIRING_ALLOCATED])
    def test_nobody_asks_for_a_whole_point(self, kind: ByeKind) -> None:
        wish = RequestBye(by="p1", entry=1, round=1, kind=kind)
        assert Desk(2).refusal(wish)[0] == "no_such_bye"

    def test_a_round_robin_knows_no_requested_byes(self) -> None:
        desk = Desk(4, system=PairingSystem.ROUND_ROBIN)
        assert desk.refusal(RequestBye(by="p1", entry=1, round=1))[0] == "no_such_bye"


def test_an_ended_event_takes_nobody_in_and_lets_nobody_go() -> None:
    desk = Desk(2).end("nobody else came")
    assert desk.refusal(Enter(by="p9", person=person(9)))[0] == "event_closed"
    assert desk.refusal(WithdrawEntry(by="p1", entry=1))[0] == "event_closed"
    assert desk.refusal(PairRound(by=CHIEF))[0] == "event_closed"
    assert desk.refusal(SetRules(by=ORGANISER, rules=rules()))[0] == "rules_stand"


def test_6_3_assistants_see_who_is_there_but_send_nobody_away() -> None:
    desk = Desk(2, half_point_byes=1)
    desk.appoint(HELPER, "Anna")
    desk.granted(CheckIn(by=HELPER, entry=1))
    for wish in (
        WithdrawEntry(by=HELPER, entry=1),
        RequestBye(by=HELPER, entry=1, round=1),
        CancelBye(by=HELPER, entry=1, round=1),
    ):
        assert desk.refusal(wish)[0] == "not_about_you"


def test_12_13_who_is_expelled_takes_no_points_from_opponents_by_leaving() -> None:
    desk = Desk(4, system=PairingSystem.ROUND_ROBIN).pair().play(WIN, WIN)
    loser = desk.boards[0][1]
    before = desk.points()
    desk.impose("6.9j", loser, scope=Scope.TOURNAMENT)
    for by in (f"p{loser}", CHIEF):
        assert desk.refusal(WithdrawEntry(by=by, entry=loser)) == ("expelled", "6.9j")
    assert desk.points() == {entry: had for entry, had in before.items() if entry != loser}
