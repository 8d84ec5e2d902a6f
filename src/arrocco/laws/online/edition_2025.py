"""The FSI regulation of supervised online chess as revised on 12 April 2025."""

from __future__ import annotations

from datetime import date

from arrocco.dates import Interval
from arrocco.laws.online.law import OnlineLaw


class Online2025(OnlineLaw):
    """Revision 01: how supervised online games are played, judged and contested."""

    law = "online"
    in_force = Interval(date(2025, 4, 12))
    title_en = "FSI regulation of supervised online chess, revision 01 of 12 April 2025"
    source_it = "FSI, delibera del Consiglio Federale 44/2025 del 12 aprile 2025"
    title_it = "Regolamento scacchi on line con Supervisore, revisione 01 del 12 aprile 2025"
    source = "FSI, Federal Council resolution 44/2025 of 12 April 2025"
    READINGS = (
        OnlineLaw.YELLOW_CARDS,
        OnlineLaw.WRONG_COLOURS_ENDED,
        OnlineLaw.DEADLINE_END,
        OnlineLaw.COMPLAINTS_FROM,
        OnlineLaw.RECORDINGS_ERASED,
    )
