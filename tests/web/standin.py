"""A small office in memory: accounts, an audit log and a list, where the real one is not needed."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from arrocco.errors import Refusal
from arrocco.office.roles import Asker, Permission, Role, require


@dataclass
class Account:
    id: int
    email: str
    name: str
    role: Role
    federation: str = ""
    player: int | None = None
    disabled: bool = False
    password: str = "correct horse battery"


@dataclass(frozen=True)
class Line:
    id: int
    at: datetime
    account: int | None
    role: str
    address: str
    action: str
    subject: str
    outcome: str


@dataclass(frozen=True)
class Published:
    list_date: date
    players: int


@dataclass
class StandIn:
    """Everything the base pages ask of an office."""

    people: dict[int, Account] = field(default_factory=dict)
    sessions: dict[str, int] = field(default_factory=dict)
    invitations: dict[str, Account] = field(default_factory=dict)

    @property
    def accounts(self) -> StandIn:
        return self

    @property
    def audit(self) -> StandIn:
        return self

    @property
    def lists(self) -> StandIn:
        return self

    def add(self, role: Role, federation: str = "", player: int | None = None) -> Account:
        number = len(self.people) + 1
        name = role.value.replace("_", " ").title()
        made = Account(number, f"{role.value}@example.org", name, role, federation, player)
        self.people[number] = made
        return made

    def log_in(self, email: str, password: str, address: str) -> str:
        for account in self.people.values():
            if account.email == email and account.password == password and not account.disabled:
                token = secrets.token_urlsafe(32)
                self.sessions[token] = account.id
                return token
        raise Refusal.of("web.refused.forbidden", permission="log_in")

    def asker_of(self, token: str, address: str) -> Asker:
        account = self.people.get(self.sessions.get(token, 0))
        if account is None or account.disabled:
            return Asker(address=address)
        return Asker(
            account=account.id, name=account.name, role=account.role,
            federation=account.federation, player=account.player, address=address,
        )  # fmt: skip

    def log_out(self, token: str) -> None:
        self.sessions.pop(token, None)

    def invite(
        self, asker: Asker, email: str, role: Role, federation: str = "", player: int | None = None
    ) -> str:
        require(asker, Permission.INVITE)
        token = secrets.token_urlsafe(32)
        self.invitations[token] = Account(0, email, "", role, federation, player)
        return token

    def accept_invitation(self, token: str, name: str, password: str) -> None:
        account = self.invitations.pop(token)
        account.id, account.name, account.password = len(self.people) + 1, name, password
        self.people[account.id] = account

    def change_password(self, asker: Asker, old: str, new: str) -> None:
        account = self.people[asker.account or 0]
        if account.password != old:
            raise Refusal.of("web.refused.forbidden", permission="change_password")
        account.password = new

    def disable(self, asker: Asker, account: int) -> None:
        require(asker, Permission.MANAGE_ACCOUNTS)
        self.people[account].disabled = True

    def all(self, asker: Asker) -> list[Account]:
        require(asker, Permission.MANAGE_ACCOUNTS)
        return list(self.people.values())

    def page(
        self, asker: Asker, *, action: str = "", account: int | None = None,
        offset: int = 0, limit: int = 50,
    ) -> tuple[int, list[Line]]:  # fmt: skip
        require(asker, Permission.READ_AUDIT)
        at = datetime(2024, 5, 1, 14, 5, tzinfo=UTC)
        lines = [
            Line(n, at, 1, "arbiter", "192.0.2.7", "report.send", f"report {n}", "done")
            for n in range(120)
            if not action or action == "report.send"
        ]
        return len(lines), lines[offset : offset + limit]

    def latest(self, system: str) -> Published | None:
        return Published(date(2024, 5, 1), 1_234_567) if system == "fide" else None
