"""Takes from public files of games those of some players of an event, for `fairplay_calibration`.

    python -m benchmarks.public_games OUT.pgn --event "Tatry Open 2014" [--players 24] FILE.pgn...

All games of players who are drawn by lot, spread over bands of rating, among those who played at
least eight; both players have a rating. Nothing of it belongs into the repository.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from arrocco.fairplay.baseline import band_of

MIN_GAMES = 8
SHORTEST = 500
"""Letters of a game with its tags: below, hardly a move was a decision."""
_RESULTS = ("1-0", "0-1", "1/2-1/2")


def chosen(texts: Iterable[str], event: str, players: int) -> list[str]:
    """The games of an event in which one of so many players takes part."""
    games = [
        f"[Event {part}"
        for text in texts
        for part in text.replace("\r", "").split("[Event ")[1:]
        if part.startswith(f'"{event}"') and len(part) > SHORTEST
    ]
    games = [game for game in games if _is_rated(game)]
    played = Counter(_tag(game, side) for game in games for side in ("White", "Black"))
    ratings = {
        _tag(game, side): int(_tag(game, f"{side}Elo"))
        for game in games
        for side in ("White", "Black")
    }
    drawn = _drawn(
        [name for name, number in played.items() if number >= MIN_GAMES], ratings, players
    )
    return [game for game in games if drawn & {_tag(game, "White"), _tag(game, "Black")}]


def _drawn(names: Sequence[str], ratings: dict[str, int], players: int) -> set[str]:
    order = sorted(names)
    random.Random(1).shuffle(order)
    bands: Counter[int] = Counter()
    drawn: set[str] = set()
    for name in order:
        band = band_of(ratings[name])
        if len(drawn) < players and bands[band] < max(1, players // 4):
            bands[band] += 1
            drawn.add(name)
    return drawn


def _is_rated(game: str) -> bool:
    ratings = (_tag(game, "WhiteElo"), _tag(game, "BlackElo"))
    return all(rating.isdecimal() for rating in ratings) and _tag(game, "Result") in _RESULTS


def _tag(game: str, name: str) -> str:
    told = re.search(rf'\[{name} "([^"]*)"\]', game)
    return told.group(1) if told else ""


def _main() -> None:
    asked = argparse.ArgumentParser(prog="python -m benchmarks.public_games")
    asked.add_argument("target", type=Path)
    asked.add_argument("files", type=Path, nargs="+")
    asked.add_argument("--event", required=True)
    asked.add_argument("--players", type=int, default=24)
    given = asked.parse_args()
    texts = (file.read_text("latin-1") for file in given.files)
    games = chosen(texts, given.event, given.players)
    with given.target.open("a") as file:
        file.writelines(games)
    print(f"{len(games)} games of {given.event}")


if __name__ == "__main__":
    _main()
