"""FIDE 2024 10.1, rapid and blitz 9.1, 2010 13.1 — an unknown federation is a finding."""

from __future__ import annotations

import pytest

from arrocco.laws.rating import RatingLaw
from tests.engine.checks.build import FIDE_2010, FIDE_2024, RAPID, judge, keys, report, the

ARTICLES = [(FIDE_2024, "10.1"), (RAPID, "9.1"), (FIDE_2010, "13.1")]


@pytest.mark.parametrize(("law", "article"), ARTICLES)
def test_10_1_an_unknown_code_is_told(law: RatingLaw, article: str) -> None:
    made = report(law)
    made.entries[0].federation = "ITL"
    finding = the(judge(made, law), "federation_unknown")
    assert finding.details["code"] == "ITL"
    assert finding.article == article


@pytest.mark.parametrize("code", ["ITA", "ita", "FID", "NON", ""])
def test_10_1_members_and_players_without_federation_are_not(code: str) -> None:
    made = report(FIDE_2024)
    for entry in made.entries:
        entry.federation = code
    assert "federation_unknown" not in keys(judge(made, FIDE_2024))


@pytest.mark.parametrize(("law", "article"), ARTICLES)
@pytest.mark.parametrize(("code", "told"), [("ITL", True), ("ita", False), ("", False)])
def test_10_1_the_federation_of_the_tournament_is_known(
    law: RatingLaw, article: str, code: str, told: bool
) -> None:
    made = report(law)
    made.federation = code
    found = judge(made, law)
    assert ("host_unknown" in keys(found)) is told
    if told:
        assert the(found, "host_unknown").article == article
