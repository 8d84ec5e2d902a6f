"""The rules of an event in the form that asks for them.

Each rule stands with the article that leaves it to the event, or limits what it can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any

from msgspec import UNSET, UnsetType

from arrocco.errors import Malformed, Refusal
from arrocco.findings import Finding
from arrocco.hall.event.records import PairingSystem, TieBreak
from arrocco.hall.event.rules import Chat, Rules, Spectators, Supervision
from arrocco.laws.hall import first_entry_rating, laws_held_under
from arrocco.laws.online.sanctions import ArbiterSanction
from arrocco.laws.online.score import Scoring
from arrocco.laws.online.side import Side
from arrocco.records.timecontrol import parse
from arrocco.units import decimal
from arrocco.web.forms import Form
from arrocco.web.pages.hall_figures import points_text, time_text
from arrocco.words import Language, finding_advice, finding_text

TIE_BREAKS = 5
"""As many as the form asks for."""
PROPOSED = (TieBreak.BUCHHOLZ_CUT_1, TieBreak.BUCHHOLZ)
"""What the form proposes, for a Swiss."""
OF_ROUND_ROBINS = (TieBreak.DIRECT_ENCOUNTER, TieBreak.SONNEBORN_BERGER)
"""C.07 — what takes their place where everybody meets everybody."""


@dataclass(frozen=True)
class Rule:
    """A rule of the form: its name, the articles beside it and how it is written."""

    name: str
    article: str
    kind: str
    choices: tuple[str, ...] = ()
    default: str = ""
    needed: bool = False


def _values(kind: type[Enum]) -> tuple[str, ...]:
    return tuple(str(one.value) for one in kind)


_MILDER = tuple(
    str(sanction.value)
    for sanction in ArbiterSanction
    if laws_held_under(None).online.may_replace_loss_for_device(sanction)
)
"""5.9 — the sanctions that rules can put in the place of the loss."""

GROUPS: tuple[tuple[str, tuple[Rule, ...]], ...] = (
    (
        "games",
        (
            Rule("time_control", "1.3.6", "text", default="3+2", needed=True),
            Rule("tolerance", "1.3.5", "time", needed=True),
            Rule("white_loses_time_while_absent", "1.3.5", "yes", default="yes"),
            Rule("premoves", "1.2a", "yes", default="yes"),
            Rule("reconnection_limit", "7.7", "time"),
            Rule("disconnection_rule", "7.4", "area", needed=True),
            Rule("call_stops_clocks", "11.1", "yes", default="no"),
        ),
    ),
    (
        "rounds",
        (
            Rule("system", "C.04, C.05", "choice", _values(PairingSystem), "swiss"),
            Rule("rounds", "C.04.1 1", "count", default="5", needed=True),
            Rule("initial_colour", "C.04.3 5.1", "choice", _values(Side), "white"),
            Rule("win", "3.1", "points", default="1", needed=True),
            Rule("draw", "3.1", "points", default="0.5", needed=True),
            Rule("loss", "3.1", "points", default="0", needed=True),
            Rule("forfeit", "3.1", "points", default="0", needed=True),
            Rule("bye_points", "C.04.1 3", "points"),
            Rule("half_point_byes", "C.04.2 3.3", "count", default="0"),
            Rule("half_point_byes_until", "C.04.2 3.3", "count"),
            Rule("tie_breaks", "C.07", "order", _values(TieBreak)),
        ),
    ),
    (
        "players",
        (
            Rule("federation_id_required", "5.4", "yes", default="yes"),
            Rule("late_entries_until", "C.04.2", "count", default="1"),
            Rule("check_in", "C.04.2", "yes", default="no"),
            Rule("rated", "14.1", "yes", default="yes"),
            Rule("rating_of_unrated", "14.2", "count", default=str(first_entry_rating())),
        ),
    ),
    (
        "conduct",
        (
            Rule("supervision", "9.1", "choice", _values(Supervision), "none"),
            Rule("sample", "9.1", "count", default="0"),
            Rule("share_screen", "8.1, 9.1c", "yes", default="yes"),
            Rule("second_camera", "10.3", "yes", default="no"),
            Rule("rest_between_rounds", "9.1d, 12.3", "yes", default="yes"),
            Rule("vcs_grace", "9.1f", "time", default="0:03"),
            Rule("cards", "9.2", "yes", default="no"),
            Rule("red_card_from", "9.2", "count"),
            Rule("chat", "5.2", "choice", (Chat.ARBITERS.value, Chat.CLOSED.value), "arbiters"),
            Rule("announced_fine", "6.9g", "euro"),
            Rule("device_sanction", "5.9", "optional", _MILDER),
            Rule("final_decisions", "5.16, 12.7", "several", _values(ArbiterSanction)),
        ),
    ),
    (
        "spectators",
        (
            Rule("spectators_admitted", "5.17", "yes", default="yes"),
            Rule("spectators_delay", "5.17", "time"),
            Rule("spectators_half_moves", "5.17", "count", default="0"),
        ),
    ),
)

_FIELD_OF = {
    "tolerance_not_stated": "tolerance",
    "time_control_not_stated": "time_control",
    "no_time_to_begin": "time_control",
    "not_rateable": "time_control",
    "device_sanction_not_milder": "device_sanction",
    "disconnection_not_covered": "disconnection_rule",
    "text_too_long": "disconnection_rule",
    "chat_open": "chat",
    "fine_not_positive": "announced_fine",
    "sample_size": "sample",
    "second_camera_alone": "second_camera",
    "cards": "red_card_from",
    "rating_of_unrated": "rating_of_unrated",
    "bye_points": "bye_points",
    "no_buchholz": "tie_breaks_1",
    "tie_break_repeated": "tie_breaks_1",
    "rounds_of_round_robin": "rounds",
    "rounds": "rounds",
    "round_robin_is_closed": "late_entries_until",
}
"""The field that each objection of `arrocco.hall.event.objections` is told under."""


def mark_objections(form: Form, objections: Sequence[Finding], language: Language) -> list[Finding]:
    """Tells each objection under the field it is about; those that are about none."""
    rest = []
    for objection in objections:
        field = _FIELD_OF.get(objection.key.rpartition(".")[2])
        if field is None:
            rest.append(objection)
            continue
        article = f"({objection.article})" if objection.article else ""
        said = (finding_text(language, objection), article, finding_advice(language, objection))
        form.errors.setdefault(field, " ".join(part for part in said if part))
    return rest


def faults_of(form: Form) -> list[tuple[str, str, str]]:
    """What is wrong in a form: each field with the key of its name and its article, in order."""
    rules = {
        field: (f"hall_pages.rule.{rule.name}.name", rule.article)
        for _, group in GROUPS
        for rule in group
        for field in _fields_of(rule)
    }
    named = {field: (f"hall_pages.new.{field}", "") for field in form.errors if field not in rules}
    return [(field, *name) for field, name in (named | rules).items() if field in form.errors]


def _fields_of(rule: Rule) -> Iterator[str]:
    if rule.kind != "order":
        yield rule.name
    else:
        yield from (f"{rule.name}_{number}" for number in range(1, TIE_BREAKS + 1))


# --- from the form --------------------------------------------------------------------------------


def read_rules(form: Form) -> Rules | None:
    """The rules a form states; `None` where some cannot be read, which it then says."""
    rules = rules_in(form)
    return rules if form.ok else None


def rules_in(form: Form) -> Rules:
    """The rules a form states as far as they can be read; what cannot is told under its field."""
    read = _Reading(form)
    scoring = read.scoring()
    system = form.choice("system", PairingSystem) or PairingSystem.SWISS
    return Rules(
        system=system,
        rounds=0 if system.is_round_robin else form.integer("rounds", most=10_000) or 0,
        time_control=read.control(),
        tolerance=read.time("tolerance"),
        white_loses_time_while_absent=read.yes("white_loses_time_while_absent"),
        reconnection_limit=read.time("reconnection_limit"),
        disconnection_rule=form.text("disconnection_rule", longest=4000),
        premoves=read.yes("premoves"),
        scoring=scoring,
        bye_points=read.decimal("bye_points", 10),
        half_point_byes=form.integer("half_point_byes", most=99) or 0,
        half_point_byes_until=form.integer("half_point_byes_until", most=99),
        late_entries_until=form.integer("late_entries_until", most=99) or 1,
        check_in=read.yes("check_in"),
        federation_id_required=read.yes("federation_id_required"),
        spectators=Spectators(
            admitted=read.yes("spectators_admitted"),
            delay=read.time("spectators_delay") or timedelta(0),
            delay_half_moves=form.integer("spectators_half_moves", most=1000) or 0,
        ),
        chat=form.choice("chat", Chat) or Chat.ARBITERS,
        call_stops_clocks=read.yes("call_stops_clocks"),
        supervision=form.choice("supervision", Supervision) or Supervision.NONE,
        sample=form.integer("sample", most=10_000) or 0,
        share_screen=read.yes("share_screen"),
        second_camera=read.yes("second_camera"),
        rest_between_rounds=read.yes("rest_between_rounds"),
        vcs_grace=UNSET if (grace := read.time("vcs_grace")) is None else grace,
        cards=read.yes("cards"),
        red_card_from=form.integer("red_card_from", most=99),
        announced_fine=read.decimal("announced_fine", 100),
        device_sanction=read.sanction(form.text("device_sanction")),
        final_decisions=tuple(
            arbiter_sanction
            for text in form.values("final_decisions")
            if (arbiter_sanction := read.sanction(text)) is not None
        ),
        rated=read.yes("rated"),
        tie_breaks=read.tie_breaks(system),
        rating_of_unrated=form.integer("rating_of_unrated", most=9999) or 0,
        # The form of a round robin does not ask for the colour: its table has them.
        initial_colour=Side.WHITE
        if system.is_round_robin
        else form.choice("initial_colour", Side) or Side.WHITE,
    )


class _Reading:
    """Fields that forms in general do not know."""

    def __init__(self, form: Form) -> None:
        self._form = form

    def yes(self, name: str) -> bool:
        return self._form.value(name) == "yes"

    def time(self, name: str) -> timedelta | None:
        """Minutes and seconds, or whole minutes."""
        text = self._form.text(name)
        if not text:
            return None
        value = time_of(text)
        if value is None:
            self._form.wrong(name, "hall_pages.field.no_time")
        return value

    def control(self) -> str:
        """1.3.6 — minutes and seconds as people write them: ``3+2``, ``3'+2"``; kept as a code."""
        text = self._form.text("time_control")
        if not text:
            return ""
        try:
            return parse(text).code
        except Malformed as refusal:
            self._form.refused(refusal, {refusal.key: "time_control"})
            return ""

    def decimal(self, name: str, unit: int) -> int | None:
        """A decimal in units of so many to one: 0.5 in tenths is 5."""
        text = self._form.text(name).replace(",", ".")
        if not text:
            return None
        whole, _, rest = text.partition(".")
        places = len(str(unit)) - 1
        if not (whole + rest).isdecimal() or not (whole + rest).isascii() or len(text) > 9:
            self._form.wrong(name, "hall_pages.field.no_amount")
            return None
        if len(rest.rstrip("0")) > places:
            self._form.wrong(name, "hall_pages.field.no_amount")
            return None
        return int(whole or 0) * unit + int(rest[:places].ljust(places, "0"))

    def scoring(self) -> Scoring:
        given = [self.decimal(name, 10) or 0 for name in ("win", "draw", "loss", "forfeit")]
        try:
            return Scoring(*given)
        except Refusal as refusal:
            self._form.wrong("win", f"{refusal.key}.text", **refusal.details)
            return Scoring()

    def sanction(self, text: str) -> ArbiterSanction | None:
        return ArbiterSanction(text) if text in _values(ArbiterSanction) else None

    def tie_breaks(self, system: PairingSystem) -> tuple[TieBreak, ...]:
        """In a round robin those that the form proposes for a Swiss are the usual ones instead."""
        names = [self._form.value(f"tie_breaks_{n}") for n in range(1, TIE_BREAKS + 1)]
        given = tuple(TieBreak(name) for name in names if name in _values(TieBreak))
        return OF_ROUND_ROBINS if system.is_round_robin and given == PROPOSED else given


