"""Baselines of several paces in one file: an office's events are of more than one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from arrocco.errors import Inconsistent
from arrocco.fairplay.baseline import Baseline


def paces_of(baseline: Baseline) -> set[str]:
    """The time classes that a baseline knows."""
    return {key.partition("/")[0] for key in baseline.cells}


def joined(first: Baseline, others: Sequence[Baseline]) -> Baseline:
    """One baseline of all of them; the first one's helper, else that of one behind.

    Counts of one pace are not added up: how players differ was measured over each by itself.
    Raises `Inconsistent` where two know the same pace, or were made with another engine or nodes.
    """
    made = first
    for other in others:
        if other.setting != made.setting:
            raise Inconsistent.of(
                "fairplay.other_setting", engine=other.setting.engine, nodes=other.setting.nodes
            )
        twice = sorted(paces_of(made) & paces_of(other))
        if twice:
            raise Inconsistent.of("fairplay.same_pace", pace=twice[0])
        made = replace(
            made,
            sources=(
                *made.sources,
                *(source for source in other.sources if source not in made.sources),
            ),
            games=made.games + other.games,
            cells=dict(sorted({**made.cells, **other.cells}.items())),
            spread=dict(sorted({**made.spread, **other.spread}.items())),
            helper=made.helper or other.helper,
        )
    return made
