"""12.2 — no code leads from a figure about somebody's play to a sanction."""

from __future__ import annotations

import grimp
import pytest

FIGURES = ("arrocco.fairplay", "arrocco.watch")
SANCTIONS = (
    "arrocco.laws.online.sanctions",
    "arrocco.hall.event.acts",
    "arrocco.hall.game.acts",
    "arrocco.office.cases",
    "arrocco.desk.cases",
    "arrocco.desk.alarms",
    "arrocco.desk.player_files",
    "arrocco.desk.watched_checks",
    "arrocco.live.exclusions",
    "arrocco.web.case_sanctions",
    "arrocco.web.pages.committee_acts",
    "arrocco.web.pages.committee_cases",
)


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    return grimp.build_graph("arrocco")


@pytest.mark.parametrize("sanctions", SANCTIONS)
@pytest.mark.parametrize("figures", FIGURES)
def test_12_2_sanctions_import_nothing_of_the_figures(
    imports: grimp.ImportGraph, sanctions: str, figures: str
) -> None:
    assert sanctions in imports.modules
    chains = imports.find_shortest_chains(importer=sanctions, imported=figures, as_packages=True)
    assert chains == set()


def test_the_screen_and_the_file_are_the_pages_that_know_both(imports: grimp.ImportGraph) -> None:
    both = {
        module
        for module in imports.modules
        if module.startswith("arrocco.web.pages.")
        and imports.chain_exists(importer=module, imported="arrocco.watch.event_screen")
    }
    assert both == {"arrocco.web.pages.hall_screen", "arrocco.web.pages.hall_player_file"}


@pytest.mark.parametrize("seen", ["event_screen", "player_file", "worker", "time_line"])
def test_5_17_nothing_else_of_site_hall_and_operation_knows_what_an_engine_has_said(
    imports: grimp.ImportGraph, seen: str
) -> None:
    """No API, no export, no metric: a new one has to be named here, and to ask who may see it."""
    knows = imports.find_modules_that_directly_import(f"arrocco.watch.{seen}")
    pages = {"arrocco.web.pages.hall_screen", "arrocco.web.pages.hall_player_file"}
    pages |= {"arrocco.web.time_line_chart"}  # which draws for the latter
    verifies = {"arrocco.operation.verify.analyses"}
    assert {name for name in knows if not name.startswith("arrocco.watch.")} <= pages | verifies
