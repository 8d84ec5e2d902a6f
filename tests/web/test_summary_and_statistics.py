"""The summary of a list and the statistics count new, delisted and leaving players alike."""

from __future__ import annotations

from datetime import date

import msgspec

from arrocco.engine.statistics.flow import flow
from arrocco.office.ledger import PlayerChanged
from arrocco.office.roles import Role
from arrocco.store.calculations import SUMMARY
from arrocco.store.list_folder import LIST
from arrocco.store.statistics import list_places, read_figures
from tests.desk.offices import player_id
from tests.web.offices import logged_in_cookie
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public

MAY, JUNE, JULY, AUGUST = (date(2025, month, 1) for month in (5, 6, 7, 8))


def test_equal_names_have_equal_figures_also_after_mergers_and_deaths(own_public: Public) -> None:
    office = own_public.office
    boss = office.accounts.asker_of(logged_in_cookie(office, Role.RATING_ADMINISTRATOR))
    gone = PlayerChanged(player=player_id(12), died=date(2025, 7, 2), from_day=JULY, reason="x")
    office.people.change(boss, gone)
    number = office.lists.enter_draft(boss, "fide", AUGUST)
    office.lists.run_draft(number)
    office.lists.publish(boss, number, before_closing=True)
    left = 0
    for before, after in ((MAY, JUNE), (JUNE, JULY), (JULY, AUGUST)):
        folders = [office.lists.folder("fide", day) for day in (before, after)]
        one, other = (
            read_figures(place, "standard")
            for place in list_places([folder / LIST for folder in folders], "standard")
        )
        found = flow(one, other)
        told = msgspec.json.decode((folders[1] / SUMMARY).read_bytes())
        assert {name: told[name] for name in ("new", "delisted", "gone", "leaving")} == {
            "new": found.entering.count,
            "delisted": found.delisted.count,
            "gone": found.gone.count,
            "leaving": found.leaving.count,
        }
        assert told["points_entering"] == found.entering.points
        assert told["points_leaving"] == found.leaving.points
        left += told["leaving"]
        assert office.lists.verify("fide", after).is_good
    assert left > 0, "somebody must have left"
