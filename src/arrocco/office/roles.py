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
from arrocco.words import Phrase


class Role(StrEnum):
    """What an account is; the public has none."""

    PUBLIC = "public"
    PLAYER = "player"
    ARBITER = "arbiter"
    FEDERATION_OFFICER = "federation_officer"
    RATING_ADMINISTRATOR = "rating_administrator"
    SYSTEM_ADMINISTRATOR = "system_administrator"
    HEAD_OF_OFFICE = "head_of_office"
    """Both administrators in one person, who also chooses how the office reads open articles."""
    COMMITTEE = "committee"
    """13.1 — an account of the Fair Play Committee; it acts there as long as it holds a seat."""


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
    MANAGE_OFFICE = "manage_office"
    """The office's own name, crest and rules for coming in."""
    CHOOSE_READING = "choose_reading"
    """How the office reads an article that can be read in more than one way."""
    ANSWER_QUESTION = "answer_question"
    """What players say is wrong in a receipt."""
    DECIDE_CLAIM = "decide_claim"
    """Whether a number is that of the person who claims it."""
    NAME_COMMITTEE = "name_committee"
    """13.1 — entering whom the federation has named to the Fair Play Committee."""
    JUDGE_FAIR_PLAY = "judge_fair_play"
    """13 — the cases of the Fair Play Committee; the office also asks for a seat in it."""
    RECORD_FEES = "record_fees"
    """12.10 — what the federation's bank account says of the fees of appeals."""


class Scope(StrEnum):
    """How far a grant reaches."""

    ALL = "all"
    OWN = "own"


_ALL, _OWN = Scope.ALL, Scope.OWN
_ACCOUNTS: Mapping[Role, Scope] = {role: _OWN for role in Role if role is not Role.PUBLIC}
# Everybody with an account sees their own.

_GRANTS: Mapping[Permission, Mapping[Role, Scope]] = {
    Permission.LOOK_UP: dict.fromkeys(Role, _ALL),
    Permission.SEE_OWN_ACCOUNT: _ACCOUNTS,
    Permission.REGISTER_TOURNAMENT: {
        Role.ARBITER: _OWN,
        Role.FEDERATION_OFFICER: _OWN,
        Role.RATING_ADMINISTRATOR: _ALL,
    },
    Permission.SEE_TOURNAMENT_FILE: {
        Role.ARBITER: _OWN,
        Role.FEDERATION_OFFICER: _OWN,
        Role.RATING_ADMINISTRATOR: _ALL,
    },
    Permission.SEND_REPORT: {
        Role.ARBITER: _OWN,
        Role.FEDERATION_OFFICER: _OWN,
        Role.RATING_ADMINISTRATOR: _ALL,
    },
    Permission.APPROVE_REGISTRATION: {Role.RATING_ADMINISTRATOR: _ALL},
    Permission.APPEAL_REFUSAL: {Role.ARBITER: _OWN, Role.FEDERATION_OFFICER: _OWN},
    Permission.DECIDE_REPORT: {Role.RATING_ADMINISTRATOR: _ALL},
    Permission.BUILD_LIST: {Role.RATING_ADMINISTRATOR: _ALL},
    Permission.PUBLISH_LIST: {Role.RATING_ADMINISTRATOR: _ALL},
    Permission.CORRECT: {Role.RATING_ADMINISTRATOR: _ALL},
    Permission.CHANGE_PLAYER: {Role.FEDERATION_OFFICER: _OWN, Role.RATING_ADMINISTRATOR: _ALL},
    Permission.REPLAY: {Role.FEDERATION_OFFICER: _ALL, Role.RATING_ADMINISTRATOR: _ALL},
    Permission.READ_AUDIT: {Role.RATING_ADMINISTRATOR: _ALL, Role.SYSTEM_ADMINISTRATOR: _ALL},
    Permission.SEE_OPERATION: {Role.SYSTEM_ADMINISTRATOR: _ALL},
    Permission.INVITE: {Role.SYSTEM_ADMINISTRATOR: _ALL},
    Permission.MANAGE_ACCOUNTS: {Role.SYSTEM_ADMINISTRATOR: _ALL},
    Permission.MANAGE_OFFICE: {Role.SYSTEM_ADMINISTRATOR: _ALL},
    Permission.CHOOSE_READING: {Role.HEAD_OF_OFFICE: _ALL},
    Permission.ANSWER_QUESTION: {Role.FEDERATION_OFFICER: _OWN, Role.RATING_ADMINISTRATOR: _ALL},
    Permission.DECIDE_CLAIM: {
        Role.FEDERATION_OFFICER: _OWN,
        Role.RATING_ADMINISTRATOR: _ALL,
        Role.SYSTEM_ADMINISTRATOR: _ALL,
    },
    Permission.NAME_COMMITTEE: {Role.SYSTEM_ADMINISTRATOR: _ALL},
    Permission.JUDGE_FAIR_PLAY: {Role.COMMITTEE: _ALL},
    Permission.RECORD_FEES: {Role.FEDERATION_OFFICER: _OWN, Role.RATING_ADMINISTRATOR: _ALL},
}


