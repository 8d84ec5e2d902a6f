"""The accounts of an invented office: one or more of every role, all with one password."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arrocco.office.roles import Asker, Role
from arrocco.wiring.office import Office

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
LOG_INS = (ROOT, BOSS, *OFFICERS.values(), *ARBITERS, PLAYER)
INVITED = "newcomer@demo.example"
"""Somebody invited who has not come yet."""


@dataclass(frozen=True)
class Staff:
    """Everybody who works in the office, as they ask."""

    root: Asker
    boss: Asker
    officers: dict[str, Asker]
    arbiters: tuple[Asker, ...]


def open_accounts(office: Office, player: int, player_name: str) -> Staff:
    """Invites everybody, one after the other, and lets them in."""
    accounts = office.accounts
    root = _come_in(office, accounts.invite_first(ROOT.email), ROOT)
    found: dict[str, Asker] = {}
    for one in LOG_INS[1:]:
        number = player if one is PLAYER else None
        who = one if one.name else replace(one, name=player_name)
        token = accounts.invite(root, one.email, one.role, one.federation, number)
        found[one.email] = _come_in(office, token, who)
    return Staff(
        root=root,
        boss=found[BOSS.email],
        officers={code: found[one.email] for code, one in OFFICERS.items()},
        arbiters=tuple(found[one.email] for one in ARBITERS),
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
