"""The people of the event: invented, on a list, each with an account and a session."""

from __future__ import annotations

import csv
import io
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.office.roles import Role

FIRST_NUMBER = 99_002_001
"""Numbers that no federation gives."""
NEWCOMERS_IN = 20
"""One player in so many is on no list yet and enters with what 14.2 gives."""
FEDERATION = "ITA"

ADMINISTRATOR, ARBITER = "administrator@example.org", "arbiter@example.org"
_COLUMNS = ("id", "name", "federation", "sex", "birth", "title", "rating", "k", "games", "flag")
PASSWORD = "invented-password"
_AT_ONCE = 4


@dataclass(frozen=True)
class Invented:
    """A player; `strength` is what they play like, `rating` what the list says of them."""

    number: int
    surname: str
    name: str
    sex: str
    birth: int
    strength: int
    rating: int | None

    @property
    def email(self) -> str:
        return f"player-{self.number}@example.org"


@dataclass(frozen=True)
class Session:
    """Somebody who has logged in."""

    account: int
    token: str


def invent(count: int, seed: int) -> list[Invented]:
    """So many players of all strengths; the same seed gives the same people."""
    import numpy as np

    from arrocco.demo.generate.names import person_names

    rng = random.Random(seed)
    women = [rng.randrange(4) == 0 for _ in range(count)]
    names = person_names(np.random.default_rng(seed), np.array(women))
    people = []
    for place, (woman, written) in enumerate(zip(women, names, strict=True)):
        surname, _, name = bytes(written).decode().partition(", ")
        strength = 1150 + 1200 * place // max(count - 1, 1) + rng.randrange(-60, 61)
        newcomer = place % NEWCOMERS_IN == 5
        people.append(
            Invented(
                number=FIRST_NUMBER + place,
                surname=surname,
                name=name,
                sex="F" if woman else "M",
                birth=rng.randrange(1955, 2015),
                strength=strength,
                rating=None if newcomer else strength,
            )
        )
    return people


def list_file(people: list[Invented], path: Path) -> Path:
    """Writes the list that the event starts from, without the newcomers."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for person in people:
        if person.rating is not None:
            name, flag = f"{person.surname}, {person.name}", "w" if person.sex == "F" else ""
            rows.writerow(
                (
                    person.number,
                    name,
                    FEDERATION,
                    person.sex,
                    person.birth,
                    "",
                    person.rating,
                    "",
                    "",
                    flag,
                )
            )
    path.write_text(written.getvalue(), encoding="utf-8")
    return path


def import_list(office: Office, people: list[Invented], path: Path, list_date: date) -> None:
    """Takes the list over into the office, as the operator of a new office does."""
    asker = operator(Role.RATING_ADMINISTRATOR)
    office.lists.import_list(asker, "rio-blitz", list_date, list_file(people, path))


# --- accounts -------------------------------------------------------------------------------------


def open_accounts(office: Office, people: list[Invented]) -> None:
    """Invites everybody and has everybody accept, as in any office."""
    asker = operator(Role.SYSTEM_ADMINISTRATOR)

    def open_one(who: tuple[str, str, Role, int | None]) -> None:
        email, name, role, number = who
        token = office.accounts.invite(asker, email, role, "", number)
        office.accounts.accept_invitation(token, name, PASSWORD)

    everybody: list[tuple[str, str, Role, int | None]] = [
        (ADMINISTRATOR, "Ines Lombrado", Role.RATING_ADMINISTRATOR, None),
        (ARBITER, "Ulda Ferrastri", Role.ARBITER, None),
    ]
    everybody += [
        (person.email, f"{person.name} {person.surname}", Role.PLAYER, person.number)
        for person in people
    ]
    with ThreadPoolExecutor(_AT_ONCE) as pool:  # hashing a password takes long, as it should
        list(pool.map(open_one, everybody))


def log_in(office: Office, emails: list[str]) -> list[Session]:
    """Sessions of accounts, in the order asked for."""

    def one(email: str) -> Session:
        token = office.accounts.log_in(email, PASSWORD)
        account = office.accounts.asker_of(token).account
        assert account is not None
        return Session(account, token)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(one, emails))