def time_of(text: str) -> timedelta | None:
    """``5``, ``5:00`` or ``1:05:00`` as a time; `None` for anything else."""
    parts = text.strip().split(":")
    if len(parts) > 3 or not all(p.isascii() and p.isdigit() and len(p) <= 4 for p in parts):
        return None
    numbers = [int(part) for part in parts]
    if len(numbers) == 1:
        numbers.append(0)
    if any(number > 59 for number in numbers[1:]):
        return None
    hours, minutes, seconds = [0] * (3 - len(numbers)) + numbers
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)


# --- rules that were stated before ----------------------------------------------------------------


def shown_in_form(rules: Rules) -> dict[str, Any]:
    """What a form shows for rules that were stated before."""
    given: dict[str, Any] = {
        "win": points_text(rules.scoring.win),
        "draw": points_text(rules.scoring.draw),
        "loss": points_text(rules.scoring.loss),
        "forfeit": points_text(rules.scoring.forfeit),
        "bye_points": "" if rules.bye_points is None else points_text(rules.bye_points),
        "spectators_admitted": "yes" if rules.spectators.admitted else "no",
        "spectators_delay": time_text(rules.spectators.delay) if rules.spectators.delay else "",
        "spectators_half_moves": str(rules.spectators.delay_half_moves),
        "announced_fine": "" if rules.announced_fine is None else decimal(rules.announced_fine),
        "device_sanction": rules.device_sanction.value if rules.device_sanction else "",
        "final_decisions": [final_decision.value for final_decision in rules.final_decisions],
        "time_control": rules.time_control if rules.control is None else str(rules.control),
        "share_screen": "yes" if rules.needs_screen else "no",
        "second_camera": "yes" if rules.needs_second_camera else "no",
        "rest_between_rounds": "yes" if rules.may_rest_between_rounds else "no",
    }
    for number, tie_break in enumerate(rules.tie_breaks[:TIE_BREAKS], start=1):
        given[f"tie_breaks_{number}"] = tie_break.value
    for _, group in GROUPS:
        for rule in group:
            if rule.name not in given and rule.kind != "order":
                given[rule.name] = _field(getattr(rules, rule.name))
    return given


def _field(value: Any) -> str:
    match value:
        case None | UnsetType():
            return ""
        case bool():
            return "yes" if value else "no"
        case timedelta():
            return time_text(value)
        case Enum():
            return str(value.value)
    return str(value)
