"""The records of TRF16, TRF26 and of the pairing programs' extensions, as typed values.

One class for each layout; `tag` tells records of equal layout apart. Points are in tenths. A field
that is blank, or that could not be read, is `None`, an empty text or (in lists of numbers) 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from arrocco.formats.trf.cells import Cell
from arrocco.records.report import Birth


@dataclass(frozen=True, slots=True)
class Blank:
    """An empty line."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A line starting with ``###``."""

    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line that is no record this format knows; it is kept as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """Free text from column 5.

    012 name, 022 city, 032 federation, 092 type, 102 chief arbiter, 112 deputy, 122 time control,
    182 pairing controller, 192 encoded type, 202 and 212 tie-breaks, 222 encoded time control,
    352 board colours, 801 team cross-table (its columns vary with the event), XXC options.
    """

    tag: str
    text: str


@dataclass(frozen=True, slots=True)
class Day:
    """042 start and 052 end: ``YYYY/MM/DD`` from column 5."""

    tag: str
    day: date | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """062 players, 072 rated players, 082 teams, 142 and XXR rounds."""

    tag: str
    number: int | None


@dataclass(frozen=True, slots=True)
class RoundDates:
    """132: ``YY/MM/DD`` in columns 92-99, 102-109, ..."""

    days: tuple[date | None, ...]


@dataclass(frozen=True, slots=True)
class InitialColour:
    """152: ``W`` or ``B``."""

    colour: str


@dataclass(frozen=True, slots=True)
class Scoring:
    """Points by symbol: 162 (games), 362 (matches), XXS, and BBW BBD BBL BBZ BBF BBU."""

    tag: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class RankingMethod:
    """172: federation in 5-7, method of the starting rank in 9-13."""

    federation: str
    method: str


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """001: a player and what happened to him round by round."""

    number: int | None
    sex: str = ""
    title: str = ""
    name: str = ""
    rating: int | None = None
    federation: str = ""
    id: int | None = None
    birth: Birth | None = None
    points: int | None = None
    rank: int | None = None
    rounds: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class NationalRating:
    """A federation's code, then the columns of 001 up to the birth date."""

    federation: str
    number: int | None
    sex: str = ""
    classification: str = ""
    name: str = ""
    rating: int | None = None
    origin: str = ""
    id: str = ""
    birth: Birth | None = None


@dataclass(frozen=True, slots=True)
class OldTeam:
    """013: name in 5-36, members from 37 every 5 columns."""

    name: str
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Byes:
    """240: kind (F, H, Z) in 5, round in 7-9, players or teams from 11 every 5 columns."""

    kind: str
    round: int | None
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Acceleration:
    """250: fictitious match points 5-8 and game points 10-13 for rounds and ids in ranges."""

    match_points: int | None
    game_points: int | None
    first_round: int | None
    last_round: int | None
    first_id: int | None
    last_id: int | None


@dataclass(frozen=True, slots=True)
class ProhibitedPairings:
    """260: first round 5-7, last 9-11, players or teams from 13 every 5 columns."""

    first_round: int | None
    last_round: int | None
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AbnormalPoints:
    """299: kind in 5, match points 8-11, points 14-17, round 20-22, ids from 24 every 5.

    Columns 7 and 13 may hold a minus sign. A blank kind is a bonus or a penalty.
    """

    kind: str
    match_points: int | None
    points: int | None
    round: int | None
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LineUp:
    """300: round 5-7, team 9-11, opponent 13-15, players by board from 17 every 5 columns."""

    round: int | None
    team: int | None
    opponent: int | None
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Team:
    """310: number, name, nickname, strength, match and game points, rank, members from 74."""

    number: int | None
    name: str = ""
    nickname: str = ""
    strength: int | None = None
    match_points: int | None = None
    game_points: int | None = None
    rank: int | None = None
    members: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TeamByes:
    """320: match points 5-8, game points 10-13, the team of each round from 15 every 4."""

    match_points: int | None
    game_points: int | None
    teams: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ForfeitedMatch:
    """330: kind (``+-``, ``-+``, ``--``) 5-6, round 8-10, White 12-14, Black 16-18."""

    kind: str
    round: int | None
    white: int | None
    black: int | None


class TeamRound(NamedTuple):
    """One round of 802: opponent or kind of bye, colour, game points, forfeit."""

    opponent: str
    colour: str
    game_points: int | None
    forfeited: bool


@dataclass(frozen=True, slots=True)
class TeamResults:
    """802: number 5-7, nickname 9-13, match points 15-20, game points 22-27, rounds from 29."""

    number: int | None
    nickname: str
    match_points: int | None
    game_points: int | None
    rounds: tuple[TeamRound, ...]


@dataclass(frozen=True, slots=True)
class Ids:
    """XXZ (absent from the next round) and XXP (never paired): starting numbers."""

    tag: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlayerAcceleration:
    """XXA: starting number 5-8, fictitious points of each round from 10 every 5 columns."""

    number: int | None
    points: tuple[int, ...]


Record = (
    Blank
    | Comment
    | Unknown
    | Text
    | Day
    | Count
    | RoundDates
    | InitialColour
    | Scoring
    | RankingMethod
    | PlayerRecord
    | NationalRating
    | OldTeam
    | Byes
    | Acceleration
    | ProhibitedPairings
    | AbnormalPoints
    | LineUp
    | Team
    | TeamByes
    | ForfeitedMatch
    | TeamResults
    | Ids
    | PlayerAcceleration
)
