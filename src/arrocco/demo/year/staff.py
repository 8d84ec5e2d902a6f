"""The accounts of an invented office: one or more of every role, all with one password."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arrocco.desk import Office
from arrocco.laws.online.fair_play import Seat
from arrocco.office.roles import Asker, Role

PASSWORD = "arrocco-demo-only"
"""Of every account of an invented office: known to all, so never for an office that is real."""
_ADDRESS = "192.0.2.10"  # of the block that documentation may use


@dataclass(frozen=True)
class LogIn:
    """Somebody invented who has an account."""

    email: str
    name: str
    role: Role
    federation: str = ""
    language: str = "en"


ROOT = LogIn("system@demo.example", "Selvia Torrigen", Role.SYSTEM_ADMINISTRATOR)
BOSS = LogIn("ratings@demo.example", "Orskina Valdemar", Role.RATING_ADMINISTRATOR)
OFFICERS = {
    "ITA": LogIn("ita@demo.example", "Correk Lombrandi", Role.FEDERATION_OFFICER, "ITA", "it"),
    "SMR": LogIn("smr@demo.example", "Delmune Grisander", Role.FEDERATION_OFFICER, "SMR", "it"),
}
ARBITERS = (
    LogIn("arbiter@demo.example", "Mirtara Quelandi", Role.ARBITER, language="it"),
    LogIn("arbiter2@demo.example", "Halvon Brovisko", Role.ARBITER),
    LogIn("arbiter3@demo.example", "Perlina Zarneris", Role.ARBITER, language="it"),
)
"""Two who work in the first federation, then one of the second."""
PLAYER = LogIn("player@demo.example", "", Role.PLAYER)
HEAD = LogIn("head@demo.example", "Tolvera Minguzar", Role.HEAD_OF_OFFICE)
"""For who wants to look at everything with one account; nobody's work in the story is theirs."""
COMMITTEE = {
    Seat.MASTER: LogIn("master@demo.example", "Ugrantino Dervasol", Role.COMMITTEE, language="it"),
    Seat.INTERNATIONAL_ARBITER: LogIn("ia@demo.example", "Belquira Samontel", Role.COMMITTEE),
    Seat.ANTI_CHEATING_EXPERT: LogIn("expert@demo.example", "Norwik Palestrin", Role.COMMITTEE),
}
"""13.1 — the Fair Play Committee, one for each seat."""
LOG_INS = (ROOT, BOSS, *OFFICERS.values(), *ARBITERS, PLAYER, HEAD, *COMMITTEE.values())
INVITED = "newcomer@demo.example"
"""Somebody invited who has not come yet."""


@dataclass(frozen=True)
class Staff:
    """Everybody who works in the office, as they ask."""

    root: Asker
    boss: Asker
    officers: dict[str, Asker]
    arbiters: tuple[Asker, ...]
    committee: Asker
    """The expert of the Fair Play Committee, who decides for it."""
    members: dict[Seat, Asker]


def open_accounts(office: Office, player: int, player_name: str) -> Staff:
    """Invites everybody, one after the other, and lets them in."""
    accounts = office.accounts
    root = _come_in(office, accounts.invite_first(ROOT.email), ROOT)
    askers: dict[str, Asker] = {}
    for login in LOG_INS[1:]:
        number = player if login is PLAYER else None
        who = login if login.name else replace(login, name=player_name)
        token = accounts.invite(root, login.email, login.role, login.federation, number)
        askers[login.email] = _come_in(office, token, who)
    for seat, login in COMMITTEE.items():
        member = askers[login.email].account
        assert member is not None
        category = "MF" if seat is Seat.MASTER else ""
        office.committee.name_member(
            root, member, seat, category=category, resolution="Delibera 12/2024 (demo)"
        )
    return Staff(
        root=root,
        boss=askers[BOSS.email],
        officers={code: askers[login.email] for code, login in OFFICERS.items()},
        arbiters=tuple(askers[login.email] for login in ARBITERS),
        committee=askers[COMMITTEE[Seat.ANTI_CHEATING_EXPERT].email],
        members={seat: askers[login.email] for seat, login in COMMITTEE.items()},
    )


def _come_in(office: Office, token: str, who: LogIn) -> Asker:
    """Takes an invitation; who has just given a password need not log in with it."""
    name = f"{who.name} (demo)"
    account = office.accounts.accept_invitation(
        token, name, PASSWORD, language=who.language, address=_ADDRESS
    )
    return Asker(
        account=account, name=name, role=who.role, federation=who.federation, address=_ADDRESS
    )
