"""How long a Swiss round takes to pair, by the size of the field, and beside other programs.

Events are random, results lean to the higher rated. `py4swiss` (rules until January 2026) and
`caissify-pairings` are measured through their own interfaces where they are installed and where
they answer in bearable time.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import accumulate
from random import Random
from time import process_time
from typing import Any

from arrocco.hall.pairing.dutch import pair_round
from arrocco.hall.pairing.records import Field, Past, Player, RoundPairing
from arrocco.laws.online.side import Side

SIZES = (20, 60, 200, 500, 1000)
ROUNDS = 9
MAX_SECONDS = 5
"""A round of a thousand players may take so long."""
BEARABLE = {"py4swiss": 200, "caissify-pairings": 60}
"""The largest field that another program is given."""


def fields(players: int) -> Iterator[Field]:
    """The fields of an event, round by round."""
    rng = Random(players)
    past: dict[int, list[Past]] = {number: [] for number in range(1, players + 1)}
    for _ in range(ROUNDS):
        field = Field(tuple(Player(n, tuple(own)) for n, own in past.items()), ROUNDS)
        yield field
        pairing = pair_round(field)
        for white, black in pairing.boards:
            favourite = 10 if white < black else 0
            points = rng.choice((favourite, favourite, 5, 10 - favourite))
            past[white].append(Past(black, Side.WHITE, points))
            past[black].append(Past(white, Side.BLACK, 10 - points))
        if pairing.bye is not None:
            past[pairing.bye].append(Past(points=10, allocated_bye=True))


def seconds(pair: Callable[[Field], Any], field: Field) -> float:
    started = process_time()
    pair(field)
    return process_time() - started


def run() -> list[tuple[str, str]]:
    """What was measured, and the figures: the mean and the longest of all rounds."""
    rows = []
    worst = 0.0
    for size in SIZES:
        known = list(fields(size))
        for name, prepare in {"arrocco": lambda: pair_round, **OTHERS}.items():
            if size > BEARABLE.get(name, size):
                continue
            try:
                pair = prepare()
            except ImportError:
                continue
            times = [seconds(pair, field) for field in known]
            worst = max(times) if name == "arrocco" else worst
            figures = f"{1000 * sum(times) / ROUNDS:,.0f} ms a round, at most {max(times):.2f} s"
            rows.append((f"{size} players, {name}", figures))
    rows.append((f"longest round of {SIZES[-1]} (at most {MAX_SECONDS} s)", f"{worst:.2f} s"))
    return rows


# --- other programs, each through its own interface -----------------------------------------------


def _py4swiss() -> Callable[[Field], RoundPairing]:
    engine = import_module("py4swiss.engines").DutchEngine
    trf, sections = import_module("py4swiss.trf"), import_module("py4swiss.trf.sections")
    results = import_module("py4swiss.trf.results")
    tokens = {10: "1", 5: "=", 0: "0"}

    def result(past: Past) -> Any:
        if past.colour is None:
            return results.RoundResult(id=0, color="-", result="U")
        colour = "w" if past.colour is Side.WHITE else "b"
        return results.RoundResult(id=past.opponent, color=colour, result=tokens[past.points])

    def pair(field: Field) -> Any:
        players = [
            sections.PlayerSection(
                code="001",
                starting_number=player.number,
                rank=player.number,
                points_times_ten=sum(past.points for past in player.past),
                results=[result(past) for past in player.past],
            )
            for player in field.players
        ]
        settings = sections.XSection(number_of_rounds=field.rounds)
        return engine.generate_pairings(trf.ParsedTrf(player_sections=players, x_section=settings))

    return pair


def _caissify() -> Callable[[Field], Any]:
    generate = import_module("caissify_pairings").generate_pairings
    logging.getLogger("caissify_pairings").setLevel(logging.ERROR)

    def pair(field: Field) -> Any:
        before = {
            player.number: list(accumulate((past.points for past in player.past), initial=0))
            for player in field.players
        }

        def floated(player: Player, index: int) -> str:
            past = player.past[index]
            if past.colour is None:
                return "down"
            own, other = before[player.number][index], before[past.opponent][index]
            return "down" if own > other else "up" if own < other else "none"

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return generate(
                system="dutch",
                players=[
                    {
                        "id": player.number,
                        "name": str(player.number),
                        "score": before[player.number][-1] / 10,
                        "rating": 3000 - player.number,
                        "starting_number": player.number,
                        "color_hist": [past.colour.value for past in player.past if past.colour],
                        "float_history": [floated(player, r) for r in range(len(player.past))],
                        "bye_count": sum(past.allocated_bye for past in player.past),
                    }
                    for player in field.players
                ],
                previous_pairings={
                    (player.number, past.opponent)
                    for player in field.players
                    for past in player.past
                    if past.played
                },
                round_number=len(field.players[0].past) + 1,
                total_rounds=field.rounds,
            )

    return pair


OTHERS: dict[str, Callable[[], Callable[[Field], Any]]] = {
    "py4swiss": _py4swiss,
    "caissify-pairings": _caissify,
}
