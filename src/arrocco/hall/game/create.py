"""A game is paired: what it must have before it can begin (1.3.3, 1.3.5, 1.3.6)."""

from __future__ import annotations

from arrocco.errors import Malformed
from arrocco.hall.game.decision import Decision, happened, refused
from arrocco.hall.game.events import Created
from arrocco.records.timecontrol import parse_code


def create(created: Created) -> Decision:
    """The first event of a log, or why there can be no such game."""
    white, black, rules = created.white.id, created.black.id, created.rules
    if not (created.game and white and black) or white == black:
        return refused("hall.two_players_needed")
    try:
        control = parse_code(created.control)
    except Malformed:
        return refused("hall.no_time_control", "1.3.6", control=created.control[:40])
    if not (control.white[0].seconds and control.black[0].seconds):
        return refused("hall.no_time_to_begin", "1.3.3", control=created.control)
    if rules.tolerance < 0:
        return refused("hall.negative_rule", "1.3.5")
    if rules.reconnection_limit is not None and rules.reconnection_limit < 0:
        return refused("hall.negative_rule", "7.7")
    if rules.spectator_delay < 0 or rules.spectator_delay_plies < 0:
        return refused("hall.negative_rule", "5.17")
    if rules.announced_fine is not None and rules.announced_fine < 0:
        return refused("hall.negative_rule", "6.9g")
    return happened(created)
