"""Who plays in the living hall: players of the demo's lists, each with an account and a session."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct

from arrocco.demo.event.cast import Invented, Session
from arrocco.demo.year.staff import ARBITERS, PASSWORD, PLAYER, ROOT
from arrocco.desk import Office
from arrocco.formats.lists import read_list
from arrocco.office.roles import Role
from arrocco.store.list_folder import LIST
from arrocco.video.recordings import FOLDER

PLAYERS = 11
"""Who are played by the program; with the visitor's seat there are six boards."""
SYSTEM = "rio-blitz"
_AT_ONCE = 4


class Seat(Struct, frozen=True):
    """Somebody in the event; `token` is empty for the seat that is left to the visitor."""

    number: int
    surname: str
    name: str
    sex: str
    birth: int
    rating: int
    account: int
    token: str = ""

    @property
    def person(self) -> Invented:
        return Invented(
            self.number, self.surname, self.name, self.sex, self.birth, self.rating, self.rating
        )

    @property
    def session(self) -> Session:
        return Session(self.account, self.token)


class Cast(Struct, frozen=True):
    """Everybody of the living hall, as the process that plays it is told."""

    address: str
    chief: Seat
    """The arbiter who pairs and opens rounds, played by the program."""
    assistant: Seat
    """The visitor's arbiter."""
    visitor: Seat
    players: tuple[Seat, ...]
    recordings: str = ""
    """The folder of what the players' cameras send."""
    ahead: int = 0
    """How many nanoseconds the demo's time is ahead of the monotonic clock."""


def cast_of(office: Office, address: str) -> Cast:
    """The people of an invented office who play, with sessions; accounts are opened if needed."""
    rows = _listed(office, SYSTEM)
    visitor_account = _account(office, PLAYER.email)
    visitor_number = office.accounts.asker_of(visitor_account.token).player
    chosen = [row for row in rows if row.number != visitor_number][:PLAYERS]
    standard = _listed(office, "fide")
    visitor = next(row for row in (*rows, *standard) if row.number == visitor_number)
    emails = [f"player-{row.number}@demo.example" for row in chosen]
    _open_missing(office, chosen, emails)
    chief, assistant = (_account(office, login.email) for login in (ARBITERS[1], ARBITERS[0]))
    with ThreadPoolExecutor(_AT_ONCE) as pool:  # hashing a password takes long, as it should
        sessions = list(pool.map(lambda email: _account(office, email), emails))
    return Cast(
        address,
        _with(_EMPTY, chief),
        _with(_EMPTY, assistant),
        _with(visitor, Session(visitor_account.account, "")),
        tuple(_with(row, session) for row, session in zip(chosen, sessions, strict=True)),
        str(office.folder.absolute() / FOLDER),
    )


_EMPTY = Seat(0, "", "", "", 0, 0, 0)


def _with(seat: Seat, session: Session) -> Seat:
    return Seat(
        seat.number,
        seat.surname,
        seat.name,
        seat.sex,
        seat.birth,
        seat.rating,
        session.account,
        session.token,
    )


def _listed(office: Office, system: str) -> list[Seat]:
    """The players of the latest list of a system, the highest rated first."""
    latest = office.lists.latest(system, on_or_before=office.desk.now().date())
    assert latest is not None, system
    listed = read_list(Path(office.lists.folder(system, latest.list_date)) / LIST)[0]
    seats = []
    for row in range(len(listed)):
        surname, _, name = str(listed.name[row]).partition(", ")
        birth, rating = int(listed.birth[row]) // 10_000, int(listed.rating[row])
        sex = "F" if str(listed.sex[row]).upper() in ("F", "W") else "M"
        if surname and name and rating > 0 and birth > 0:
            seats.append(Seat(int(listed.id[row]), surname, name, sex, birth, rating, 0))
    return sorted(seats, key=lambda seat: (-seat.rating, seat.number))


def _open_missing(office: Office, chosen: list[Seat], emails: list[str]) -> None:
    root = office.accounts.asker_of(office.accounts.log_in(ROOT.email, PASSWORD))
    known = {account.email for account in office.accounts.all(root)}
    for seat, email in zip(chosen, emails, strict=True):
        if email not in known:
            token = office.accounts.invite(root, email, Role.PLAYER, "", seat.number)
            name = f"{seat.name} {seat.surname} (demo)"
            office.accounts.accept_invitation(token, name, PASSWORD)
            # They are paired all day: their mail would bury what the demo's spool has to show.
            asker = office.accounts.asker_of(office.accounts.log_in(email, PASSWORD))
            office.mail.choose(asker, [])


def _account(office: Office, email: str) -> Session:
    token = office.accounts.log_in(email, PASSWORD)
    account = office.accounts.asker_of(token).account
    assert account is not None
    return Session(account, token)
