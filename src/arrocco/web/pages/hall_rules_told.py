"""The rules of an event in words, for everybody who reads its page."""

from __future__ import annotations

from arrocco.hall.event.records import PairingSystem, TieBreak
from arrocco.hall.event.rules import Rules, Supervision
from arrocco.laws.hall import laws_held_under
from arrocco.units import decimal
from arrocco.web.pages.hall_common import decimal_in
from arrocco.web.pages.hall_figures import control_in_words, points_text, time_text
from arrocco.web.pages.hall_rules import GROUPS, Rule
from arrocco.web.view import View


def rules_told(view: View, rules: Rules) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """The rules in words: by group, each with its name, what it says and its article."""
    t = view.t
    values = _told_values(view, rules)
    return [
        (
            t(f"hall_pages.group.{key}"),
            [
                (_told_name(view, rule), values[rule.name], rule.article)
                for rule in group
                if rule.name in values
            ],
        )
        for key, group in GROUPS
    ]


def _told_name(view: View, rule: Rule) -> str:
    """The name of a rule; the points of win, draw and loss are told as one."""
    key = "hall_pages.scoring_name" if rule.name == "win" else f"hall_pages.rule.{rule.name}.name"
    return view.t(key)


def _told_values(view: View, rules: Rules) -> dict[str, str]:
    t = view.t

    def yes(value: bool) -> str:
        return t(f"hall_pages.yes.{'yes' if value else 'no'}")

    def choice(rule: str, value: str) -> str:
        return t(f"hall_pages.choice.{rule}.{value}")

    def count(value: int | None, none: str) -> str:
        return t(f"hall_pages.none.{none}") if value is None else str(value)

    def amount(text: str) -> str:
        return decimal_in(view.language, text)

    limit, delay = rules.reconnection_limit, rules.spectators.delay
    scoring = rules.scoring
    told = {
        "time_control": "–"
        if rules.control is None
        else control_in_words(view.language, rules.control, laws_held_under(None).rio),
        "tolerance": "–" if rules.tolerance is None else time_text(rules.tolerance),
        "white_loses_time_while_absent": yes(rules.white_loses_time_while_absent),
        "premoves": yes(rules.premoves),
        "reconnection_limit": t("hall_pages.none.reconnection")
        if limit is None
        else time_text(limit),
        "disconnection_rule": rules.disconnection_rule,
        "call_stops_clocks": yes(rules.call_stops_clocks),
        "system": choice("system", rules.system.value),
        "rounds": t("hall_pages.none.rounds") if not rules.rounds else str(rules.rounds),
        "win": t(
            "hall_pages.scoring",
            win=amount(points_text(scoring.win)),
            draw=amount(points_text(scoring.draw)),
            loss=amount(points_text(scoring.loss)),
            forfeit=amount(points_text(scoring.forfeit)),
        ),
        "bye_points": amount(points_text(rules.points_for_bye)),
        "half_point_byes": str(rules.half_point_byes),
        "tie_breaks": ", ".join(
            choice("tie_breaks", tie_break.value) for tie_break in rules.tie_breaks
        )
        or "–",
        "federation_id_required": yes(rules.federation_id_required),
        "late_entries_until": str(rules.late_entries_until),
        "check_in": yes(rules.check_in),
        "rated": yes(rules.rated),
        "supervision": choice("supervision", rules.supervision.value),
        "cards": yes(rules.cards),
        "chat": choice("chat", rules.chat.value),
        "announced_fine": "–"
        if rules.announced_fine is None
        else f"{amount(decimal(rules.announced_fine))} €",
        "device_sanction": t("hall_pages.none.device_sanction")
        if rules.device_sanction is None
        else choice("sanction", rules.device_sanction.value),
        "final_decisions": ", ".join(
            choice("sanction", final_decision.value) for final_decision in rules.final_decisions
        )
        or t("hall_pages.none.final_decisions"),
        "spectators_admitted": yes(rules.spectators.admitted),
    }
    if rules.system is PairingSystem.SWISS:
        told["initial_colour"] = choice("initial_colour", rules.initial_colour.value)
    if rules.half_point_byes:
        told["half_point_byes_until"] = count(rules.half_point_byes_until, "until")
    if rules.supervision is Supervision.SAMPLE:
        told["sample"] = str(rules.sample)
    if rules.supervision is not Supervision.NONE:
        told["share_screen"] = yes(rules.needs_screen)
        told["second_camera"] = choice(
            "second_camera", "required" if rules.needs_second_camera else "offered"
        )
        told["rest_between_rounds"] = yes(rules.may_rest_between_rounds)
        told["vcs_grace"] = time_text(rules.grace)
    if rules.cards:
        told["red_card_from"] = count(rules.red_card_from, "red_card")
    if delay:
        told["spectators_delay"] = time_text(delay)
    if rules.spectators.delay_half_moves:
        told["spectators_half_moves"] = str(rules.spectators.delay_half_moves)
    if TieBreak.AVERAGE_RATING in rules.tie_breaks or TieBreak.PERFORMANCE in rules.tie_breaks:
        told["rating_of_unrated"] = str(rules.rating_of_unrated)
    return told
