"""The state of an event: what its log amounts to so far, as a value that is never changed."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from arrocco.errors import Inconsistent
from arrocco.hall.event.filings import FiledPaper
from arrocco.hall.event.prize_table import PrizeTable
from arrocco.hall.event.record import Created
from arrocco.hall.event.records import (
    BLOCKS_CHAT,
    COMMITTEE_EXCLUDES,
    EXCLUDES_FROM_ROUNDS,
    EXCLUDES_FROM_STANDINGS,
    EXPELS,
    Arbiter,
    EntryId,
    EventRole,
    Pair,
    PairingSystem,
    Person,
    Result,
    Sanction,
)
from arrocco.hall.event.rules import Rules
from arrocco.hall.event.schedule import Announcement, EntryLink, Measure, Schedule, Waiting
from arrocco.hall.event.talk import Talk
from arrocco.hall.game.records import InspectionPoint
from arrocco.hall.pairing import berger
from arrocco.laws.classes import TimeClass
from arrocco.laws.hall import Laws, laws_held_under
from arrocco.laws.online.sanctions import Scope
from arrocco.records.report import ByeKind

DECIDED = frozenset({"5.9", "5.10", "6.9d", "6.9e", "6.9f", "9.2", "13.3", "13.5b"})
"""The articles by which points are decided for a fault, whatever was made on the board."""


class Phase(StrEnum):
    """Where a round stands."""

    PAIRED = "paired"
    OPEN = "open"
    CLOSED = "closed"


class Entry(Struct, frozen=True, kw_only=True):
    """A player of the event."""

    id: EntryId
    person: Person
    first_round: int = 1
    checked_in: bool = False
    withdrawn: bool = False
    byes: dict[int, ByeKind] = {}
    """Those asked for, by round."""


class Settled(Struct, frozen=True):
    """A result of a board, and by what it is one: a sanction's number, or an article."""

    result: Result
    at: datetime
    article: str = ""
    sanction: int | None = None


class Board(Struct, frozen=True, kw_only=True):
    """Two players of a round and all that their game has come to; the last is what counts."""

    white: EntryId
    black: EntryId
    settled: tuple[Settled, ...] = ()
    game: str = ""
    told: Result | None = None
    """What the hall itself last told of the game: told again, it changes nothing."""

    @property
    def result(self) -> Result | None:
        return self.settled[-1].result if self.settled else None

    @property
    def as_played(self) -> Result | None:
        """12.13 — the result before anything was decided for a fault; else what was decided."""
        on_board = [one.result for one in self.settled if one.article not in DECIDED]
        return on_board[-1] if on_board else self.result

    @property
    def players(self) -> Pair:
        return self.white, self.black


class Round(Struct, frozen=True, kw_only=True):
    """A round that is paired."""

    number: int
    boards: tuple[Board, ...]
    byes: dict[EntryId, ByeKind]
    phase: Phase = Phase.PAIRED
    starts: datetime | None = None
    by_hand: bool = False
    sample: tuple[EntryId, ...] = ()
    """9.1 — who is watched."""
    opened: datetime | None = None
    closed: datetime | None = None

    def board_of(self, entry: int) -> int | None:
        """The number of the board an entry plays at."""
        for number, board in enumerate(self.boards, start=1):
            if entry in board.players:
                return number
        return None


class ChatLine(Struct, frozen=True):
    """5.2 — a line between a player and the arbiters; `by` is whoever of them said it."""

    number: int
    at: datetime
    entry: EntryId
    by: str
    text: str


