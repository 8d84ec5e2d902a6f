"""Every rule that an edition shows is called by the program, or named here with the reason."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from datetime import date
from pathlib import Path

import numpy as np
import pytest

import arrocco
from arrocco.engine.columns import Tournament, reason_of
from arrocco.engine.report_columns import exclusions_in, games_of
from arrocco.laws import registry
from arrocco.laws.rating import Exclusion
from arrocco.records.report import Entry, Game, GameKind, Report
from arrocco.records.reportbatch import batch_of
from arrocco.units import HalfPoints

ROOT = Path(arrocco.__file__).parent
LAWS = "arrocco.laws"

NOT_CALLED = {
    # --- said of one player or game, computed for all at once
    "counts_for_rated": "6.42: `engine/kernel` excludes by columns, judged in tests/judge",
    "counted_games": "7.14b: `engine/first_ratings` has the games by columns",
    "is_one_sided": "8.4: `engine/kernel` excludes by columns",
    "rating_of_opponent": "8.52: `engine/round_robin` puts the ratings into columns",
    "rating_used": "7.2.1: `engine/month` borrows standard ratings by columns",
    "carried_index": "II.3: `engine/outcome` carries decimals by columns",
    "away_outcome": "7.5-7.7: `hall/game/endings` decides in milliseconds, as a log of events",
    "is_forfeited": "1.3.5: the same",
    "side_losing_time": "1.3.5: the same",
    "interruption": "11.6: the hall can always pause clocks",
    # --- other words for what other rules decide
    "tranche_is_valid": "6.41: 8.21 is the special rule and decides (NOTES.md)",
    "games_until_stable": "12.3: told for information",
    "titles_usable": "14.5: a list has a column for each title",
}
"""Rules that nothing calls, and why."""


LAW = re.compile(r"law|edition|online|\brio\b|\btext\b|regulation", re.IGNORECASE)
"""How the program calls what holds a law: the same name on anything else is another thing."""


def _references() -> tuple[set[str], dict[str, set[str]]]:
    """Rules asked of a law outside `laws`, and by function of the law the names used in it."""
    outside: set[str] = set()
    inside: dict[str, set[str]] = defaultdict(set)
    for path in ROOT.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        if "laws" not in path.relative_to(ROOT).parts:
            outside |= {
                node.attr
                for node in ast.walk(tree)
                if isinstance(node, ast.Attribute) and LAW.search(ast.unparse(node.value))
            }
            # Functions of the law that are no methods are imported by their names.
            outside |= {
                name.name
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(LAWS)
                for name in node.names
            }
            continue
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for function in functions:
            inside[function.name] |= _used(function) - {function.name}
    return outside, inside


def _used(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.Name):
            names.add(node.id)
    return names


def _called() -> set[str]:
    """Whatever is used outside the law, and what the law itself uses for it."""
    outside, inside = _references()
    called, waiting = set(outside), list(outside)
    while waiting:
        for name in inside.get(waiting.pop(), set()) - called:
            called.add(name)
            waiting.append(name)
    return called


def test_every_rule_that_is_shown_is_called() -> None:
    shown = {
        rule.name
        for law in registry.REGULATIONS
        for edition in registry.texts(law)
        for rule in edition.rules()
    }
    uncalled = shown - _called()
    assert uncalled - set(NOT_CALLED) == set(), "shown, and called by nobody"
    assert set(NOT_CALLED) - uncalled == set(), "called, or not shown any more"


@pytest.mark.parametrize("law", ["fide", "fide-rapid", "fide-blitz", "rio", "uisp"])
def test_what_is_played_is_asked_of_the_edition(law: str) -> None:
    """FIDE 5.1, UISP I.6 — a trial in which a game without moves counts, on both roads."""
    for written in registry.editions(law):
        trial = type(
            f"Trial{written.__name__}",
            (written,),
            {
                "is_played": lambda self, kind: kind is not GameKind.FORFEIT,
                "__module__": written.__module__,
            },
        )
        for edition, expected in ((written, Exclusion.UNPLAYED), (trial, None)):
            tournament = Tournament("t", edition(), date(2026, 5, 1), date(2026, 5, 1))
            short = Game(1, 1, 2, HalfPoints(2), HalfPoints(0), GameKind.SHORT)
            entries = [Entry(1, "Una"), Entry(2, "Due")]
            report = Report(start=date(2026, 5, 1), entries=entries, games=[short])
            (code,) = exclusions_in(tournament, report, {1: 1500, 2: 1500})
            assert reason_of(code) is expected
            column = games_of(batch_of([report]), [tournament], np.array([1500, 1500]))
            assert reason_of(int(column.exclusion[0])) is expected
