"""Who may do what: the one table that every route, command and service asks.

A permission is granted to roles; `own` grants hold only for what belongs to the asker's federation
(an officer), to tournaments the asker registered or directs (an arbiter), or to the player's own
record.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from arrocco.errors import Refusal


class Role(StrEnum):
    """What an account is; the public has none."""

    PUBLIC = "public"
    PLAYER = "player"
    ARBITER = "arbiter"
    FEDERATION_OFFICER = "federation_officer"
    RATING_ADMINISTRATOR = "rating_administrator"
    SYSTEM_ADMINISTRATOR = "system_administrator"


class Permission(StrEnum):
    """One thing somebody may be allowed to do."""

    LOOK_UP = "look_up"
    """Lists, players, tournaments, calculators, law, statistics: public to all."""
    SEE_OWN_ACCOUNT = "see_own_account"
    REGISTER_TOURNAMENT = "register_tournament"
    SEE_TOURNAMENT_FILE = "see_tournament_file"
    """The working file of a tournament: registration, reports, findings, decisions."""
    SEND_REPORT = "send_report"
    APPROVE_REGISTRATION = "approve_registration"
    """The President's and the QC chairman's approvals are recorded by the administrator."""
    APPEAL_REFUSAL = "appeal_refusal"
    DECIDE_REPORT = "decide_report"
    BUILD_LIST = "build_list"
    PUBLISH_LIST = "publish_list"
    CORRECT = "correct"
    CHANGE_PLAYER = "change_player"
    """Merges, deaths, federation changes, titles and categories."""
    REPLAY = "replay"
    """Having the history of a system rated once more, under another regulation."""
    READ_AUDIT = "read_audit"
    SEE_OPERATION = "see_operation"
    """How the server does: alarms, disk, backups, queues."""
    INVITE = "invite"
    MANAGE_ACCOUNTS = "manage_accounts"


class Scope(StrEnum):
    """How far a grant reaches."""

    ALL = "all"
    OWN = "own"


_ALL, _OWN = Scope.ALL, Scope.OWN
_ACCOUNTS: Mapping[Role, Scope] = {role: _OWN for role in Role if role is not Role.PUBLIC}
# Everybody with an account sees their own.

GRANTS: Mapping[Permission, Mapping[Role, Scope]] = {
    Permission.LOOK_UP: dict.fromkeys(Role, _ALL),
    Permission.SEE_OWN_ACCOUNT: _ACCOUNTS,
    Permission.REGISTER_TOURNAMENT: {
        Role.ARBITER: _OWN, Role.FEDERATION_OFFICER: _OWN, Role.RATING_ADMINISTRATOR: _ALL,
    },
    Permission.SEE_TOURNAMENT_FILE: {
        Role.ARBITER: _OWN, Role.FEDERATION_OFFICER: _OWN, Role.RATING_ADMINISTRATOR: _ALL,
    },
    Permission.SEND_REPORT: {
        Role.ARBITER: _OWN, Role.FEDERATION_OFFICER: _OWN, Role.RATING_ADMINISTRATOR: _ALL,
    },
    Permission.APPROVE_REGISTRATION: {Role.RATING_ADMINISTRATOR: _ALL},
    Permission.APPEAL_REFUSAL: {Role.ARBITER: _OWN, Role.FEDERATION_OFFICER: _OWN},
    Permission.DECIDE_REPORT: {Role.RATING_ADMINISTRATOR: _ALL},
    Permission.BUILD_LIST: {Role.RATING_ADMINISTRATOR: _ALL},
    Permission.PUBLISH_LIST: {Role.RATING_ADMINISTRATOR: _ALL},
    Permission.CORRECT: {Role.RATING_ADMINISTRATOR: _ALL},
    Permission.CHANGE_PLAYER: {
        Role.FEDERATION_OFFICER: _OWN, Role.RATING_ADMINISTRATOR: _ALL,
    },
    Permission.REPLAY: {Role.FEDERATION_OFFICER: _ALL, Role.RATING_ADMINISTRATOR: _ALL},
    Permission.READ_AUDIT: {Role.RATING_ADMINISTRATOR: _ALL, Role.SYSTEM_ADMINISTRATOR: _ALL},
    Permission.SEE_OPERATION: {Role.SYSTEM_ADMINISTRATOR: _ALL},
    Permission.INVITE: {Role.SYSTEM_ADMINISTRATOR: _ALL},
    Permission.MANAGE_ACCOUNTS: {Role.SYSTEM_ADMINISTRATOR: _ALL},
}  # fmt: skip


class Asker(Struct, frozen=True, kw_only=True):
    """Who asks: an account as it stands in this very request, or the public."""

    account: int | None = None
    name: str = ""
    role: Role = Role.PUBLIC
    federation: str = ""
    player: int | None = None
    address: str = ""
    """Where the request came from; for the audit log."""

    def scope_of(self, permission: Permission) -> Scope | None:
        """How far the asker's grant reaches; `None` without one."""
        return GRANTS[permission].get(self.role)


class Subject(Struct, frozen=True, kw_only=True):
    """What is asked about, as far as ownership goes."""

    federation: str = ""
    owner: int | None = None
    """The account that registered a tournament."""
    player: int | None = None


class Forbidden(Refusal):
    """The asker may not do this."""


def may(asker: Asker, permission: Permission, subject: Subject | None = None) -> bool:
    """Whether the asker may do something, to a subject where there is one."""
    scope = asker.scope_of(permission)
    if scope is None or scope is Scope.ALL or subject is None:
        return scope is not None
    if asker.role is Role.FEDERATION_OFFICER:
        return bool(asker.federation) and asker.federation == subject.federation
    if asker.role is Role.ARBITER:
        return asker.account is not None and asker.account == subject.owner
    return asker.player is not None and asker.player == subject.player


def require(asker: Asker, permission: Permission, subject: Subject | None = None) -> None:
    """Raises `Forbidden` unless the asker may do this."""
    if not may(asker, permission, subject):
        raise Forbidden.of("office.refused.forbidden", permission=permission.value)
