"""What was made up, counted: tests and measurements compare with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arrocco.demo.generate.batch import GeneratedBatch
from arrocco.demo.generate.federation import Federation
from arrocco.demo.generate.rounds import BYE_CODES
from arrocco.records.reportbatch import Kind


@dataclass
class Truth:
    """Counts over all batches seen."""

    federation: Federation
    counts: Counter[str] = field(default_factory=Counter)
    systems: Counter[str] = field(default_factory=Counter)
    controls: Counter[str] = field(default_factory=Counter)
    lists: Counter[str] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)
    defects: dict[str, str] = field(default_factory=dict)
    """By report: the one defect it was given."""

    def add(self, batch: GeneratedBatch) -> None:
        """Counts a batch."""
        entries, games = batch.entries, batch.games
        both = games.white_half + games.black_half
        is_played = games.kind == Kind.PLAYED
        is_forfeit = games.kind == Kind.FORFEIT
        listed = self.federation.id
        is_listed = listed[np.minimum(np.searchsorted(listed, entries.id), len(listed) - 1)]
        self.counts.update(
            {
                "tournaments": len(batch.tournaments),
                "entries": len(entries),
                "unrated_entries": int((entries.rating == 0).sum()),
                "unlisted_entries": int((is_listed != entries.id).sum()),
                "entries_without_id": int((entries.id == 0).sum()),
                "games": len(games),
                "played": int(is_played.sum()),
                "drawn": int((is_played & (games.white_half == 1)).sum()),
                "forfeits": int(is_forfeit.sum()),
                "double_forfeits": int((is_forfeit & (both == 0)).sum()),
                "short_games": int((games.kind == Kind.SHORT).sum()),
                "games_with_unrated": int(
                    ((entries.rating[games.white] == 0) | (entries.rating[games.black] == 0)).sum()
                ),
                "half_points": int(both.sum(dtype=np.int64)),
            }
        )
        codes = np.bincount(batch.byes.code, minlength=len(BYE_CODES)).tolist()
        self.byes.update(dict(zip(BYE_CODES, codes, strict=True)))
        self.systems.update(head.system.value for head in batch.tournaments)
        self.controls.update(head.control.code for head in batch.tournaments if head.control)
        for index, defect in batch.defects.items():
            self.defects[batch.tournaments[index].key] = defect
        self.lists.update(day.isoformat() for day in batch.list_dates)

    def record(self) -> dict[str, Any]:
        """The counts as `truth.json` holds them."""
        federation = self.federation
        opening = federation.calendar.lists[0].isoformat()
        late = sum(count for day, count in self.lists.items() if day != opening)
        return {
            "players": len(federation),
            "rated_players": federation.rated,
            **self.counts,
            "late_reports": late,
            "reports_with_defects": len(self.defects),
            "byes": dict(sorted(self.byes.items())),
            "systems": dict(sorted(self.systems.items())),
            "controls": dict(sorted(self.controls.items())),
            "lists_at_start": dict(sorted(self.lists.items())),
            "defects": self.defects,
        }
