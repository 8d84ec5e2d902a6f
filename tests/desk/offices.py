"""An invented federation that goes through an office: accounts, tournaments, reports, lists."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from random import Random

from arrocco.desk import Office
from arrocco.desk.uploads import File
from arrocco.formats.trf import from_report
from arrocco.office.records import Registration, ReportStatus, RoundTime, SentReport
from arrocco.office.roles import Asker, Role
from arrocco.records.report import Birth, Entry, Facts, Game, Report, System
from arrocco.records.timecontrol import parse_text
from arrocco.units import HalfPoints, Rating

FIRST = 99_000_101
PASSWORD = "sette torri di carta"
HEADING = "id,name,federation,sex,birth,title,rating,k,games,flag\n"
_SURNAMES = (
    "Altavilla",
    "Brughera",
    "Castellari",
    "Degortes",
    "Erbaggi",
    "Fiumalbi",
    "Gorlero",
    "Imbriani",
    "Lanzarote",
    "Marzabotti",
    "Oltremari",
    "Pratesini",
    "Quarantotti",
    "Rovelasca",
)
RATINGS = (2210, 2125, 2080, 1990, 1944, 1880, 1815, 1760, 1702, 1650, 1588, 1540)
"""Of the players on the opening list; those after them have none."""


def player_id(number: int) -> int:
    return FIRST + number - 1


def name_of(number: int) -> str:
    return f"{_SURNAMES[(number - 1) % len(_SURNAMES)]}, Finta{chr(96 + number)}"


@dataclass
class Clock:
    """The time in an office under test: it stands until it is moved."""

    at: datetime = datetime(2025, 5, 2, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def go_to(self, day: date) -> None:
        self.at = datetime.combine(day, time(9), UTC)


@dataclass
class People:
    """One asker of each role."""

    root: Asker
    administrator: Asker
    officer: Asker
    arbiter: Asker
    player: Asker
    public: Asker = field(default_factory=Asker)


def people_of(office: Office) -> People:
    """Invites everybody and logs them in."""
    root = _logged_in(office, office.accounts.invite_first("root@example.org"), "root@example.org")
    found = {}
    for role, federation, player in (
        (Role.RATING_ADMINISTRATOR, "", None),
        (Role.FEDERATION_OFFICER, "ITA", None),
        (Role.ARBITER, "", None),
        (Role.PLAYER, "", player_id(1)),
    ):
        email = f"{role.value}@example.org"
        token = office.accounts.invite(root, email, role, federation, player)
        found[role] = _logged_in(office, token, email)
    return People(
        root,
        found[Role.RATING_ADMINISTRATOR],
        found[Role.FEDERATION_OFFICER],
        found[Role.ARBITER],
        found[Role.PLAYER],
    )


def _logged_in(office: Office, token: str, email: str) -> Asker:
    office.accounts.accept_invitation(token, f"Finta {email}", PASSWORD)
    return office.accounts.asker_of(office.accounts.log_in(email, PASSWORD, "192.0.2.1"))


def write_opening(path: Path, kind_shift: int = 0) -> Path:
    """A list of the invented players as a CSV file."""
    rows = [
        f'{player_id(n)},"{name_of(n)}",ITA,{"F" if n % 3 == 0 else "M"},{1960 + 3 * n},,'
        f"{rating + kind_shift},,0,\n"
        for n, rating in enumerate(RATINGS, start=1)
    ]
    path.write_text(HEADING + "".join(rows), "utf-8")
    return path


def report(
    seed: int,
    start: date,
    *,
    control: str = "90'+30\"",
    players: range = range(1, 9),
    rounds: int = 7,
    name: str = "",
) -> Report:
    """A round robin of invented players, cut after some rounds; the stronger mostly win."""
    rng = Random(seed)
    numbers = list(players)
    entries = [
        Entry(
            place,
            name_of(number),
            player_id(number),
            Rating(RATINGS[number - 1]) if number <= len(RATINGS) else None,
            "ITA",
            "w" if number % 3 == 0 else "m",
            "",
            Birth(1960 + 3 * number) if number < 13 else None,
        )
        for place, number in enumerate(numbers, start=1)
    ]
    games = []
    ring = list(range(1, len(numbers) + 1))
    for round_ in range(1, rounds + 1):
        for one, other in zip(
            ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True
        ):
            white, black = (one, other) if (round_ + one) % 2 else (other, one)
            half = rng.choice((2, 2, 1, 0)) if white < black else rng.choice((0, 0, 1, 2))
            games.append(Game(round_, white, black, HalfPoints(half), HalfPoints(2 - half)))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    for entry in entries:
        scored = sum(
            game.white_score * (game.white == entry.number)
            + game.black_score * (game.black == entry.number)
            for game in games
        )
        entry.points, entry.rank = 5 * scored, entry.number
    days = _days(start, rounds, control)
    return Report(
        name=name or f"Torneo Finto {seed}",
        city="Finta",
        federation="ITA",
        start=days[0],
        end=days[-1],
        system=System.ROUND_ROBIN,
        chief_arbiter="Arbitra, Finta",
        time_control_text=control,
        time_control=parse_text(control),
        rounds=rounds,
        round_dates=tuple(days),
        entries=entries,
        games=games,
    )


def swiss(seed: int, start: date = date(2025, 5, 8)) -> Report:
    """Twelve invented players in five rounds, in which nobody meets anybody twice."""
    rng, made = Random(seed), report(seed, start, players=range(1, 13), rounds=5)
    met: set[frozenset[int]] = set()
    games: list[Game] = []
    while len(games) < len(made.games):
        drawn = rng.sample(range(1, 13), 12)
        pairs = list(zip(drawn[::2], drawn[1::2], strict=True))
        if met.isdisjoint(map(frozenset, pairs)):
            met.update(map(frozenset, pairs))
            here = made.games[len(games) : len(games) + len(pairs)]
            games += [
                replace(game, white=white, black=black)
                for game, (white, black) in zip(here, pairs, strict=True)
            ]
    entries = [replace(entry, points=None) for entry in made.entries]
    return replace(made, system=System.SWISS, games=games, entries=entries)


def played_anew(made: Report, seed: int = 1) -> Report:
    """The same pairings under another name, and no result as it was."""
    rng, halves = Random(seed), (HalfPoints(0), HalfPoints(1), HalfPoints(2))
    scores = [rng.choice([h for h in halves if h != game.white_score]) for game in made.games]
    games = [
        replace(game, white_score=score, black_score=HalfPoints(2 - score))
        for game, score in zip(made.games, scores, strict=True)
    ]
    entries = [replace(entry, points=None) for entry in made.entries]
    return replace(made, source="anew", name="Another", games=games, entries=entries)


def _days(start: date, rounds: int, control: str) -> list[date]:
    """A day a round at long time controls, one day for all of them at short ones."""
    is_long = control.startswith(("90", "120"))
    return [start + timedelta(days=number if is_long else 0) for number in range(rounds)]


def registration_of(
    made: Report, systems: tuple[str, ...], *, online: bool = False
) -> Registration:
    assert made.start is not None
    assert made.end is not None
    return Registration(
        name=made.name,
        city=made.city,
        federation="ITA",
        systems=systems,
        start=made.start,
        end=made.end,
        schedule=tuple(RoundTime(day) for day in made.round_dates if day),
        time_control=made.time_control_text,
        pairing=made.system,
        chief_arbiter=made.chief_arbiter,
        expected_players=len(made.entries),
        facts=Facts(online=online),
    )


def data_of(made: Report) -> bytes:
    return from_report(made, "trf16")


def accepted(
    office: Office,
    clock: Clock,
    people: People,
    made: Report,
    systems: tuple[str, ...],
    *,
    online: bool = False,
    games: bytes = b"",
) -> SentReport:
    """Registers a tournament a month ahead, sends its report when it ends, and accepts it."""
    assert made.start is not None
    assert made.end is not None
    clock.go_to(made.start - timedelta(days=40))
    registered = office.tournaments.register(
        people.arbiter, registration_of(made, systems, online=online)
    )
    for approval in registered.approvals:
        office.tournaments.approve(
            people.administrator,
            registered.id,
            approval.needed,
            "Presidente Finto",
            clock().date(),
        )
    clock.go_to(made.end + timedelta(days=1))
    file = File("games.pgn", games) if games else None
    sent = office.reports.send(people.arbiter, registered.id, "report.trf", data_of(made), file)
    assert sent.status is not ReportStatus.RETURNED, list(sent.findings)
    warned = {
        index: "it was so"
        for index, finding in enumerate(sent.findings)
        if finding.severity == "warning"
    }
    if warned:
        office.reports.answer(people.arbiter, sent.id, warned)
    return office.reports.accept(people.administrator, sent.id)


def published(office: Office, people: People, system: str, list_date: date) -> None:
    """Drafts a list and publishes it."""
    number = office.lists.enter_draft(people.administrator, system, list_date)
    draft = office.lists.run_draft(number)
    assert draft.status.value == "ready", draft.failure
    office.lists.publish(people.administrator, number, before_closing=True)


def folder_bytes(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}
