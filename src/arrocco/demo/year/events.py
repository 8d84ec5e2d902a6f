"""The tournaments of an invented year: what is announced, when, by whom, and who plays."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import Enum, auto
from random import Random

from arrocco.dates import Month
from arrocco.demo.generate.draws import Part, stream
from arrocco.demo.generate.names import place_names
from arrocco.demo.year.people import GUEST, HOME, Person, World
from arrocco.records.report import Facts, System

_ONLINE = Facts(online=True)


class Story(Enum):
    """What is out of the ordinary about a tournament."""

    NOTHING = auto()
    RETURNED = auto()
    """Its first report has a mistake and comes back."""
    LATE_QC = auto()
    """Registered so late that the chairman of the QC has to agree."""
    LATE_PRESIDENT = auto()
    """The same with a top player announced: the President has to agree."""
    HYBRID = auto()
    REFUSED_RATED = auto()
    """Refused, the appeal is upheld."""
    REFUSED = auto()
    """Refused, the appeal is dismissed."""
    REFUSED_ACCEPTED = auto()
    """Refused when its report was accepted already: the report leaves the list to come."""
    LATE_REPORT = auto()
    """Its report misses a list and goes on the next."""
    WRONG_RESULT = auto()
    """A result is corrected after the list is out."""
    WRONG_NUMBER = auto()
    """An entry bears somebody else's number; corrected after the list is out."""
    TWO_NUMBERS = auto()
    """A player comes with a second number; the two are merged later."""
    CANCELLED = auto()
    REJECTED = auto()
    """The first report is rejected, the second accepted."""
    WITHDRAWN = auto()
    """An accepted report is withdrawn before the list, and sent again."""
    AMENDED = auto()
    """A round is added after it was registered."""
    NEW_PLAYER = auto()
    """Somebody without a number plays, and gets one from the office."""
    RESENT = auto()
    """Its accepted report is sent again with a result put right, and takes its place."""
    EXCLUDED = auto()
    """One game is excluded after a fair play case."""
    ANNULLED = auto()
    """On a published list, then annulled."""
    SUSPICIOUS = auto()
    """Every outsider wins every game."""
    # What is left to whoever looks at the office afterwards:
    TO_APPROVE = auto()
    TO_APPROVE_HYBRID = auto()
    APPEALED = auto()
    TO_DECIDE = auto()
    TO_ANSWER = auto()
    TO_SEND_AGAIN = auto()


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of tournament that is held month after month."""

    name: str
    systems: tuple[str, ...]
    control: str
    rounds: int
    days: int
    """Over how many days the rounds are spread."""
    day: int
    """About which day of the month it begins."""
    size: tuple[int, int]
    federation: str = HOME
    pairing: System = System.SWISS
    weakest: int = 0
    strongest: int = 3000
    only_rated: bool = False
    facts: Facts = field(default_factory=Facts)


_STANDARD, _RAPID, _BLITZ = "90'+30\"", "15'+10\"", "3'+2\""
_S, _R, _B = ("fide",), ("fide-rapid",), ("fide-blitz",)

OPEN = Kind("Open di {place}", _S, _STANDARD, 5, 3, 8, (22, 34))
FESTIVAL = Kind("Festival di {place}", _S, _STANDARD, 9, 8, 16, (30, 44))
CLOSED = Kind(
    "Torneo chiuso di {place}",
    _S,
    _STANDARD,
    7,
    7,
    3,
    (8, 8),
    pairing=System.ROUND_ROBIN,
    weakest=1750,
)
YOUTH = Kind(
    "Giovanile di {place}", ("fide", "uisp"), "60'+30\"", 5, 3, 20, (18, 26), strongest=1700
)
OPEN_GUEST = Kind("Open Titano, {place}", _S, _STANDARD, 5, 3, 17, (14, 22), GUEST)
RAPID = Kind("Semilampo di {place}", _R, _RAPID, 7, 1, 3, (20, 32))
RAPID_UISP = Kind("Trofeo UISP di {place}", ("fide-rapid", "uisp"), _RAPID, 6, 1, 15, (14, 24))
RAPID_GUEST = Kind("Rapid Titano, {place}", _R, "10'+5\"", 7, 1, 12, (14, 20), GUEST)
BLITZ = Kind("Lampo di {place}", _B, _BLITZ, 9, 1, 7, (20, 30))
BLITZ_GUEST = Kind("Blitz Titano, {place}", _B, "5'+0\"", 8, 1, 20, (16, 22), GUEST)
UISP = Kind("Circolo UISP di {place}", ("uisp",), "30'+10\"", 6, 2, 13, (12, 20), strongest=2000)
ONLINE_RAPID = Kind(
    "Rapid online {number}", ("rio-rapid",), "10'+5\"", 6, 1, 10, (14, 24), facts=_ONLINE
)
ONLINE_BLITZ = Kind(
    "Blitz online {number}", ("rio-blitz",), _BLITZ, 9, 1, 8, (20, 32), facts=_ONLINE
)
ONLINE_BLITZ_LATER = replace(ONLINE_BLITZ, day=21)
ONLINE_BULLET = Kind(
    "Bullet online {number}", ("rio-bullet",), "1'+1\"", 9, 1, 14, (18, 24), facts=_ONLINE
)
MATCH = Kind(
    "Sfida di {place}",
    _S,
    _STANDARD,
    6,
    6,
    11,
    (2, 2),
    pairing=System.MATCH,
    weakest=1900,
    only_rated=True,
    facts=Facts(match_games=6),
)
INVITED = Kind("Torneo a inviti di {place}", _S, _STANDARD, 6, 6, 2, (12, 12), only_rated=True)
LONG = Kind("Campionato sociale di {place}", _S, _STANDARD, 7, 43, 25, (14, 20))
"""One round a week: longer than thirty days, so it is reported month by month."""

MONTHLY = (
    OPEN,
    FESTIVAL,
    CLOSED,
    YOUTH,
    OPEN_GUEST,
    RAPID,
    RAPID_UISP,
    BLITZ,
    UISP,
    ONLINE_RAPID,
    ONLINE_BLITZ,
    ONLINE_BLITZ_LATER,
    ONLINE_BULLET,
)

_LEFT_OUT_OF_SMALL = (RAPID_UISP, ONLINE_BLITZ_LATER)
"""What a smaller federation does not hold."""

STORIES: tuple[tuple[int, Kind, Story], ...] = (
    (1, OPEN, Story.RETURNED),
    (1, FESTIVAL, Story.WRONG_RESULT),
    (1, CLOSED, Story.WRONG_NUMBER),
    (2, ONLINE_BLITZ, Story.TWO_NUMBERS),
    (2, RAPID, Story.LATE_QC),
    (3, OPEN_GUEST, Story.REFUSED_RATED),
    (3, YOUTH, Story.LATE_REPORT),
    (4, BLITZ, Story.AMENDED),
    (8, YOUTH, Story.NEW_PLAYER),
    (4, OPEN, Story.RESENT),
    (4, FESTIVAL, Story.EXCLUDED),
    (5, OPEN, Story.ANNULLED),
    (5, INVITED, Story.LATE_PRESIDENT),
    (6, RAPID_GUEST, Story.WRONG_RESULT),
    (6, OPEN, Story.REFUSED_ACCEPTED),
    (7, FESTIVAL, Story.HYBRID),
    (7, OPEN, Story.REJECTED),
    (8, OPEN_GUEST, Story.REFUSED),
    (9, OPEN, Story.WITHDRAWN),
    (9, FESTIVAL, Story.LATE_REPORT),
    (10, BLITZ_GUEST, Story.WRONG_NUMBER),
    (11, BLITZ, Story.CANCELLED),
)
"""In which month of a whole year which kind of tournament is out of the ordinary."""
MATCH_MONTH, LONG_MONTH = 4, 6

LEFT_OPEN: tuple[tuple[Kind, int, Story], ...] = (
    (INVITED, 2, Story.SUSPICIOUS),
    (OPEN, 8, Story.NOTHING),
    (FESTIVAL, 5, Story.TO_DECIDE),
    (YOUTH, 8, Story.TO_DECIDE),
    (OPEN_GUEST, 9, Story.TO_ANSWER),
    (RAPID, 4, Story.NOTHING),
    (RAPID_GUEST, 10, Story.TO_DECIDE),
    (BLITZ, 6, Story.TO_SEND_AGAIN),
    (UISP, 9, Story.NOTHING),
    (ONLINE_BLITZ, 8, Story.TO_DECIDE),
    (ONLINE_RAPID, 10, Story.NOTHING),
    (ONLINE_BULLET, 10, Story.NOTHING),
    (RAPID_UISP, 24, Story.TO_APPROVE),
    (OPEN, 25, Story.TO_APPROVE_HYBRID),
    (BLITZ_GUEST, 25, Story.APPEALED),
    (FESTIVAL, 28, Story.NOTHING),
)
"""The month in which the story ends: kinds, the days they begin, and what is left to do."""


_NOTICE = {
    Story.LATE_QC: 1,
    Story.TO_APPROVE: 2,
    Story.TO_APPROVE_HYBRID: 14,
    Story.APPEALED: 14,
}
"""How many days before its start a tournament is registered, where that is part of the story."""


@dataclass(frozen=True)
class Event:
    """One tournament."""

    number: int
    kind: Kind
    name: str
    city: str
    days: tuple[date, ...]
    """Of the rounds."""
    field: tuple[Person, ...]
    arbiter: int
    registered: date
    story: Story
    facts: Facts

    @property
    def start(self) -> date:
        return self.days[0]

    @property
    def end(self) -> date:
        return self.days[-1]


class Planner:
    """Draws the tournaments of one month after the other; nobody plays in two at a time.

    `scale` is how large fields are, in hundredths; below 100 fewer tournaments are held as well.
    """

    def __init__(self, world: World, seed: int, scale: int) -> None:
        self.world, self.seed, self.scale = world, seed, scale
        self.count = 0
        self._places = place_names(stream(seed, Part.PLAN), 400)
        self._online: dict[str, int] = {}

    def month(self, month: Month, index: int, stories: dict[Kind, Story]) -> list[Event]:
        """The tournaments of a month; guests have a rapid and a blitz in turn."""
        guest = BLITZ_GUEST if index % 2 == 0 else RAPID_GUEST
        monthly = [kind for kind in MONTHLY if self.scale == 100 or kind not in _LEFT_OUT_OF_SMALL]
        kinds = [*monthly, guest, *(kind for kind in stories if kind in (MATCH, LONG))]
        kinds += [kind for kind in stories if kind not in kinds]
        return [
            self.event(kind, month, kind.day, stories.get(kind, Story.NOTHING)) for kind in kinds
        ]

    def event(self, kind: Kind, month: Month, day: int, story: Story) -> Event:
        """One tournament of a kind, about a day of a month."""
        self.count += 1
        rng = Random(f"{self.seed}:event:{self.count}")
        start = month.first_day + timedelta(days=day - 1)
        if kind.days <= 3 and story is not Story.TO_APPROVE:  # at the weekend, until Sunday
            start += timedelta(days=(7 - kind.days - start.weekday()) % 7)
        days = tuple(
            start + timedelta(days=number * (kind.days - 1) // max(kind.rounds - 1, 1))
            for number in range(kind.rounds)
        )
        notice = _NOTICE.get(story) or 6 + rng.randrange(15)
        self._online[kind.name] = self._online.get(kind.name, 0) + 1
        place = self._places[self.count % len(self._places)]
        return Event(
            number=self.count,
            kind=kind,
            name=kind.name.format(place=place, number=self._online[kind.name]),
            city="online" if kind.facts.online else place,
            days=days,
            field=tuple(self._field(rng, kind, days, story)),
            arbiter=2 if kind.federation == GUEST else rng.randrange(2),
            registered=start - timedelta(days=notice),
            story=story,
            facts=replace(kind.facts, hybrid=story in (Story.HYBRID, Story.TO_APPROVE_HYBRID)),
        )

    def _field(self, rng: Random, kind: Kind, days: tuple[date, ...], story: Story) -> list[Person]:
        """Who plays: mostly of the federation of the tournament, not more than there are."""
        span = days[0], days[-1]
        free = [
            person
            for person in self.world.people
            if kind.weakest <= person.strength <= kind.strongest
            and (person.rated or not kind.only_rated)
            and self.world.is_free(person, *span)
        ]
        if story is Story.SUSPICIOUS:
            chosen = _outsiders(free, kind.rounds)
        else:
            low, high = kind.size
            size = low + rng.randrange(high - low + 1)
            if high > 8:
                size = max(size * self.scale // 100, 2 * kind.rounds)
            chosen = self._drawn(rng, kind, free, size)
        for one in chosen:
            self.world.busy.setdefault(one.id, []).append(span)
        return chosen

    def _drawn(self, rng: Random, kind: Kind, free: list[Person], size: int) -> list[Person]:
        weighed = [
            person
            for person in free
            if person.federation == kind.federation or not rng.randrange(5)
        ]
        if kind.pairing is not System.SWISS:
            # Closed tournaments and matches are among players of like strength.
            ordered = sorted(weighed, key=lambda person: (person.strength, person.id))
            at = rng.randrange(max(len(ordered) - size, 1))
            return ordered[at : at + size]
        if len(weighed) < size:
            weighed = free
        return rng.sample(weighed, min(size, len(weighed)))


def _outsiders(free: list[Person], count: int) -> list[Person]:
    """Some strong players, and as many juniors far below them."""
    by_strength = sorted(free, key=lambda person: (-person.strength, person.id))
    juniors = [person for person in by_strength if person.is_junior and person.strength < 1800]
    strong = [person for person in by_strength if not person.is_junior]
    return [*strong[:count], *juniors[:count]]
