"""The readings of ambiguous passages and what stands when none is chosen."""

from __future__ import annotations

READINGS: dict[str, tuple[str, ...]] = {
    "half_point_rounding": ("away_from_zero", "up"),
    "junior_until": ("birthday", "year_end"),
    "zero_first_event": ("against_rated", "whole_event"),
    "repeated_zero": ("first_only", "until_score"),
    "unrated_pool": ("sliding_window", "reset"),
    "one_upgrade": ("stronger", "both"),
    "uisp_decimals": ("published_integer", "carried"),
    "rio_category": ("kept", "current"),
}
"""Alternatives by name; the first of each is the default."""

NOT_DRAWN: dict[str, tuple[str, ...]] = {
    "rio_update_cycle": ("publication", "tournament"),
    "uisp_late_tournaments": ("at_start", "of_period"),
}
"""More alternatives, which random histories leave at their defaults: tests ask for them."""


def complete(chosen: dict[str, str]) -> dict[str, str]:
    """Every reading, the chosen ones and the defaults of the others."""
    known = READINGS | NOT_DRAWN
    for name, value in chosen.items():
        if value not in known.get(name, ()):
            raise ValueError(f"no reading {name} = {value}")
    return {name: chosen.get(name, values[0]) for name, values in known.items()}
