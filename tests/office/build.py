"""Registrations, reports and opening lists of invented people, for the tests of the office."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from arrocco.engine.players import Players, players_of_list
from arrocco.engine.pools import Pools
from arrocco.errors import Refusal
from arrocco.laws.rating import Tranche
from arrocco.office.opening import Opening
from arrocco.office.records import Registration, RoundTime
from arrocco.office.registration import Assessment, assess
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Facts, System
from arrocco.words import LANGUAGES

ADA, BRUNO, CARLA, DINO = 99_000_001, 99_000_002, 99_000_003, 99_000_004
AT = datetime.fromisoformat("2026-02-01T12:00:00+00:00")


def registration(
    *systems: str, start: date = date(2026, 3, 7), days: int = 2, rounds: int = 4, **given: Any
) -> Registration:
    """A tournament that the systems asked have nothing to object to, changed by what is given."""
    facts = Facts(**given.pop("facts", {}))
    end = given.pop("end", start + timedelta(days=days - 1))
    plan = [start + timedelta(days=number * days // rounds) for number in range(rounds)]
    fields: dict[str, Any] = {
        "name": "Torneo delle Betulle",
        "city": "Borgo Immaginario",
        "federation": "ITA",
        "systems": systems or ("fide",),
        "start": start,
        "end": end,
        "schedule": tuple(RoundTime(day) for day in plan),
        "time_control": "90'+30\"",
        "pairing": System.SWISS,
        "chief_arbiter": "Abete, Anna",
        "facts": facts,
    }
    return Registration(**fields | given)


def assessment(registered: Registration, on: date | None = None) -> Assessment:
    """What the only system asked makes of it; in good time unless told otherwise."""
    (found,) = assess(registered, on or registered.start - timedelta(days=60))
    return found


def said(refusal: Refusal) -> tuple[str, str]:
    """The key and the English sentence of a refusal that speaks both languages without gaps."""
    for language in LANGUAGES:
        for words in refusal.said(language):
            assert "{" not in words
            assert "None" not in words
        assert refusal.said(language)[0]
    return refusal.key.removeprefix("office.refused."), refusal.message


def opening(
    rows: Sequence[dict[str, Any]],
    pools: dict[int, tuple[Tranche, ...]] | None = None,
    on: date = date(2026, 3, 1),
) -> Opening:
    """A list as it opens a period; a row says what differs from an unrated player."""
    rows = sorted(rows, key=lambda row: int(row["id"]))

    def text(name: str) -> Any:
        column = np.empty(len(rows), dtype=np.object_)
        column[:] = [row.get(name, "") for row in rows]
        return column

    def number(name: str, default: int = 0) -> Any:
        return np.array([row.get(name, default) for row in rows], dtype=np.int32)

    listed = RatingList(
        id=np.array([row["id"] for row in rows], dtype=np.int64),
        name=text("name"),
        federation=text("federation"),
        sex=text("sex"),
        title=text("title"),
        rating=number("rating"),
        games=number("games"),
        k=number("k", -1),
        birth=number("birth"),
        flag=text("flag"),
        system="standard",
        on=on,
    )
    players = players_of_list(listed)
    for name in vars(players):
        column = getattr(players, name).copy()
        for row, values in enumerate(rows):
            if name in values:
                column[row] = values[name]
        players = replace(players, **{name: column})
    return Opening(listed, players, Pools(dict(pools or {})))


def row_of(made: Opening, player: int) -> int:
    """The row of a player who is on the list."""
    row = made.row(player)
    assert row is not None, f"{player} is not on the list"
    return row


def state(made: Opening, player: int) -> dict[str, Any]:
    """What the tables have of a player, without the number."""
    row = row_of(made, player)
    columns = {name: column[row].item() for name, column in vars(made.players).items()}
    return {name: value for name, value in columns.items() if name != "id"}


def in_step(made: Opening) -> None:
    """The two tables have the same players in the same rows, in order; pools are theirs."""
    assert made.listed.id.tolist() == made.players.id.tolist()
    assert bool((np.diff(made.players.id) > 0).all())
    assert isinstance(made.players, Players)
    sizes = {len(column) for column in vars(made.players).values()}
    sizes |= {len(column) for column in made.listed.extra.values()}
    sizes |= {len(made.listed.name), len(made.listed.rating), len(made.listed.flag)}
    assert len(sizes) == 1
    assert set(made.pools.tranches) <= set(made.players.id.tolist())


def result(month: date, key: str = "tournament:1", games: int = 3, half: int = 3) -> Tranche:
    """A result of an unrated player, rated for the list of a month."""
    return Tranche(month.year * 12 + month.month - 1, key, games, 1800 * games, half)
