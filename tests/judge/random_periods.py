"""Random histories of several rating periods, the same for the same seed.

A history is plain data: the players on an opening list, then for each period the tournaments that
its list takes in, with the ratings of the list in force at their start, and what the judge makes of
them. Ratings of later periods come from the judge's own lists. People stand near the edges the
laws draw: floors, 2300, 2400, 2650, the 18th birthday, 30 games, the ends of pools.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from .italian import ENTRY_ORDER, entry_rating
from .judge import judge_period
from .readings import DRAWN_APART, READINGS
from .records import (
    JBye,
    JGame,
    JPlayer,
    JPoolResult,
    JResult,
    JTournament,
    month_index,
)

FIRST_ID = 99_000_001

SLOTS: tuple[tuple[str, str, str], ...] = (
    ("fide_standard", "2024-03-01", "2024-04-01"),
    ("fide_standard", "2011-07-01", "2011-09-01"),
    ("fide_standard", "2025-10-01", "2025-09-01"),
    ("fide_rapid", "2024-12-01", "2024-11-01"),
    ("fide_standard", "2011-07-01", "2011-09-01"),
    ("rio_rapid", "2025-04-12", "2025-05-01"),
    ("fide_standard", "2024-03-01", "2024-08-01"),
    ("uisp", "undated", "2024-01-01"),
    ("fide_blitz", "2024-03-01", "2024-04-01"),
    ("fide_standard", "2011-07-01", "2011-11-01"),
    ("rio_blitz", "2025-04-12", "2025-06-01"),
    ("fide_blitz", "2024-12-01", "2024-11-01"),
    ("rio_bullet", "2025-04-12", "2025-07-01"),
    ("uisp", "undated", "2024-04-01"),
    ("fide_standard", "2022-01-01", "2022-03-01"),
)
"""Law, edition and earliest opening list; seeds go round them."""

TIME_CONTROLS: dict[str, tuple[tuple[int, int], ...]] = {
    "fide_standard": ((90, 30), (90, 30), (90, 30), (120, 0), (60, 30), (75, 0), (50, 5)),
    "fide_rapid": ((15, 10), (15, 10), (25, 5), (10, 5), (10, 0), (60, 0)),
    "fide_blitz": ((3, 2), (3, 2), (5, 3), (10, 0), (3, 0), (10, 2)),
    "rio_rapid": ((15, 5), (10, 2), (30, 20), (10, 0), (45, 15)),
    "rio_blitz": ((3, 2), (5, 0), (10, 0), (3, 0), (15, 0)),
    "rio_bullet": ((1, 0), (2, 1), (3, 0), (3, 2), (0, 0)),
    "uisp": ((3, 2), (15, 0), (30, 10), (90, 30), (60, 0), (5, 0), (3, 0)),
}


@dataclass(frozen=True)
class JPeriod:
    """The tournaments that go into one list."""

    previous_list: date
    list_date: date
    tournaments: tuple[JTournament, ...]


@dataclass(frozen=True)
class JHistory:
    """Consecutive periods and the judge's result of each."""

    seed: int
    law: str
    edition: str
    readings: dict[str, str]
    players: dict[int, JPlayer]
    """As they stand on the opening list, the previous list of the first period."""
    periods: tuple[JPeriod, ...]
    results: tuple[JResult, ...]


def months_later(day: date, months: int) -> date:
    year, month = divmod(month_index(day) + months, 12)
    return date(year, month + 1, 1)


def random_history(seed: int) -> JHistory:
    """The history of a seed."""
    return Maker(seed).history()


