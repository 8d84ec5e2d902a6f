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

DRAWN_APART: dict[str, tuple[str, ...]] = {
    "unrated_pool_counts": ("played", "rated"),
    "listed_since": ("entry_rating", "current"),
    "published_ru": ("new", "first"),
}
"""Alternatives that came later: drawn on their own, so that histories stay the same otherwise."""

NOT_DRAWN: dict[str, tuple[str, ...]] = {
    "reentry": ("as_new", "keeps_games"),
    "interim_first_event": ("whole_tournament", "each_report"),
    "rio_update_cycle": ("publication", "tournament"),
    "uisp_late_tournaments": ("at_start", "of_period"),
}
"""More alternatives, which random histories leave at their defaults: tests ask for them."""


def complete(chosen: dict[str, str]) -> dict[str, str]:
    """Every reading, the chosen ones and the defaults of the others."""
    known = READINGS | DRAWN_APART | NOT_DRAWN
    for name, value in chosen.items():
        if value not in known.get(name, ()):
            raise ValueError(f"no reading {name} = {value}")
    return {name: chosen.get(name, values[0]) for name, values in known.items()}
