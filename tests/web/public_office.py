"""An office with lists for everybody to look at: a correction, a merger, first ratings, RIO."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from arrocco.desk import Office
from arrocco.office.ledger import PlayerChanged, ResultCorrection
from arrocco.office.roles import Asker, Role
from tests.desk.offices import (
    Clock,
    People,
    accepted,
    player_id,
    published,
    report,
    write_opening,
)
from tests.pgn_games import pgn_of
from tests.web.offices import fill

MAY, JUNE, JULY, AUGUST = (date(2025, month, 1) for month in (5, 6, 7, 8))
LEFT, KEPT = player_id(13), player_id(9)


def fill_public(folder: Path) -> None:
    """Makes the office: accounts as everywhere, then three lists and what came between."""
    clock = Clock()
    office = Office.open(folder, now=clock)
    fill(office)
    people = _people(office)
    boss = people.administrator
    scratch = folder.parent
    office.lists.import_list(boss, "fide", MAY, write_opening(scratch / "opening.csv"))
    first = accepted(office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
    newcomers = report(2, date(2025, 5, 10), players=range(7, 15), name="Torneo delle Torri")
    accepted(office, clock, people, newcomers, ("fide",), games=pgn_of(newcomers))
    online = report(5, date(2025, 5, 17), control="3'+2\"", players=range(7, 15), name="Lampo")
    accepted(office, clock, people, online, ("rio-blitz",), online=True)
    clock.go_to(JUNE)
    published(office, people, "fide", JUNE)
    published(office, people, "rio-blitz", JUNE)
    read = office.reports.read(boss, first.id)
    game = next(game for game in read.games if game.white_score != 1)
    change = ResultCorrection(
        round=game.round,
        white=game.white,
        black=game.black,
        white_half=int(game.black_score),
        black_half=int(game.white_score),
    )
    office.corrections.enter(boss, first.id, [change], "the score sheet says otherwise")
    office.people.merge(boss, KEPT, LEFT, "one person with two numbers")
    moved = PlayerChanged(player=player_id(2), federation="SMR", from_day=JUNE, reason="moved")
    office.people.change(boss, moved)
    accepted(office, clock, people, report(3, date(2025, 6, 8), players=range(5, 11)), ("fide",))
    clock.go_to(JULY)
    published(office, people, "fide", JULY)
    waiting = report(6, date(2025, 7, 8), players=range(1, 7), rounds=5, name="Torneo che attende")
    accepted(office, clock, people, waiting, ("fide",))
    office.close()


def _people(office: Office) -> People:
    """The accounts of these offices, as those who act."""
    accounts = office.accounts.all(Asker(account=1, role=Role.SYSTEM_ADMINISTRATOR))
    found = {
        account.role: Asker(
            account=account.id,
            name=account.name,
            role=account.role,
            federation=account.federation,
            player=account.player,
        )
        for account in accounts
    }
    return People(
        found[Role.SYSTEM_ADMINISTRATOR],
        found[Role.RATING_ADMINISTRATOR],
        found[Role.FEDERATION_OFFICER],
        found[Role.ARBITER],
        found[Role.PLAYER],
    )