class Team(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """12.9 — a team: who leads it, by account, and its players in order of boards."""

    name: str
    captain: str
    captain_name: str = ""
    entries: tuple[EntryId, ...]


class RoomCheck(Struct, frozen=True, kw_only=True):
    """6.4, 12.4 — a point of a player's checklist: when it was asked, answered and noted."""

    entry: EntryId
    point: InspectionPoint
    asked: datetime | None = None
    shows: bool | None = None
    answered: datetime | None = None
    in_order: bool | None = None
    at: datetime | None = None
    note: str = ""


class State(Struct, frozen=True, kw_only=True):
    """Everything a log has said. `number` is that of the record to come, counted from 0."""

    created: Created
    number: int
    last_at: datetime
    rules: Rules | None = None
    championship: str = ""
    """The one that the event belongs to, where it belongs to one."""
    schedule: Schedule = Schedule()
    held: dict[int, str] = {}
    """Rounds that do not start by themselves, and why."""
    arbiters: tuple[Arbiter, ...] = ()
    entries: tuple[Entry, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    """Who enters as soon as there is a place, in order."""
    links: tuple[EntryLink, ...] = ()
    announcements: tuple[Announcement, ...] = ()
    measures: tuple[Measure, ...] = ()
    """13.2 — what the committee has ordered or suggested."""
    template: str = ""
    """The name under which other events are made like it; empty for none."""
    order: tuple[EntryId, ...] = ()
    """All entries by starting number, as of the last pairing."""
    forbidden: dict[Pair, str] = {}
    rounds: tuple[Round, ...] = ()
    sanctions: tuple[Sanction, ...] = ()
    lifted: frozenset[int] = frozenset()
    chat: tuple[ChatLine, ...] = ()
    consents: frozenset[EntryId] = frozenset()
    """12.3 — who has consented to be seen and recorded."""
    joining: datetime | None = None
    """9.1d — when players have to be in the video conference, as last set."""
    joined: dict[EntryId, datetime] = {}
    """9.1d — when each of them came, since the joining time was set."""
    excused: dict[EntryId, str] = {}
    """9.1e — who said that they would not be there, and why."""
    room_checks: tuple[RoomCheck, ...] = ()
    waived_checks: tuple[tuple[int, int], ...] = ()
    """12.6 — rounds and boards whose games the hall never saw and that nobody has to watch."""
    recordings_watched: dict[tuple[str, str], datetime] = {}
    """12.3 — when an account has last opened a recording."""
    talks: tuple[Talk, ...] = ()
    """What arbiters said to players over the video conference, in order."""
    teams: tuple[Team, ...] = ()
    team_boards: int = 0
    """How many boards a match of two teams has."""
    filings: tuple[FiledPaper, ...] = ()
    """12.9 — complaints and appeals, in the order in which they came."""
    closed: datetime | None = None
    validated: datetime | None = None
    checked: datetime | None = None
    """12.6 — since when the fair play checks are complete."""
    announced: datetime | None = None
    """12.3 — since when the results are official."""
    prizes: PrizeTable | None = None

    @property
    def laws(self) -> Laws:
        """The regulations in force on the day the event starts."""
        return laws_held_under(self.created.start)

    @property
    def time_class(self) -> TimeClass | None:
        """14.3 — the list its games are rated on, as far as its rules say."""
        return None if self.rules is None else self.rules.time_class(self.laws.rio)

    # --- people --------------------------------------------------------------------------------

    @property
    def chief(self) -> Arbiter | None:
        return next((arbiter for arbiter in self.arbiters if arbiter.chief), None)

    def arbiter(self, account: str) -> Arbiter | None:
        return next(
            (arbiter for arbiter in self.arbiters if account and arbiter.account == account), None
        )

    def entry(self, number: int) -> Entry | None:
        return self.entries[number - 1] if 1 <= number <= len(self.entries) else None

    def name_of(self, number: int) -> str:
        """The name of an entry; its number where there is no such entry."""
        entry = self.entry(number)
        return str(number) if entry is None else entry.person.full_name

    def entry_of(self, account: str) -> Entry | None:
        """The entry that plays with an account."""
        return next((e for e in self.entries if account and e.person.account == account), None)

    def team_of_captain(self, account: str) -> Team | None:
        """12.9 — the team that somebody leads."""
        return next((team for team in self.teams if account and team.captain == account), None)

    def roles(self, account: str) -> list[EventRole]:
        """All that somebody is here, the highest first; nobody at all is the hall itself."""
        if not account:
            return [EventRole.SERVER]
        arbiter = self.arbiter(account)
        held = {
            EventRole.CHIEF: arbiter is not None and arbiter.chief,
            EventRole.ORGANISER: account in self.created.organisers,
            EventRole.ASSISTANT: arbiter is not None and not arbiter.chief,
            EventRole.PLAYER: self.entry_of(account) is not None,
        }
        return [role for role, holds in held.items() if holds] or [EventRole.NOBODY]

    def role(self, account: str) -> EventRole:
        """The highest of somebody's roles."""
        return self.roles(account)[0]

    # --- rounds --------------------------------------------------------------------------------

    @property
    def last_round(self) -> Round | None:
        """The round that was paired last."""
        return self.rounds[-1] if self.rounds else None

    @property
    def next_round(self) -> int:
        """The number of the round to be paired next."""
        return len(self.rounds) + 1

    @property
    def announced_rounds(self) -> int:
        """How many rounds there are to be; 0 while nobody can know."""
        if self.rules is None:
            return 0
        if not self.rules.system.is_round_robin:
            return self.rules.rounds
        if self.rules.system is PairingSystem.TEAM:
            teams = len(self.teams)
            return 1 if teams == 2 else berger.rounds_of(teams) if teams > 2 else 0
        if not berger.MIN_PLAYERS <= len(self.order) <= berger.MAX_PLAYERS:
            return 0
        return berger.rounds_of(len(self.order), self.rules.cycles)

    def round(self, number: int) -> Round | None:
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None

    def is_earlier_round(self, number: int) -> bool:
        """13.3 — whether a round is over, and its results are those of an earlier one."""
        round_ = self.round(number)
        return round_ is not None and round_.phase is Phase.CLOSED

    def board(self, round_number: int, number: int) -> Board | None:
        round_ = self.round(round_number)
        if round_ is None or not 1 <= number <= len(round_.boards):
            return None
        return round_.boards[number - 1]

    # --- sanctions -----------------------------------------------------------------------------

    def sanctions_on(self, entry: int) -> list[Sanction]:
        """The sanctions on a player that hold."""
        return [s for s in self.sanctions if s.entry == entry and s.number not in self.lifted]

    def sanction_of(self, game: str, act: int) -> Sanction | None:
        """The sanction that came of an act in a game, lifted or not."""
        sanctions = (s for s in self.sanctions if s.game == game and s.act == act)
        return next(sanctions, None) if game else None

    def is_expelled(self, entry: int) -> bool:
        """6.9j, 13.5c — whether a player is out of the event altogether."""
        return any(
            s.article in EXPELS or (s.article == COMMITTEE_EXCLUDES and s.scope is not Scope.ROUNDS)
            for s in self.sanctions_on(entry)
        )

    def is_excluded_from(self, entry: int, round_number: int) -> bool:
        """6.9h, 13.5c — whether a player is kept from a round."""
        return any(
            s.article in EXCLUDES_FROM_ROUNDS | {COMMITTEE_EXCLUDES} and round_number in s.rounds
            for s in self.sanctions_on(entry)
        )

    def is_out_of_standings(self, entry: int) -> bool:
        """6.9i, 6.9j, 13.5c, 13.5d — whether a player has no place in these standings.

        Leaving only the general standings of a championship leaves these as they are.
        """
        return self.is_expelled(entry) or any(
            s.article in EXCLUDES_FROM_STANDINGS and s.scope is Scope.TOURNAMENT
            for s in self.sanctions_on(entry)
        )

    def is_kept_from_chat(self, entry: int) -> bool:
        """6.9k, 13.5f — whether a player may not use the chat."""
        return any(s.article in BLOCKS_CHAT for s in self.sanctions_on(entry))


def rules_of(state: State) -> Rules:
    """The rules of an event that has some. Raises `Inconsistent` where it has none."""
    if state.rules is None:
        raise Inconsistent.of("event.no_rules")
    return state.rules
