"""The FSI online regulation: what the rules of an event must say, and what they cannot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from arrocco.laws.online.sanctions import ArbiterSanction, Sanctions
from arrocco.records.timecontrol import TimeControl


class RulesObjection(Enum):
    """What is wrong with the rules of an event: its key and its article."""

    ILLEGAL_MOVES_NOT_COVERED = ("illegal_moves_not_covered", "1.2")
    TOLERANCE_NOT_STATED = ("tolerance_not_stated", "1.3.5")
    TIME_CONTROL_NOT_STATED = ("time_control_not_stated", "1.3.6")
    DEVICE_SANCTION_NOT_MILDER = ("device_sanction_not_milder", "5.9")
    DISCONNECTION_NOT_COVERED = ("disconnection_not_covered", "7.4")
    FAIR_PLAY_LEFT_TO_PLATFORM = ("fair_play_left_to_platform", "12.8")

    def __init__(self, key: str, article: str) -> None:
        self.key = key
        self.article = article


@dataclass(frozen=True)
class EventRules:
    """The rules of an event, as far as the regulation has something to say about them."""

    time_control: TimeControl | None = None
    tolerance: timedelta | None = None
    """`None` where the rules do not state it: that is not zero (1.3.5)."""
    platform_allows_illegal_moves: bool = False
    illegal_moves_rule: str = ""
    disconnection_rule: str = ""
    """The consequences of a disconnection, in the event's own words."""
    device_sanction: ArbiterSanction | None = None
    """What the rules put in the place of the loss for a forbidden device."""
    fair_play_only_by_platform: bool = False


class EventRulesCheck(Sanctions):
    """The check of an event's rules before it is announced."""

    def fair_play_may_be_left_to(self, *, platform_only: bool) -> bool:
        """12.8 — fair play cannot be the exclusive business of the platform."""
        return not platform_only

    def objections_to_rules(self, rules: EventRules) -> tuple[RulesObjection, ...]:
        """1.2, 1.3.5, 1.3.6, 5.9, 7.4, 12.8 — what the rules of an event lack or cannot say."""
        device = rules.device_sanction
        checks = (
            (
                rules.platform_allows_illegal_moves and not rules.illegal_moves_rule.strip(),
                RulesObjection.ILLEGAL_MOVES_NOT_COVERED,
            ),
            (
                rules.tolerance is None or rules.tolerance < timedelta(0),
                RulesObjection.TOLERANCE_NOT_STATED,
            ),
            (rules.time_control is None, RulesObjection.TIME_CONTROL_NOT_STATED),
            (
                device is not None and not self.may_replace_loss_for_device(device),
                RulesObjection.DEVICE_SANCTION_NOT_MILDER,
            ),
            (not rules.disconnection_rule.strip(), RulesObjection.DISCONNECTION_NOT_COVERED),
            (
                not self.fair_play_may_be_left_to(platform_only=rules.fair_play_only_by_platform),
                RulesObjection.FAIR_PLAY_LEFT_TO_PLATFORM,
            ),
        )
        return tuple(objection for applies, objection in checks if applies)
