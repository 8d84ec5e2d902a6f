"""Numbers for people: matched by name and birth, decided, remembered, given anew."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from msgspec import structs

from arrocco.errors import Refusal
from arrocco.office.ledger import PlayerChanged, PlayerCreated, PlayerMatched, decoded, encoded
from arrocco.office.new_players import (
    FIRST_OWN,
    Candidate,
    EntrySuggestion,
    Memory,
    births_agree,
    births_differ,
    carried_over,
    checked_numbers,
    name_of,
    next_number,
    numbered,
    require_nobody_alike,
    validated_new,
)
from arrocco.office.player_changes import validated_change
from arrocco.records.report import Birth, Entry, Report
from tests.office.build import ADA, BRUNO, CARLA, said


def new(**given: Any) -> PlayerCreated:
    fields: dict[str, Any] = {
        "player": FIRST_OWN,
        "name": "Querceti, Ada",
        "federation": "ITA",
        "birth": "1990",
        "reason": "first tournament",
    }
    return PlayerCreated(**fields | given)


def report(*entries: Entry) -> Report:
    return Report(entries=list(entries))


def test_names_are_the_same_in_either_order_and_without_accents() -> None:
    assert name_of("Müller, Ada") == name_of("ADA MULLER")
    assert name_of("Müller, Ada") != name_of("Müller, Adele")


@pytest.mark.parametrize(
    ("one", "other", "agree", "differ"),
    [
        ("1990", "1990-05-01", True, False),
        ("1990-05-01", "1990-05-01", True, False),
        ("1990-05-01", "1990-05-02", False, True),
        ("1990", "1991", False, True),
        ("", "1990", False, False),
    ],
)
def test_births_agree_differ_or_say_nothing(
    one: str, other: str, agree: bool, differ: bool
) -> None:
    assert (births_agree(one, other), births_differ(one, other)) == (agree, differ)


def test_the_last_decision_is_remembered_and_follows_mergers() -> None:
    matched = [
        PlayerMatched(report=1, entry=2, player=ADA, name="Querceti, Ada", birth="1990"),
        PlayerMatched(report=2, entry=5, player=BRUNO, name="ADA QUERCETI", birth="1990-02-03"),
    ]
    merged = Memory(matched, {ADA: CARLA, BRUNO: CARLA})
    assert merged.player("Querceti, Ada", "1990") == CARLA
    assert merged.player("Querceti, Ada", "1990-02-03") == CARLA
    again = PlayerMatched(report=1, entry=2, player=BRUNO, name="Querceti, Ada", birth="1990")
    assert Memory([matched[0], again], {}).player("Querceti, Ada", "1990") == BRUNO
    assert Memory(matched, {}).player("Querceti, Ada", "") is None, "a name alone is not enough"
    assert Memory(matched, {}).player("Querceti, Ada", "1950") is None
    assert Memory([new()], {}).player("Ada Querceti", "1990") == FIRST_OWN


def test_nobody_is_proposed_whom_a_year_cannot_tell_from_another() -> None:
    def decided(report: int, player: int, birth: str) -> PlayerMatched:
        return PlayerMatched(
            report=report, entry=4, player=player, name="Querceti, Ada", birth=birth
        )

    years = Memory([decided(1, ADA, "1990"), decided(2, BRUNO, "1990")], {})
    for birth in ("1990", "1990-02-03"):
        assert years.player("Ada Querceti", birth) is None
        assert years.players("Ada Querceti", birth) == (ADA, BRUNO)
    same = Memory([decided(1, ADA, "1990"), decided(2, ADA, "1990")], {})
    assert same.player("Ada Querceti", "1990") == ADA
    either = Memory([decided(1, ADA, "1990-02-03"), decided(2, BRUNO, "1990")], {})
    assert either.player("Ada Querceti", "1990-02-03") is None
    assert either.player("Ada Querceti", "1990-05-06") == BRUNO
    days = Memory([decided(1, ADA, "1990-02-03"), decided(2, BRUNO, "1990-02-03")], {})
    assert days.player("Ada Querceti", "1990-02-03") == BRUNO, "with a whole date the last holds"
    assert days.player("Ada Querceti", "1990") is None


def test_what_is_entered_is_read_back() -> None:
    for entry in (new(), PlayerMatched(report=1, entry=2, player=ADA, name="A", birth="")):
        assert decoded(encoded(entry)) == entry


def test_a_form_proposes_what_was_decided_or_the_only_one_of_the_same_birth() -> None:
    one = Candidate(player=ADA, name="A", federation="ITA", birth="1990", same_birth=True)
    other = Candidate(player=BRUNO, name="A", federation="ITA", birth="", same_birth=False)

    def suggested(
        given: int | None,
        remembered: int | None,
        *known: Candidate,
        decided: tuple[int, ...] = (),
    ) -> int | None:
        return EntrySuggestion(
            entry=1,
            name="A",
            federation="ITA",
            sex="",
            title="",
            birth="1990",
            rating=None,
            given=given,
            remembered=remembered,
            candidates=known,
            decided=decided,
        ).suggested

    assert suggested(None, None, one, other) == ADA
    assert suggested(None, CARLA, one) == CARLA
    assert suggested(BRUNO, CARLA, one) == BRUNO
    assert suggested(None, None, other) is None
    twin = Candidate(player=CARLA, name="A", federation="ITA", birth="1990", same_birth=True)
    assert suggested(None, None, one, twin) is None, "two of them are for a person to tell apart"
    assert suggested(None, None, one, decided=(ADA, BRUNO)) is None
    assert suggested(BRUNO, None, one, decided=(ADA, BRUNO)) == BRUNO


def test_our_own_numbers_follow_one_another() -> None:
    assert next_number([]) == FIRST_OWN
    assert next_number([ADA, FIRST_OWN + 4, FIRST_OWN]) == FIRST_OWN + 5


@pytest.mark.parametrize(
    "given",
    [
        {"name": " "},
        {"name": "x" * 201},
        {"name": "a\x07"},
        {"federation": "it"},
        {"sex": "X"},
        {"birth": "yesterday"},
        {"player": 10**12},
        {"reason": ""},
    ],
)
def test_what_lists_cannot_have_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refusal:
        validated_new(new(**given))
    said(refusal.value)
    assert validated_new(new()) == new()


@pytest.mark.parametrize(("given", "entered"), [("1990-05-17", "1990"), ("1990", "1990"), ("", "")])
def test_of_a_birth_the_year_is_entered(given: str, entered: str) -> None:
    assert validated_new(new(birth=given)) == new(birth=entered)
    change = PlayerChanged(
        player=ADA, title="FM", birth=given, from_day=date(2025, 6, 1), reason="passport"
    )
    assert validated_change(change) == structs.replace(change, birth=entered)


def test_entries_from_before_keep_their_bytes() -> None:
    data = encoded(new(birth="1990-05-17"))
    assert b"1990-05-17" in data
    assert encoded(decoded(data)) == data


def test_who_is_known_needs_a_second_look() -> None:
    known = [Candidate(player=ADA, name="Querceti, Ada", federation="ITA", birth="1990")]
    with pytest.raises(Refusal) as refusal:
        require_nobody_alike(known, confirmed=False)
    assert said(refusal.value)[0] == "may_be_known"
    require_nobody_alike(known, confirmed=True)
    require_nobody_alike([], confirmed=False)


def test_numbers_are_given_to_entries_without_one_and_once() -> None:
    made = report(Entry(1, "A", ADA), Entry(2, "B", None), Entry(3, "C", None))
    given = checked_numbers(made, {2: BRUNO})
    assert [entry.id for entry in numbered(made, given).entries] == [ADA, BRUNO, None]
    assert made.entries[1].id is None, "what was read stays as it is"
    for wrong in ({1: BRUNO}, {9: BRUNO}, {2: ADA}, {2: BRUNO, 3: BRUNO}, {2: -1}):
        with pytest.raises(Refusal):
            checked_numbers(made, wrong)


def test_a_version_that_is_sent_again_keeps_what_was_decided() -> None:
    before = report(Entry(2, "Querceti, Ada", None, birth=Birth(1990)), Entry(3, "C", None))
    after = report(Entry(7, "ADA QUERCETI", None, birth=Birth(1990)), Entry(8, "D", None))
    assert carried_over(after, before, {2: ADA, 3: BRUNO}) == {7: ADA}
    with_number = report(Entry(7, "Querceti, Ada", ADA, birth=Birth(1990)))
    assert carried_over(with_number, before, {2: ADA}) == {}
