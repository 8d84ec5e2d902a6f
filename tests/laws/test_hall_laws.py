"""An event is held under the laws in force on the day it starts."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from arrocco.errors import NoLawInForce
from arrocco.hall.event import create
from arrocco.hall.event.creation import Create
from arrocco.laws import registry
from arrocco.laws.edition import Legal
from arrocco.laws.hall import laws_held_under, laws_on
from tests.hall.event.desk import Desk
from tests.laws.values.trial import registered

FIRST = date(2025, 4, 12)


def test_the_laws_are_those_of_the_day() -> None:
    laws = laws_on(FIRST)
    assert isinstance(laws.online, registry.text_in_force("online", FIRST))
    assert isinstance(laws.rio, registry.edition_in_force("rio", FIRST))
    with pytest.raises(NoLawInForce):
        laws_on(FIRST - timedelta(days=1))


def test_events_that_are_there_already_keep_a_law() -> None:
    assert laws_held_under(FIRST - timedelta(days=1)) == laws_on(FIRST)
    assert laws_held_under(None) == laws_on(date.max)


def test_no_event_can_be_created_for_a_day_without_laws() -> None:
    def asked(day: date) -> str:
        command = Create(by="olga", event="x", name="Prova", start=day, end=day)
        refusal = create(command, Desk(4).now).refusal
        return "" if refusal is None else refusal.key

    assert asked(FIRST - timedelta(days=1)) == "event.no_law_in_force"
    assert asked(FIRST) == ""


def test_an_amendment_decides_events_that_start_under_it() -> None:
    """12.9 — with ten hours for complaints instead of two, the standings wait longer."""
    edition = registry.texts("online")[-1]
    name = "COMPLAINT_HOURS"
    value = dict(edition.values())[name]
    trial = type(
        "Trial",
        (edition,),
        {name: Legal(10, value.article, value.unit), "__module__": edition.__module__},
    )
    state = Desk(4).state
    before = state.laws.online.complaint_deadline(Desk(4).now)
    with registered(trial, instead_of=edition):
        assert state.laws.online.complaint_deadline(Desk(4).now) - before == timedelta(hours=8)
