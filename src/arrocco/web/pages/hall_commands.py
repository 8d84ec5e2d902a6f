"""What the forms of an event's page ask: each field read into the command it stands for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec

from arrocco.errors import Malformed
from arrocco.hall.event.acts.sanctions import APPEAL
from arrocco.hall.event.field import in_order
from arrocco.hall.event.records import EXCLUDES_FROM_ROUNDS, EventRole
from arrocco.hall.event.state import State
from arrocco.hall.game.records import InspectionPoint
from arrocco.laws.online.sanctions import Scope
from arrocco.records.report import ByeKind
from arrocco.store.sql.accounts import Account
from arrocco.web.forms import Form, whole_number
from arrocco.web.pages.hall_common import ZONE, Objected
from arrocco.web.pages.hall_people import (
    account_by,
    person_numbered,
    person_of_account,
    person_of_asker,
)
from arrocco.web.view import View

Command = dict[str, Any]
_LONGEST = 2000
_MAX_NAME = 200


class Asking:
    """A form of an event's page, read for one command."""

    def __init__(self, view: View, form: Form, state: State, account: str) -> None:
        self.view, self.form, self.state, self.account = view, form, state, account

    def read(self, what: str) -> Command:
        """The command. Raises `Malformed` where the form asks for none there is, or is wrong."""
        reading = _COMMANDS.get(what)
        if reading is None:
            raise Malformed.of("hall_pages.no_such_command", what=what[:40])
        command = {"type": what, **reading(self)}
        if not self.form.ok:
            raise Malformed.of("hall_pages.form_wrong", faults=tuple(self.form.errors.values()))
        return command

    # --- fields --------------------------------------------------------------------------------

    def reason(self, *, needed: bool = True) -> str:
        return self.form.text("reason", needed=needed, longest=_LONGEST)

    def number(self, name: str) -> int:
        return self.form.integer(name, needed=True, least=1) or 0

    def entry(self) -> int:
        """The entry named, or one's own."""
        if self.form.value("entry"):
            return self.number("entry")
        own = self.state.entry_of(self.account)
        if own is None:
            raise Malformed.of("hall_pages.not_entered")
        return own.id

    def moment(self, name: str, *, needed: bool = False) -> str | None:
        """A day and a time of the clocks where the event is held."""
        text = self.form.text(name, needed=needed)
        if not text:
            return None
        try:
            return datetime.fromisoformat(text).replace(tzinfo=ZONE).isoformat()
        except ValueError:
            self.form.wrong(name, "hall_pages.field.no_moment")
            return None

    def pair(self, name: str) -> list[int]:
        """Two scores written ``10,0``, as the choices of the page have them."""
        parts = [whole_number(part) for part in self.form.text(name, needed=True).split(",")]
        known = [part for part in parts if part is not None]
        if len(parts) != 2 or len(known) != 2:
            self.form.wrong(name, "web.field.not_a_choice")
            return [0, 0]
        return known

    def zone(self) -> list[int] | None:
        first, last = self.form.integer("first", least=1), self.form.integer("last", least=1)
        if first is None and last is None:
            return None
        return [first or 1, last or 9999]

    def account_named(self, email: str) -> Account:
        """An account by its e-mail address, for officials: others do not learn who has one."""
        if not self.account or self.state.role(self.account) not in OFFICIALS:
            raise Objected.of("event.not_yours_to_do")
        return account_by(self.view, email)

    # --- commands ------------------------------------------------------------------------------

    def appoint_arbiter(self) -> Command:
        account = self.account_named(self.form.text("email", needed=True))
        arbiter = {
            "account": str(account.id),
            "name": account.name,
            "chief": self.form.chosen("chief"),
            "zone": self.zone(),
        }
        return {"arbiter": arbiter}

    def dismiss_arbiter(self) -> Command:
        return {"account": self.form.text("account", needed=True)}

    def assign_zone(self) -> Command:
        return {"account": self.form.text("account", needed=True), "zone": self.zone()}

    def enter(self) -> Command:
        kind, email = self.state.time_class, self.form.text("email")
        if not email:
            return {"person": person_of_asker(self.view, self.view.asker, kind)}
        return {"person": person_of_account(self.view, self.account_named(email), kind)}

    def correct_person(self) -> Command:
        """5.4 — what is left empty stays; with another number come the data of the lists."""
        number = self.number("entry")
        entry = self.state.entry(number)
        if entry is None:
            raise Malformed.of("hall_pages.not_entered")
        person: Command = msgspec.to_builtins(entry.person)
        listed = self.form.integer("id", least=1)
        if listed is not None and listed != entry.person.id:
            person = person_numbered(self.view, entry.person, listed, self.state.time_class)
        for name in ("surname", "name", "federation"):
            if text := self.form.text(name, longest=_MAX_NAME):
                person[name] = text.upper() if name == "federation" else text
        return {"entry": number, "person": person}

    def check_in(self) -> Command:
        return {"entry": self.entry()}

    def withdraw_entry(self) -> Command:
        return {"entry": self.entry(), "reason": self.reason(needed=False)}

    def request_bye(self) -> Command:
        kind = self.form.choice("kind", ByeKind) or ByeKind.ZERO_POINT
        return {"entry": self.entry(), "round": self.number("round"), "kind": kind.value}

    def cancel_bye(self) -> Command:
        return {"entry": self.entry(), "round": self.number("round")}

    def forbid_pair(self) -> Command:
        return {"one": self.number("one"), "other": self.number("other"), "reason": self.reason()}

    def allow_pair(self) -> Command:
        return {"one": self.number("one"), "other": self.number("other")}

    def pair_round(self) -> Command:
        return {"starts": self.moment("starts")}

    def pair_by_hand(self) -> Command:
        """One board a line, two starting numbers, White first; a single number has the bye."""
        entries = dict(enumerate(in_order(self.state), start=1))
        boards: list[list[int]] = []
        bye = None
        for line in self.form.text("boards", needed=True, longest=20_000).splitlines():
            numbers = line.replace("-", " ").split()
            known = [entries.get(whole_number(n) or 0) for n in numbers]
            if not numbers:
                continue
            if None in known or len(known) > 2:
                self.form.wrong("boards", "hall_pages.field.no_board", line=line[:40])
            elif len(known) == 1:
                bye = known[0]
            else:
                boards.append([one for one in known if one is not None])
        return {
            "boards": boards,
            "bye": bye,
            "starts": self.moment("starts"),
            "reason": self.reason(needed=False),
        }

    def withdraw_pairing(self) -> Command:
        return {"reason": self.reason()}

    def draw_sample(self) -> Command:
        return {"seed": self.form.text("seed", needed=True, longest=200)}

    def nothing(self) -> Command:
        return {}

    def delay_round(self) -> Command:
        return {"starts": self.moment("starts", needed=True), "reason": self.reason()}

    def correct_result(self) -> Command:
        return {
            "round": self.number("round"),
            "board": self.number("board"),
            "points": self.pair("points"),
            "article": self.form.text("article", needed=True),
            "reason": self.reason(),
            "kind": self.form.text("kind") or None,
            "against": self.form.integer("against", least=1),
        }

    def impose(self) -> Command:
        article = self.form.text("article", needed=True)
        scope = self.form.choice("scope", Scope, needed=False)
        rounds = self.form.text("rounds").replace(",", " ").split()
        if article in EXCLUDES_FROM_ROUNDS and scope is None:
            scope = Scope.ROUNDS
        fine = self.form.integer("fine", most=100_000)
        return {
            "article": article,
            "entry": self.number("entry"),
            "reason": self.reason(),
            "scope": None if scope is None else scope.value,
            "rounds": [found for one in rounds if (found := whole_number(one)) is not None],
            "round": self.form.integer("round", least=1),
            "points": self.pair("points") if self.form.text("points") else None,
            "fine": None if fine is None else fine * 100,
        }

    def lift_sanction(self) -> Command:
        article = APPEAL if self.form.chosen("appeal") else ""
        return {"number": self.number("number"), "reason": self.reason(), "article": article}

    def set_joining_time(self) -> Command:
        return {"joining": self.moment("joining", needed=True)}

    def announce_absence(self) -> Command:
        return {"entry": self.entry(), "reason": self.reason(needed=False)}

    def answer_room_check(self) -> Command:
        point = self.form.choice("point", InspectionPoint, needed=True)
        shows = self.form.value("shows") == "yes"
        return {"point": "" if point is None else point.value, "shows": shows}

    def exclude_absent(self) -> Command:
        entry = self.form.integer("entry", needed=True, least=1)
        return {"entry": entry, "scope": self.form.value("scope"), "reason": self.reason()}

    def join_championship(self) -> Command:
        return {"name": self.form.text("name", longest=_MAX_NAME)}

    def save_template(self) -> Command:
        return {"name": self.form.text("name", longest=_MAX_NAME)}

    def announce(self) -> Command:
        return {"text": self.form.text("text", needed=True, longest=_LONGEST)}

    def hold_start(self) -> Command:
        return {"reason": self.reason(needed=False)}

    def leave_waiting_list(self) -> Command:
        return {"account": self.form.text("account")}

    def close_event(self) -> Command:
        return {"reason": self.reason(needed=False)}


