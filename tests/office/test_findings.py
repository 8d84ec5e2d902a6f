"""Findings survive being kept: said again years later, in either language, they are the same."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from arrocco.findings import Finding, Place, Severity
from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.office.findings import finding_of, stored
from arrocco.office.records import StoredFinding
from arrocco.words import LANGUAGES, Phrase, finding_text

PLAIN = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.dates())
VALUES: st.SearchStrategy[Any] = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(), inner, max_size=3),
        st.builds(Phrase, st.text(), st.dictionaries(st.text(), inner, max_size=3)),
    ),
    max_leaves=12,
)
FINDINGS = st.builds(
    Finding,
    st.sampled_from(Severity),
    st.text(),
    st.builds(Place, st.text(), st.none() | st.integers(1), st.none() | st.integers(1)),
    st.text(),
    st.dictionaries(st.text(), VALUES, max_size=4),
)


def through_json(kept: StoredFinding) -> StoredFinding:
    return msgspec.json.decode(msgspec.json.encode(kept), type=StoredFinding)


@given(FINDINGS, st.text())
def test_a_finding_comes_back_as_it_was(finding: Finding, system: str) -> None:
    kept = through_json(stored(finding, system))
    assert finding_of(kept) == finding
    assert kept.system == system


def test_a_number_of_the_law_keeps_its_value() -> None:
    finding = Finding(Severity.NOTE, "check.first_list", details={"most": Fide2024.FLOOR})
    assert finding_of(through_json(stored(finding, "fide"))).details == {"most": 1400}


def test_what_was_kept_is_said_in_either_language() -> None:
    nearest = (
        Phrase("laws.days.since", {"edition": "2024", "start": date(2024, 3, 1), "end": ""}),
    )
    details = {"law": "fide", "start": date(2018, 5, 1), "nearest": nearest}
    finding = Finding(Severity.ERROR, "check.no_edition", Place("a.trf"), "", details)
    again = finding_of(through_json(stored(finding, "fide")))
    for language in LANGUAGES:
        assert finding_text(language, again) == finding_text(language, finding)
    assert "01/05/2018" in finding_text("it", again)


def test_a_finding_kept_when_its_words_had_the_numbers_is_said_as_before() -> None:
    kept = StoredFinding(
        system="fide",
        severity="error",
        key="check.round_robin.under_four_rated",
        article="6.31",
        details={"players": 8, "rated": 3},
    )
    assert finding_text("en", finding_of(kept)) == (
        "3 of 8 players are rated, a round robin of fewer than 10 needs 4"
    )
