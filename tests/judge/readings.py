"""The readings of ambiguous passages and what stands when none is chosen."""

from __future__ import annotations

READINGS: dict[str, tuple[str, ...]] = {
    "half_point_rounding": ("away_from_zero", "up"),
    "junior_until": ("birthday", "year_end"),
    "zero_first_event": ("against_rated", "whole_event"),
    "repeated_zero": ("first_only", "until_score"),
    "unrated_pool": ("sliding_window", "reset"),
    "uisp_decimals": ("published_integer", "carried"),
    "rio_category": ("kept", "current"),
}
"""Alternatives by name; the first of each is the default."""


def complete(chosen: dict[str, str]) -> dict[str, str]:
    """Every reading, the chosen ones and the defaults of the others."""
    for name, value in chosen.items():
        if value not in READINGS.get(name, ()):
            raise ValueError(f"no reading {name} = {value}")
    return {name: chosen.get(name, values[0]) for name, values in READINGS.items()}