_COMMANDS: dict[str, Callable[[Asking], Command]] = {
    "appoint_arbiter": Asking.appoint_arbiter,
    "dismiss_arbiter": Asking.dismiss_arbiter,
    "assign_zone": Asking.assign_zone,
    "enter": Asking.enter,
    "correct_person": Asking.correct_person,
    "check_in": Asking.check_in,
    "withdraw_entry": Asking.withdraw_entry,
    "request_bye": Asking.request_bye,
    "cancel_bye": Asking.cancel_bye,
    "forbid_pair": Asking.forbid_pair,
    "allow_pair": Asking.allow_pair,
    "pair_round": Asking.pair_round,
    "pair_by_hand": Asking.pair_by_hand,
    "withdraw_pairing": Asking.withdraw_pairing,
    "draw_sample": Asking.draw_sample,
    "open_round": Asking.nothing,
    "delay_round": Asking.delay_round,
    "close_round": Asking.nothing,
    "correct_result": Asking.correct_result,
    "impose": Asking.impose,
    "lift_sanction": Asking.lift_sanction,
    "join_championship": Asking.join_championship,
    "save_template": Asking.save_template,
    "announce": Asking.announce,
    "hold_start": Asking.hold_start,
    "release_start": Asking.nothing,
    "leave_waiting_list": Asking.leave_waiting_list,
    "set_joining_time": Asking.set_joining_time,
    "announce_absence": Asking.announce_absence,
    "answer_room_check": Asking.answer_room_check,
    "exclude_absent": Asking.exclude_absent,
    "close_event": Asking.close_event,
    "validate": Asking.nothing,
}

OFFICIALS = (EventRole.CHIEF, EventRole.ORGANISER, EventRole.ASSISTANT)
