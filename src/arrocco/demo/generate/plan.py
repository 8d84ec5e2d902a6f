"""The tournaments of a period before anybody plays: their kind, size, place, days and time control.

All tournaments are planned at once from one stream; who plays and how is drawn batch by batch.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arrocco.demo.generate.draws import (
    WHOLE,
    Ints,
    Mask,
    Part,
    Rng,
    Spread,
    below,
    chance,
    choose,
    stream,
)
from arrocco.demo.generate.federation import Federation
from arrocco.demo.generate.pools import Pools
from arrocco.demo.generate.profile import FEDERATIONS
from arrocco.errors import Illegal
from arrocco.records.report import System

SYSTEMS: Final = (
    System.SWISS,
    System.ROUND_ROBIN,
    System.DOUBLE_ROUND_ROBIN,
    System.MATCH,
    System.TEAM,
)
SWISS, ROUND_ROBIN, DOUBLE_ROUND_ROBIN, MATCH, TEAM = range(5)
_WEIGHTS: Final = (78, 11, 3, 3, 5)

SMALLEST, LARGEST = 8, 300
USUAL_GAMES: Final = 200
"""Games of a tournament on average, where their number is not given."""
FEWEST_GAMES, MAX_GAMES = 20, 1200
"""Games of a tournament on average that can be asked for, of the largest federations."""
_LOST_TO_BYES: Final = 103
"""For so many games planned in pairs a hundred are on the report: the rest are rounds off."""

# The logarithm of the size is normal: median 34, of a hundred one below 8 and one above 190.
_SIZES: Final = Spread(
    (0, 8),
    (300, 9),
    (1000, 13),
    (2500, 21),
    (5000, 34),
    (7500, 56),
    (9000, 89),
    (9700, 139),
    (9950, 228),
    (10_000, 300),
)
_SCALE: Final = 1_000_000
_MATCH_GAMES: Final = (4, 6, 6, 8, 10, 12)


@dataclass
class Plan:
    """One row a tournament.

    `size` counts entries: `home` from the federation, `guests` from all of them, `unrated` listed
    players without a rating, `new` ones whom no list has. `low` and `high` bound the strength of
    the field, as places in the federation's rated players from weakest to strongest.
    """

    system: NDArray[np.int8]
    size: Ints
    rounds: Ints
    boards: Ints
    """Boards of a team; 1 where players play for themselves."""
    members: Ints
    federation: Ints
    low: Ints
    high: Ints
    home: Ints
    guests: Ints
    unrated: Ints
    new: Ints
    first_new: Ints
    """How many new players the tournaments before this one have."""
    is_complete: Mask
    """Of a round robin: every game is played."""
    list_number: Ints
    """The list in force at the start: 0 opens the period, 1 is the one before."""
    start: Ints
    """Day of the start, as `date.toordinal` counts."""
    days_between: Ints
    """Days from one day of play to the next."""
    rounds_per_day: Ints
    control: Ints
    is_trf26: Mask

    def __len__(self) -> int:
        return len(self.size)

    @property
    def days(self) -> Ints:
        """Days of play."""
        return -(-self.rounds // self.rounds_per_day)

    @property
    def end(self) -> Ints:
        """Day of the last round."""
        return self.start + (self.days - 1) * self.days_between

    def part(self, first: int, last: int) -> Plan:
        """Some tournaments, from `first` to before `last`."""
        return Plan(**{f.name: getattr(self, f.name)[first:last] for f in fields(self)})


def plan(federation: Federation, pools: Pools, games: int, tournaments: int | None) -> Plan:
    """Plans tournaments that together have about so many games.

    Without a number of tournaments there are as many as hold the games when they are of the usual
    size. Raises `Illegal` when the games cannot be shared out.
    """
    planner = _Planner(federation, pools, games, tournaments)
    planned = planner.plan()
    games_planned = planner.games_in(planned)
    if (
        not FEWEST_GAMES * len(planned) <= games
        or not 80 * games <= 100 * games_planned <= 120 * games
    ):
        raise Illegal.of(
            "generate.refused.games_not_shared",
            games=games,
            tournaments=len(planned),
            fewest=FEWEST_GAMES,
            most=MAX_GAMES,
            players=planner.largest,
        )
    return planned


class _Planner:
    def __init__(
        self, federation: Federation, pools: Pools, games: int, tournaments: int | None
    ) -> None:
        self.federation, self.pools, self.games = federation, pools, games
        self.largest = min(LARGEST, pools.rated // 2)
        usual = min(USUAL_GAMES, 2 * self.largest)
        self.count = -(-games // usual) if tournaments is None else tournaments
        self.rng: Rng = stream(federation.seed, Part.PLAN)

    def games_in(self, planned: Plan) -> int:
        """The games of a plan if nobody stays away."""
        playing = planned.size * planned.boards // planned.members
        return int((playing * planned.rounds).sum()) // 2

    def plan(self) -> Plan:
        rng, count = self.rng, self.count
        system = choose(rng, count, _WEIGHTS)
        system[0] = SWISS  # a single tournament is one whose size can be chosen
        if self.largest < 32:
            system[system == TEAM] = SWISS
        sizes = self._sizes(system)
        system = sizes["system"]
        return Plan(
            **sizes,
            **self._fields(system, sizes["size"]),
            is_complete=chance(rng, count, 7000),
            **self._days(system, sizes["rounds"]),
            is_trf26=chance(rng, count, 5000),
        )

    # --- sizes -------------------------------------------------------------------------------

    def _sizes(self, system: Ints) -> dict[str, Any]:
        """Systems, sizes and rounds; Swiss ones are scaled until the games come out right."""
        rng, count = self.rng, self.count
        drawn = np.minimum(_SIZES.draw(rng, count), self.largest)
        luck = below(rng, 3, count)
        boards, members, teams = self._teams(system)
        robin = np.minimum(6 + below(rng, 9, count), self.largest)
        match_games = np.array(_MATCH_GAMES)[below(rng, len(_MATCH_GAMES), count)]
        robin = np.where(system == DOUBLE_ROUND_ROBIN, 4 + robin // 3, robin)
        cycle = robin - 1 + robin % 2
        size = np.select(
            [system == MATCH, system == TEAM, system != SWISS], [2, teams * members, robin], drawn
        )
        rounds = np.select(
            [system == MATCH, system == TEAM, system == DOUBLE_ROUND_ROBIN, system == ROUND_ROBIN],
            [match_games, np.where(teams > 10, 7, 5), 2 * cycle, cycle],
            _swiss_rounds(drawn, luck),
        )
        fixed = np.where(system == SWISS, 0, size * boards // members * rounds // 2)
        # Where there are few tournaments the fixed ones may take up too much: they become Swiss.
        system = np.where(np.cumsum(fixed) > self.games // 2, SWISS, system)
        is_swiss = system == SWISS
        boards[is_swiss] = members[is_swiss] = 1
        others = int(fixed[~is_swiss].sum())
        wanted = max(FEWEST_GAMES, self.games * _LOST_TO_BYES // 100 - others)
        swiss = self._scaled(drawn[is_swiss], luck[is_swiss], wanted)
        size[is_swiss], rounds[is_swiss] = swiss, _swiss_rounds(swiss, luck[is_swiss])
        return {
            "system": system.astype(np.int8),
            "size": size,
            "rounds": rounds,
            "boards": boards,
            "members": members,
        }

    def _scaled(self, drawn: Ints, luck: Ints, wanted: int) -> Ints:
        """Sizes in the proportions drawn, all larger or smaller so that the games come out right.

        A part of a player is rounded by lot, or small sizes would all be rounded down.
        """
        lot = below(self.rng, _SCALE, len(drawn))

        def sizes(scale: int) -> Ints:
            size: Ints = np.clip((drawn * scale + lot) // _SCALE, SMALLEST, self.largest)
            return size

        def too_many(scale: int) -> int:
            size = sizes(scale)
            return int((size * _swiss_rounds(size, luck)).sum()) - 2 * wanted

        low, high = 0, 1000 * _SCALE
        while high - low > 1:
            scale = (low + high) // 2
            low, high = (scale, high) if too_many(scale) < 0 else (low, scale)
        return sizes(low if -too_many(low) < too_many(high) else high)

    def _teams(self, system: Ints) -> tuple[Ints, Ints, Ints]:
        """Boards and members of a team, and how many teams; an even number, so that all play."""
        rng, count = self.rng, self.count
        boards = np.where(system == TEAM, 4 + 2 * (below(rng, 4, count) == 0), 1)
        members = boards + (system == TEAM) * below(rng, 2, count)
        most = max(1, min(13, self.largest // 7 // 2))
        teams = np.where(system == TEAM, 2 * (min(4, most) + below(rng, most, count)), 0)
        return boards, members, np.minimum(teams, 2 * most)

    # --- fields ------------------------------------------------------------------------------

    def _fields(self, system: Ints, size: Ints) -> dict[str, Any]:
        """From where the players come and how strong they are."""
        rng, count, law = self.rng, self.count, self.federation.edition
        weights = np.array(list(FEDERATIONS.values()))
        low, high = self._bands(system)
        unrated = np.where(
            system == MATCH,
            chance(rng, count, 300),
            (size * (500 + below(rng, 1000, count)) + below(rng, WHOLE, count)) // WHOLE,
        )
        is_closed = chance(rng, count, 400)  # an event of the strongest only
        unrated = np.where(is_closed, 0, unrated)
        new = (unrated * 3 + below(rng, 10, count)) // 10 if law.HAS_UNRATED else unrated
        guests = (size - unrated) * np.where(chance(rng, count, 600), 5000, 800) // WHOLE
        guests = np.where(is_closed, size, guests)
        guests = np.minimum(guests, len(self.pools.guests.rows))
        new = np.maximum(new, unrated - len(self.pools.unrated.rows))
        return {
            "federation": choose(rng, count, weights),
            "low": np.where(is_closed, WHOLE - 200, low),
            "high": np.where(is_closed, WHOLE, high),
            "home": size - unrated - guests,
            "guests": guests,
            "unrated": unrated - new,
            "new": new,
            "first_new": np.cumsum(new) - new,
        }

    def _bands(self, system: Ints) -> tuple[Ints, Ints]:
        """The strength of fields: opens take everybody, others a part of the range."""
        rng, count = self.rng, self.count
        bands = np.array([(0, WHOLE), (6500, WHOLE), (2000, 8000), (0, 5000), (8500, WHOLE)])
        chosen = choose(rng, count, (45, 15, 20, 12, 8))
        low, high = bands[chosen].T
        # Round robins and matches are of players of like strength.
        centre = below(rng, WHOLE - 600, count)
        is_narrow = system != SWISS
        return np.where(is_narrow, centre, low), np.where(is_narrow, centre + 600, high)

    # --- days --------------------------------------------------------------------------------

    def _days(self, system: Ints, rounds: Ints) -> dict[str, Any]:
        """When they are played, and how fast: no day beyond what regulations allow."""
        rng, count = self.rng, self.count
        profile, calendar = self.federation.profile, self.federation.calendar
        per_day = np.array(profile.rounds_per_day)[below(rng, len(profile.rounds_per_day), count)]
        per_day = np.where(system == MATCH, np.minimum(per_day, 2), per_day)
        room = (calendar.ends[0] - calendar.begins[0]).days + 1
        is_weekly = (7 * rounds - 6 <= min(room, 30)) & (per_day == 1) & chance(rng, count, 1500)
        between = np.where(is_weekly, 7, 1)
        length = (-(-rounds // per_day) - 1) * between + 1
        late = np.array([9200, 600, 200][: len(calendar.lists)])
        number = choose(rng, count, late)
        number[0] = 0  # the first report is one that the newest list can be tried on
        begins = np.array([day.toordinal() for day in calendar.begins])[number]
        # Under an earlier list a tournament only has to start; it ends before the newest closes.
        ends = np.array([day.toordinal() for day in calendar.ends])[number]
        latest = np.where(number == 0, ends - length + 1, ends)
        close = calendar.ends[0].toordinal() - length + 1
        latest = np.maximum(np.minimum(latest, close), begins)
        return {
            "list_number": number,
            "start": begins + below(rng, latest - begins + 1),
            "days_between": between,
            "rounds_per_day": per_day,
            "control": choose(rng, count, list(profile.controls.values())),
        }


def _swiss_rounds(size: Ints, luck: Ints) -> Ints:
    """From 5 to 11 rounds, never more than leave everybody somebody new to meet."""
    usual = np.select([size < 20, size < 40, size < 80], [5 + luck % 2, 5 + luck, 7 + luck], 9)
    rounds = np.where((size >= 60) & (luck == 2), 11, usual)
    return np.minimum(rounds, np.maximum(3, size // 2 - 1))
