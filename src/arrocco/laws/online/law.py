"""What every edition of the online regulation answers, so that one hall can be held under each."""

from __future__ import annotations

from arrocco.laws.online.connection import Connections
from arrocco.laws.online.event_rules import EventRulesCheck
from arrocco.laws.online.fair_play import FairPlay
from arrocco.laws.online.filings import Filings
from arrocco.laws.online.game import Games


class OnlineLaw(Games, Connections, Filings, FairPlay, EventRulesCheck):
    """How supervised online games are played, judged and contested."""
