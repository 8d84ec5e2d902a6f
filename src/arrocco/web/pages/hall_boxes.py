"""The forms of an event's page: each in a box, which tells beside its fields what was refused.

Forms of the page share names of fields and stand there many times, so every one has a key of its
own. It is sent along; the box of that key is shown open again, with what was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arrocco.errors import Refusal
from arrocco.web.forms import Form
from arrocco.words import Language, finding_advice, finding_text

BOX = "box"
"""The field that says of which box a form is."""

_ANYWHERE = {"event.reason_needed": "reason", "event.no_such_entry": "entry"}
_OBJECTION = "hall.objection."
_FIELDS: dict[str, dict[str, str]] = {
    "appoint_arbiter": {
        "hall_pages.no_account": "email",
        "event.arbiter_plays": "email",
        "event.arbiter_without_name": "email",
        "event.chief_by_organiser": "chief",
        "event.no_zone": "last",
    },
    "assign_zone": {"event.no_zone": "last"},
    "enter": {
        "hall_pages.no_account": "email",
        "event.already_entered": "email",
        "event.arbiter_plays": "email",
        "event.surname_and_name": "email",
        "event.federation_id_needed": "email",
        "event.text_too_long": "email",
        "event.number_of_another": "email",
        "event.excluded_for_a_time": "email",
        "event.excluded_from_championship": "email",
    },
    "correct_person": {
        "event.surname_and_name": "surname",
        "event.text_too_long": "surname",
        "event.federation_id_needed": "id",
        "event.already_entered": "id",
        "event.number_of_another": "id",
    },
    "check_in": {
        "event.expelled": "entry",
        "event.has_withdrawn": "entry",
        "event.already_checked_in": "entry",
    },
    "withdraw_entry": {"event.has_withdrawn": "entry"},
    "request_bye": {
        "event.round_is_paired": "round",
        "event.no_such_round": "round",
        "event.no_half_point_bye": "kind",
        "event.no_such_bye": "kind",
        "event.has_withdrawn": "entry",
    },
    "forbid_pair": {
        "event.two_entries_needed": "other",
        "event.pair_already_forbidden": "other",
    },
    "pair_round": {"event.starts_in_the_past": "starts"},
    "pair_by_hand": {
        "event.starts_in_the_past": "starts",
        "event.no_such_entry": "boards",
        "event.too_few_players": "boards",
        "event.manual_not_present": "boards",
        "event.manual_paired_twice": "boards",
        "event.manual_left_out": "boards",
        "event.manual_met_before": "boards",
        "event.manual_forbidden_pair": "boards",
        "event.manual_colour_strained": "boards",
        "event.manual_second_bye": "boards",
    },
    "delay_round": {"event.not_later": "starts"},
    "draw_sample": {"event.seed_needed": "seed"},
    "set_joining_time": {"event.joining_in_the_past": "joining"},
    "correct_result": {
        "event.no_such_board": "board",
        "event.no_result_yet": "board",
        "event.article_not_open": "article",
        "event.is_validated": "article",
        "event.committee_signs": "article",
        "event.no_draw_to_undo": "article",
        "event.same_result": "points",
        "event.not_a_draw": "points",
        "event.culprit_needed": "against",
        "event.culprit_does_not_lose": "points",
        "event.opponent_of_excluded": "points",
        "hall_live.kind_of_game": "kind",
        "hall.same_result": "points",
        "event.half_points_differ": "points",
        "event.not_a_forfeit": "kind",
        "hall.objection.score_not_legal": "points",
    },
    "impose": {
        "event.no_such_sanction": "article",
        "event.sanction_of_the_game": "article",
        "event.is_validated": "article",
        "event.for_the_chief": "article",
        "event.committee_imposes": "article",
        "event.opponent_of_excluded": "points",
        "event.not_in_zone": "entry",
        "event.no_game_of_player": "round",
        "event.rounds_without_scope": "rounds",
        "event.round_is_paired": "rounds",
        "event.no_such_round": "rounds",
        "hall.objection.no_extent_given": "scope",
        "hall.objection.scope_not_open": "scope",
        "hall.objection.no_fine_given": "fine",
        "hall.objection.fine_not_announced": "fine",
        "hall.objection.fine_above_announced": "fine",
    },
    "lift_sanction": {"event.is_validated": "appeal", "hall.decision_is_final": "appeal"},
    "announce": {"event.text_needed": "text", "event.text_too_long": "text"},
    "close_event": {"event.rounds_to_come": "reason"},
}
"""The field that each refusal of a command is about; one of no field is told above them all."""
_ROUNDS = ("6.9h",)
"""Where how far an exclusion reaches is a number of rounds and nothing else."""


class Box:
    """One form of the page: what was written in it, and what is wrong there."""

    def __init__(self, key: str, form: Form, told: str = "") -> None:
        self.key, self.form, self.told = key, form, told

    @property
    def is_open(self) -> bool:
        return bool(self.form.errors or self.told)

    def id(self, name: str) -> str:
        """What a field is called where names alone stand many times."""
        return f"{self.key}-{name}"

    def value(self, name: str, default: str = "") -> str:
        return self.form.value(name, default)

    def wrong(self, name: str) -> str:
        """What is wrong with a field; empty where nothing is."""
        return self.form.errors.get(name, "")

    def is_first(self, name: str) -> bool:
        """Whether it is the first field that is wrong: the page is opened there."""
        return next(iter(self.form.errors), None) == name


class Boxes:
    """The boxes of a page; at most one of them was sent, and is told of a refusal."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._empty = Form(language=language)
        self._asked = Box("", self._empty)
        self.was_told = False
        """Whether the box that was sent stands on the page that was made."""

    def __call__(self, what: str, which: Any = "") -> Box:
        """The box of a command; `which` tells boxes of the same command apart."""
        key = f"{what}-{which}" if which != "" else what
        if key != self._asked.key:
            return Box(key, self._empty)
        self.was_told = True
        return self._asked

    def refused(self, what: str, form: Form, refusal: Refusal) -> None:
        """Keeps why a form was refused, beside its fields where they are meant."""
        fields = _ANYWHERE | _FIELDS.get(what, {})
        if what == "impose":
            fields |= _extent_of(form)
        rest: list[str] = []
        told: dict[str, list[str]] = {}
        if not form.errors:
            for key, sentence in _sentences(refusal, self._language):
                field = _field_of(key, fields)
                (rest if field is None else told.setdefault(field, [])).append(sentence)
        for field, sentences in told.items():
            form.errors.setdefault(field, "\n".join(sentences))
        self._asked = Box(form.value(BOX)[:80], form, "\n".join(rest))


def _field_of(key: str, fields: Mapping[str, str]) -> str | None:
    if key.startswith(_OBJECTION):  # what is left of them is about a score
        return fields.get(key, "points")
    return fields.get(key)


def _extent_of(form: Form) -> dict[str, str]:
    """An exclusion from rounds names them; any other says how far it reaches."""
    if form.value("article") in _ROUNDS or form.value("scope") == "rounds":
        return {"hall.objection.no_extent_given": "rounds"}
    return {}


def _sentences(refusal: Refusal, language: Language) -> Iterator[tuple[str, str]]:
    """Every reason of a refusal by its key: what is wrong, its article and what to do."""
    if not refusal.findings:
        yield refusal.key, " ".join(part for part in refusal.said(language) if part)
    for finding in refusal.findings:
        article = f"({finding.article})" if finding.article else ""
        said = (finding_text(language, finding), article, finding_advice(language, finding))
        yield finding.key, " ".join(part for part in said if part)
