"""Numbers that decide how an online game ends and until when one can object: the hall asked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from arrocco.hall.event import appeals_until, decide
from arrocco.hall.event.acts.closing import Validate
from arrocco.hall.event.acts.filing_decisions import RecordPayment
from arrocco.hall.event.filings import Payment, money_of
from arrocco.hall.game import Judge
from arrocco.hall.game import commands as c
from arrocco.hall.game.acts.new_game import CorrectColours
from arrocco.office.cases.case import Proposal
from arrocco.office.cases.records import DecisionProposed
from tests.hall.event import test_filings as filings
from tests.hall.event.desk import CHIEF, WIN, Desk
from tests.hall.game.table import ARBITER, Table, by_material
from tests.laws.values.trial import World

MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)
OUT_AND_BACK = "g1f3 g8f6 f3g1 f6g8 "


def _table(world: World) -> Table:
    return Table("3600+30", judge=Judge(by_material, law=world.text()))


def third_time(world: World) -> object:
    """The first position appears exactly so often that the game is drawn."""
    table = _table(world).play(OUT_AND_BACK * (world.number("REPETITIONS") - 1))
    return table.state.outcome


def fifty_moves(world: World) -> object:
    """One move before so many have passed without progress."""
    clock = 2 * world.number("MOVES_WITHOUT_PROGRESS") - 1
    table = _table(world).set_up(f"4k3/8/8/8/8/8/8/R3K2R w - - {clock} 90")
    return table.play("a1b1").state.outcome


def agreed_at_once(world: World) -> object:
    """A draw offered and accepted after exactly so many moves of each."""
    table = _table(world).play(OUT_AND_BACK[:9])
    table.wish(c.OfferDraw(by="ada"))
    decision = table.wish(c.AcceptDraw(by="bea"))
    return decision.refusal, table.state.phase


def wrong_colours(world: World) -> object:
    """Colours set right after exactly so many moves of each."""
    moves = world.number("WRONG_COLOURS_MOVES")
    played = "e2e4 e7e5 " + "g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 d7d6 b1c3 a7a6 a2a3 h7h6 h2h3 c8d7 "
    played += "a1b1 a8b8 c1d2 d8e7 d1e2 e8g8"
    table = _table(world).play(" ".join(played.split()[: 2 * moves]))
    return table.wish(CorrectColours(by=ARBITER, reason="seats")).refusal


def _ended_event() -> Desk:
    return Desk(2, rounds=1).pair().play(WIN).end()


def validated_at_once(world: World) -> object:
    """The standings validated in the moment in which nobody can complain any more."""
    desk = _ended_event()
    closed = desk.state.rounds[0].closed
    assert closed is not None
    now = closed + timedelta(hours=world.number("COMPLAINT_HOURS"))
    command = Validate(by=CHIEF)
    return decide(desk.state, command, now, desk.state.laws._replace(online=world.text())).refusal


def time_to_appeal(world: World) -> object:
    desk = _ended_event().later(hours=10)
    desk.granted(Validate(by=CHIEF))
    return appeals_until(desk.state, desk.state.laws._replace(online=world.text()))


def appeal_that_was_paid(world: World) -> object:
    """12.10 — what an appeal costs, as the desk shows it."""
    desk = filings.validated()
    desk.granted(filings.appeal())
    return money_of(filings.last(desk), world.text())


def payment_that_was_revoked(world: World) -> object:
    """12.11.2 — what an appellant owes who took the payment back."""
    desk = filings.validated()
    desk.granted(filings.appeal())
    revoked = RecordPayment(by="o", number=1, payment=Payment.REVOKED, reason="the bank says so")
    desk.granted(revoked)
    return money_of(filings.last(desk), world.text())


def two_votes_of_the_committee(world: World) -> object:
    """13.1 — a decision with as many votes as are more than half of the seats."""
    put = DecisionProposed(at=MOMENT, by=1, is_breach=True, reasons="The film shows it.")
    in_favour = world.number("COMMITTEE_MEMBERS") // 2 + 1
    votes = dict.fromkeys(range(in_favour), True)
    return Proposal(number=1, put=put, votes=votes).is_adopted(world.text())