class Maker:
    """Makes one history; all chance comes from one generator."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.law, self.edition, earliest = SLOTS[seed % len(SLOTS)]
        self.is_fide = self.law.startswith("fide_")
        self.is_2010 = self.edition == "2011-07-01"
        self.step = 2 if self.is_2010 else 3 if self.law == "uisp" else 1
        self.floor = {"2011-07-01": 1200, "2022-01-01": 1000}.get(self.edition, 1400)
        later = self.rng.randrange(3) * self.step
        self.opening = months_later(date.fromisoformat(earliest), later)
        self.readings: dict[str, str] = {}
        if self.rng.random() < 0.5:
            self.readings = {name: self.rng.choice(values) for name, values in READINGS.items()}
            apart = Random(f"{self.seed} apart")
            more = {name: apart.choice(values) for name, values in DRAWN_APART.items()}
            self.readings |= more
        self.lists: dict[date, dict[int, int | None]] = {}
        self.standard: dict[date, dict[int, int | None]] = {}
        self.strength: dict[int, int] = {}
        self.entry: dict[int, int] = {}
        self.zeal = self.rng.choice((0.5, 0.7, 1.0))
        self.serial = 0

    def history(self) -> JHistory:
        """Opens with a list and an older one, then goes from list to list."""
        opening = {player.id: player for player in self.opening_players()}
        self.invent_older_list(opening)
        self.publish(self.opening, opening)
        players, periods, results = opening, [], []
        previous = self.opening
        for _ in range(self.rng.randint(3, 8)):
            list_date = months_later(previous, self.step)
            count = self.rng.randint(2, 8)
            tournaments = tuple(self.tournament(previous, list_date) for _ in range(count))
            result = judge_period(
                self.law, self.edition, self.readings, list_date, players, list(tournaments)
            )
            periods.append(JPeriod(previous, list_date, tournaments))
            results.append(result)
            players = {id_: outcome.after for id_, outcome in result.players.items()}
            self.publish(list_date, players)
            previous = list_date
        return JHistory(
            self.seed,
            self.law,
            self.edition,
            self.readings,
            opening,
            tuple(periods),
            tuple(results),
        )

    # --- lists ---

    def publish(self, list_date: date, players: dict[int, JPlayer]) -> None:
        self.lists[list_date] = {id_: player.rating for id_, player in players.items()}
        self.standard[list_date] = {id_: player.standard for id_, player in players.items()}

    def invent_older_list(self, opening: dict[int, JPlayer]) -> None:
        """A list before the opening one, where some were not rated yet and some still were."""
        older: dict[int, int | None] = {}
        for id_, player in tuple(opening.items()):
            if player.rating is None:
                was_listed = player.games_total > 0 and self.rng.random() < 0.7
                older[id_] = self.floor + self.rng.randrange(15) if was_listed else None
            elif self.is_fide and player.games_total < 40 and self.rng.random() < 0.4:
                older[id_] = None
                opening[id_] = replace(player, entered=((self.opening, player.rating),))
            else:
                older[id_] = max(player.rating + self.rng.randint(-12, 12), self.floor)
        when = months_later(self.opening, -4 * self.step)
        self.lists[when] = older
        self.standard[when] = {id_: player.standard for id_, player in opening.items()}

    def ratings_at(self, start: date, field: list[int]) -> dict[int, int | None]:
        """The list in force that day; RIO and UISP give the others their rating of entry."""
        in_force = self.lists[max(day for day in self.lists if day <= start)]
        ratings = {id_: in_force[id_] for id_ in field}
        if not self.is_fide:
            ratings = {id_: rating or self.entry[id_] for id_, rating in ratings.items()}
        return ratings

    # --- people ---

    def opening_players(self) -> list[JPlayer]:
        kinds = ["middle", "middle", "middle", "top", "near_2400", "near_2300", "near_floor", "new"]
        if self.is_fide:
            kinds += ["unrated", "unrated", "pooled", "pooled", "delisted", "delisted"]
        else:
            kinds += ["unrated", "strong"]
        self.rng.shuffle(kinds)
        return [
            self.person(FIRST_ID + at, kinds[at] if at < len(kinds) else self.rng.choice(kinds))
            for at in range(self.rng.randint(10, 40))
        ]

    def person(self, id_: int, kind: str) -> JPlayer:
        rng = self.rng
        rating: int | None = {
            "middle": rng.randint(self.floor + 50, 2250),
            "strong": rng.randint(1990, 2260),
            "top": rng.randint(2590, 2830),
            "near_2400": rng.randint(2385, 2399),
            "near_2300": rng.randint(2280, 2299),
            "near_floor": rng.randint(self.floor, self.floor + 18),
            "new": rng.randint(self.floor + 50, 2100),
        }.get(kind)
        month = month_index(self.opening)
        birth, birth_year = self.birth(kind)
        player = JPlayer(
            id_,
            rating,
            birth=birth,
            birth_year=birth_year,
            games_total=self.games_before(kind),
            last_rated_month=month - rng.randrange(0, 15),
            first_event_done=rating is not None,
        )
        if kind in ("near_2400", "near_2300", "middle") and rng.random() < 0.25:
            player = replace(player, ever_2300=True, ever_2400=rng.random() < 0.4)
        if rating is not None and self.is_fide and rng.random() < 0.2:
            player = replace(player, k=rng.choice((10, 15, 30) if self.is_2010 else (10, 20, 40)))
        self.strength[id_] = rating or rng.randint(self.floor - 100, 2300)
        if not self.is_fide:
            return self.italian_person(player)
        if kind in ("unrated", "pooled"):
            player = replace(player, games_total=0, last_rated_month=None)
        if kind == "unrated":
            player = replace(player, special_body=rng.random() < 0.3)
        if kind == "pooled":
            player = replace(player, pool=self.old_pool(), first_event_done=True)
        if kind == "delisted":
            player = replace(player, first_event_done=True)
        if self.law != "fide_standard" and rating is None and rng.random() < 0.5:
            player = replace(player, standard=rng.randint(self.floor, 2300))
        return player

    def games_before(self, kind: str) -> int:
        """The new have few games, and some who are about to reach 2400 too."""
        few = kind == "new" or (kind == "near_2400" and self.rng.random() < 0.4)
        return self.rng.randint(5, 32) if few else self.rng.randint(30, 400)

    def italian_person(self, player: JPlayer) -> JPlayer:
        """Without a rating yet, one of entry from whatever other list has him."""
        known: dict[str, int | None] = {
            source: self.rng.choice((None, None, self.rng.randint(1400, 2100)))
            for source in ENTRY_ORDER[self.law]
        }
        self.entry[player.id] = entry_rating(self.law, known)
        if player.rating is None:
            return replace(player, games_total=0, last_rated_month=None)
        return player

    def birth(self, kind: str) -> tuple[date | None, int | None]:
        """Many are about to turn 18; of some only the year is known, of some nothing."""
        rng = self.rng
        roll = rng.random()
        if roll < 0.1:
            return None, None
        if roll < 0.4 or kind == "near_2300":
            near = months_later(self.opening, rng.randint(-3, 8))
            birth = date(near.year - 18, near.month, rng.randint(1, 28))
        elif roll < 0.5:
            birth = date(self.opening.year - rng.randint(10, 16), rng.randint(1, 12), 15)
        else:
            birth = date(self.opening.year - rng.randint(19, 70), rng.randint(1, 12), 15)
        return (None, birth.year) if rng.random() < 0.25 else (birth, birth.year)

    def old_pool(self) -> tuple[JPoolResult, ...]:
        """Results of earlier periods, some about to be too old, some very good ones."""
        rng = self.rng
        results = []
        is_team = rng.random() < 0.3
        is_strong = rng.random() < 0.3
        for at in range(2 if is_team else rng.randint(1, 3)):
            ago = rng.choice((1, 2, 5, 10, 11, 12)) if rng.random() < 0.5 else rng.randint(8, 12)
            ago = ago * 2 if not self.is_2010 and rng.random() < 0.7 else ago
            n = 4 if is_team else rng.randint(1, 4)
            results.append(
                JPoolResult(
                    month_index(self.opening) - ago * (2 if self.is_2010 else 1),
                    f"old{at}",
                    n,
                    n * (rng.randint(2350, 2600) if is_strong else rng.randint(1350, 2000)),
                    rng.randint(n, 2 * n) if is_strong else rng.randint(0, 2 * n),
                    world_team=is_team,
                )
            )
        return tuple(sorted(results, key=lambda result: result.month))

    # --- tournaments ---

    def tournament(self, previous: date, list_date: date) -> JTournament:
        rng = self.rng
        self.serial += 1
        start, end = self.days(previous, list_date)
        system = rng.choices(
            ("swiss", "round_robin", "double_round_robin", "team", "match"),
            (6, 4 if self.is_2010 else 1, 1, 1, 1),
        )[0]
        size = {
            "swiss": rng.randint(6, 14),
            "round_robin": rng.randint(5, 8),
            "double_round_robin": rng.randint(4, 5),
            "team": 8,
            "match": 2,
        }[system]
        field = self.field(size, system)
        ratings = self.ratings_at(start, field)
        hopeless = self.hopeless(ratings)
        pairs = self.pairings(system, field)
        games = [self.game(round_, a, b, hopeless) for round_, a, b in pairs]
        games = self.with_forfeits(system, games)
        base, increment = rng.choice(TIME_CONTROLS[self.law])
        if self.is_2010 and rng.random() < 0.7:
            base, increment = 90, 30
        standard = {}
        if self.is_fide and self.law != "fide_standard":
            in_force = self.standard[max(day for day in self.standard if day <= start)]
            standard = {id_: in_force[id_] for id_ in field}
        return JTournament(
            id=f"T{self.serial:03d}",
            start=start,
            end=end,
            system=system,
            games=tuple(games),
            ratings=ratings,
            minutes60=base + increment,
            base_minutes=base,
            increment=increment,
            byes=self.byes(field, games, system),
            online=not self.is_fide and (self.law != "uisp" or rng.random() < 0.5),
            official=rng.random() < 0.1,
            world_team=system == "team" and rng.random() < 0.5,
            equal_times=rng.random() > 0.05,
            match_games=rng.choice((4, 6, None)) if system == "match" else None,
            match_waiver=system == "match" and rng.random() < 0.2,
            standard_ratings=standard,
        )

    def days(self, previous: date, list_date: date) -> tuple[date, date]:
        """Usually inside the period; a late report started up to two lists earlier."""
        rng = self.rng
        if rng.random() < 0.3:
            earliest = months_later(previous, -2 * self.step)
            if self.is_fide:
                first = {"2011-07-01": date(2011, 7, 1), "2022-01-01": date(2022, 1, 1)}
                earliest = max(earliest, first.get(self.edition, date(2024, 3, 1)))
            start = earliest + timedelta(days=rng.randrange((previous - earliest).days))
        else:
            start = previous + timedelta(days=rng.randrange((list_date - previous).days - 8))
        return start, min(start + timedelta(days=rng.randint(1, 9)), list_date - timedelta(days=3))

    def field(self, size: int, system: str) -> list[int]:
        """Entrants; the first few people play in nearly everything."""
        everyone = sorted(self.strength)
        busy = [id_ for id_ in everyone[:4] if self.rng.random() < self.zeal]
        others = [id_ for id_ in everyone if id_ not in busy]
        self.rng.shuffle(others)
        field = (busy + others)[:size] if system != "match" else others[:2]
        self.rng.shuffle(field)
        return field

    def hopeless(self, ratings: dict[int, int | None]) -> set[int]:
        """Who loses nearly everything this time: chiefly the unrated and those near the floor."""
        return {
            id_
            for id_, rating in ratings.items()
            if self.rng.random() < (0.35 if rating is None or rating < self.floor + 30 else 0.04)
        }

    def pairings(self, system: str, field: list[int]) -> list[tuple[int, int, int]]:
        """Round and the two players; the first has White."""
        rng = self.rng
        if system == "match":
            a, b = field
            return [(r, a, b) if r % 2 else (r, b, a) for r in range(1, rng.choice((5, 7)))]
        if system.endswith("round_robin"):
            pairs = [
                (a, b) for a in field for b in field if a != b and (a < b or "double" in system)
            ]
            rng.shuffle(pairs)
            return [(1 + at // max(1, len(field) // 2), a, b) for at, (a, b) in enumerate(pairs)]
        pairs_of_rounds = []
        for round_ in range(1, rng.choice((3, 4, 5, 6, 7, 9)) + 1):
            order = field[:]
            if system == "team":
                visitors = self.turned(field[4:], round_)
                order = [id_ for at in range(4) for id_ in (field[at], visitors[at])]
            else:
                rng.shuffle(order)
            pairs_of_rounds += [
                (round_, order[at], order[at + 1]) for at in range(0, len(order) - 1, 2)
            ]
        return pairs_of_rounds

    @staticmethod
    def turned(team: list[int], round_: int) -> list[int]:
        by = round_ % len(team)
        return team[by:] + team[:by]

    def game(self, round_: int, white: int, black: int, hopeless: set[int]) -> JGame:
        rng = self.rng
        edge = self.strength[white] - self.strength[black]
        wins = max(5, min(75, 40 + edge // 8))
        if (white in hopeless) != (black in hopeless):
            wins = 0 if white in hopeless else 100
        roll = rng.randrange(100)
        if roll < wins:
            halves = (2, 0)
        elif wins not in (0, 100) and roll < wins + 20:
            halves = (1, 1)
        else:
            halves = (0, 2)
        if self.law.startswith("rio_") and rng.random() < 0.01:
            halves = (1, 0)
        return JGame(round_, white, black, *halves)

    def with_forfeits(self, system: str, games: list[JGame]) -> list[JGame]:
        """Some games are not played; of round robins, most stay complete."""
        rng = self.rng
        if system.endswith("round_robin") and rng.random() < 0.7:
            return games
        changed = []
        for game in games:
            if rng.random() < 0.05:
                white, black = rng.choice(((2, 0), (0, 2), (0, 0)))
                game = replace(game, white_half=white, black_half=black, played=False)
            changed.append(game)
        return changed

    def byes(self, field: list[int], games: list[JGame], system: str) -> tuple[JBye, ...]:
        """In a Swiss, who has no opponent in a round."""
        if system != "swiss":
            return ()
        rounds = max((game.round for game in games), default=0)
        byes = []
        for round_ in range(1, rounds + 1):
            paired = {id_ for g in games if g.round == round_ for id_ in (g.white, g.black)}
            byes += [
                JBye(round_, id_, self.rng.choice((0, 1, 2)))
                for id_ in sorted(field)
                if id_ not in paired
            ]
        return tuple(byes)
