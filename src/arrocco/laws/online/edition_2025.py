"""The FSI regulation of supervised online chess as revised on 12 April 2025."""

from __future__ import annotations

from datetime import date

from arrocco.dates import Interval
from arrocco.laws.online.connection import Connections
from arrocco.laws.online.event_rules import EventRulesCheck
from arrocco.laws.online.fair_play import FairPlay
from arrocco.laws.online.filings import Filings
from arrocco.laws.online.game import Games


class Online2025(Games, Connections, Filings, FairPlay, EventRulesCheck):
    """Revision 01: how supervised online games are played, judged and contested."""

    law = "online"
    in_force = Interval(date(2025, 4, 12))
    title_en = "FSI regulation of supervised online chess, revision 01 of 12 April 2025"
    title_it = "Regolamento scacchi on line con Supervisore, revisione 01 del 12 aprile 2025"
    source = "FSI, Federal Council resolution 44/2025 of 12 April 2025"
    READINGS = (
        Connections.YELLOW_CARDS,
        Games.WRONG_COLOURS_ENDED,
        Filings.DEADLINE_END,
    )