_BOTH = (Role.RATING_ADMINISTRATOR, Role.SYSTEM_ADMINISTRATOR)
GRANTS: Mapping[Permission, Mapping[Role, Scope]] = {
    permission: {**granted, Role.HEAD_OF_OFFICE: _ALL}
    if any(role in granted for role in _BOTH) and Role.HEAD_OF_OFFICE not in granted
    else granted
    for permission, granted in _GRANTS.items()
}
"""Who may do what; the head of the office may what either administrator may, and
chooses readings."""

_WITHOUT_FACTOR = frozenset({Permission.LOOK_UP, Permission.SEE_OWN_ACCOUNT})
"""What is left to those who must have a second factor and have none: setting one up."""


class Asker(Struct, frozen=True, kw_only=True):
    """Who asks: an account as it stands in this very request, or the public."""

    account: int | None = None
    name: str = ""
    role: Role = Role.PUBLIC
    federation: str = ""
    player: int | None = None
    address: str = ""
    """Where the request came from; for the audit log."""
    only: frozenset[Permission] | None = None
    """What the key of a program was made for; `None` for people, who may all their role may."""
    program: str = ""
    """The name of that key; for the audit log."""
    lacks_factor: bool = False
    """Whether the office asks this role for a second factor and the account has none."""

    def scope_of(self, permission: Permission) -> Scope | None:
        """How far the asker's grant reaches; `None` without one."""
        if self.only is not None and permission not in self.only:
            return None
        if self.lacks_factor and permission not in _WITHOUT_FACTOR:
            return None
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
        raise forbidden(asker, permission)


def forbidden(asker: Asker, permission: Permission) -> Forbidden:
    """What the asker may not do, and who may: the refusal in plain words."""
    what = Phrase(f"office.may.{permission.value}")
    granted = GRANTS[permission].get(asker.role)
    if granted is not None and asker.lacks_factor:
        return Forbidden.of("access.refused.factor_first")
    if asker.only is not None and permission not in asker.only:
        return Forbidden.of("office.refused.key_forbidden", program=asker.program, what=what)
    role, who = Phrase(f"web.role.{asker.role.value}"), _those_who_may(permission)
    if granted is Scope.OWN:
        only = Phrase(f"office.only.{asker.role.value}")
        return Forbidden.of("office.refused.not_yours", what=what, only=only, who=who)
    return Forbidden.of("office.refused.forbidden", role=role, what=what, who=who)


def _those_who_may(permission: Permission) -> Phrase:
    """The roles that may do something: those who may do it everywhere last."""
    if permission is Permission.SEE_OWN_ACCOUNT:
        return Phrase("office.who.oneself")
    said = sorted(GRANTS[permission].items(), key=lambda grant: grant[1] is Scope.ALL)
    words = [
        Phrase(f"office.who.{role.value}_{scope.value}")
        for role, scope in said
        if role is not Role.PUBLIC
    ]
    *others, last = words
    if not others:
        return last
    several = others[0]
    for one in others[1:]:
        several = Phrase("office.who.several", {"first": several, "last": one})
    return Phrase("office.who.or", {"first": several, "last": last})
