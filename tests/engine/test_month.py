"""Batches and list folders come to what one period in memory and the judge come to."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from arrocco.store.calculations import PLAYERS
from arrocco.store.list_folder import LIST, POOLS, STATE
from tests.engine.judged import Answer, differences
from tests.engine.streamed import Office, Streamed
from tests.judge.judge import judge_period
from tests.judge.random_periods import JHistory, random_history
from tests.judge.records import JPlayer, JResult


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of small files: what they hold is tried here, not whether they outlive a crash."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


STRANGERS = 99_500_000
SAMPLE, PARTS = 84, 3
SOAK, SOAK_PARTS = 5000, 20


def disagreements(folder: Path, seeds: range) -> list[str]:
    found = []
    for seed in seeds:
        history = random_history(seed)
        office = Office(folder / str(seed), history, Random(seed), games=False)
        for index, streamed in enumerate(office.all_periods()):
            found += [
                f"seed {seed} ({history.law} {history.edition}) period {index}: {difference}"
                for difference in disagreements_of(history, office, streamed, index)
            ]
    return found


def disagreements_of(
    history: JHistory, office: Office, streamed: Streamed, index: int
) -> list[str]:
    judged = history.results[index]
    period: Any = SimpleNamespace(
        outcome=streamed.outcome, players=streamed.outcome.players, law=streamed.outcome.law
    )
    found = differences(Answer(period, {}, judged, office.laws))
    listed = set(streamed.listed.id.tolist())
    found += [
        f"player {id_} is not on the list"
        for id_, result in judged.players.items()
        if id_ not in listed | office.nameless
        and (result.new_rating is not None or result.after.pool)
    ]
    return found + list(published_otherwise(office, streamed, judged))


def published_otherwise(office: Office, streamed: Streamed, judged: JResult) -> list[str]:
    """What the list prints differently from the judge: rating, K, activity."""
    found = []
    listed = streamed.listed
    for row, id_ in enumerate(listed.id.tolist()):
        result, player = judged.players[id_], listed.at(row)
        expected: dict[str, object] = {"inactive": result.inactive}
        if office.laws.of_period.HAS_UNRATED or result.n:
            expected["rating"] = result.new_rating
        if office.laws.of_period.HAS_UNRATED:
            expected["k"] = result.k_printed
        shown = {"rating": player.rating, "k": player.k, "inactive": player.is_inactive}
        found += [
            f"player {id_} is published with {name} {shown[name]}, judge {value}"
            for name, value in expected.items()
            if shown[name] != value
        ]
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_batches_through_the_store_agree_with_the_judge(part: int, tmp_path: Path) -> None:
    assert disagreements(tmp_path, range(part, SAMPLE, PARTS)) == []


@pytest.mark.soak
@pytest.mark.parametrize("part", range(SOAK_PARTS))
def test_batches_through_the_store_agree_with_the_judge_on_a_long_run(
    part: int, tmp_path: Path
) -> None:
    assert disagreements(tmp_path, range(2_000_000 + part, 2_000_000 + SOAK, SOAK_PARTS)) == []


# --- the same bytes -------------------------------------------------------------------------------


def written(root: Path, seed: int, cutting: Random) -> dict[str, bytes]:
    """Every file of every list that a history comes to."""
    office = Office(root, random_history(seed), cutting, games=cutting.random() < 0.5)
    names = (LIST, STATE, POOLS, PLAYERS)
    return {
        f"{streamed.context.list_date}/{name}": (
            office.lists.root / str(streamed.context.list_date) / name
        ).read_bytes()
        for streamed in office.all_periods()
        for name in names
    }


@pytest.mark.parametrize("part", range(2))
def test_however_reports_are_cut_and_ordered_the_files_are_the_same(
    part: int, tmp_path: Path
) -> None:
    for seed in range(part, 14, 2):
        one, other = (written(tmp_path / f"{seed}-{n}", seed, Random(n)) for n in range(2))
        assert one == other, [name for name in one if one[name] != other[name]]


# --- players without an id ------------------------------------------------------------------------


def with_strangers(history: JHistory, rng: Random) -> tuple[JHistory, set[int]]:
    """The first period, in which some unrated players are somebody new in every tournament.

    Such is a player without an id: nothing can be carried from one tournament to the next.
    """
    period, players = history.periods[0], dict(history.players)
    unrated = [
        id_
        for id_, p in players.items()
        if p == JPlayer(id_, birth=p.birth, birth_year=p.birth_year, standard=p.standard)
    ]
    nameless = {id_ for id_ in unrated if rng.random() < 0.7 and players[id_].standard is None}
    strangers: set[int] = set()
    tournaments = []
    for tournament in period.tournaments:
        known_as = {id_: id_ for id_ in tournament.ratings}
        for id_ in nameless & set(known_as):
            known_as[id_] = STRANGERS + len(strangers)
            strangers.add(known_as[id_])
            players[known_as[id_]] = JPlayer(known_as[id_])
        tournaments.append(
            replace(
                tournament,
                ratings={known_as[id_]: r for id_, r in tournament.ratings.items()},
                standard_ratings={
                    known_as[id_]: r for id_, r in tournament.standard_ratings.items()
                },
                games=tuple(
                    replace(g, white=known_as[g.white], black=known_as[g.black])
                    for g in tournament.games
                ),
            )
        )
    judged = judge_period(
        history.law, history.edition, history.readings, period.list_date, players, tournaments
    )
    periods = (replace(period, tournaments=tuple(tournaments)),)
    return replace(history, players=players, periods=periods, results=(judged,)), strangers


@pytest.mark.parametrize("part", range(2))
def test_a_player_without_an_id_is_somebody_new_every_time_and_kept_nowhere(
    part: int, tmp_path: Path
) -> None:
    met = 0
    for seed in range(part, 60, 2):
        history, strangers = with_strangers(random_history(seed), Random(seed))
        if not history.law.startswith("fide") or not strangers:
            continue
        office = Office(tmp_path / str(seed), history, Random(seed), nameless=strangers)
        (streamed,) = office.all_periods()
        found = disagreements_of(history, office, streamed, 0)
        assert found == [], f"seed {seed} ({history.law} {history.edition})"
        assert not strangers & set(streamed.listed.id.tolist())
        met += streamed.month.without_id
    assert met > 20
