"""Following a player, the lists of a system or a tournament by mail."""

from __future__ import annotations

from arrocco.desk.desk import Desk, account_of, tournament_named
from arrocco.errors import Illegal, Inconsistent, NotFound
from arrocco.laws.systems import SYSTEMS
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.sql import follows
from arrocco.store.sql.follows import Followed

MAX_FOLLOWED = 200
_LONGEST_NUMBER = 12


class Following:
    """What each account follows."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def of(self, asker: Asker) -> list[tuple[Followed, str]]:
        """What the asker follows; nothing for the public."""
        if asker.account is None:
            return []
        with self._desk.database.reading() as connection:
            return follows.of_account(connection, asker.account)

    def follow(self, asker: Asker, kind: Followed, subject: str) -> None:
        """Follows something. Raises `Illegal` beyond the bound, `NotFound` for nothing there."""
        _check(kind, subject)
        with self._desk.acting(asker, "follow", _subject(kind, subject)) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            if kind is Followed.TOURNAMENT:
                try:
                    tournament_named(act.connection, int(subject))
                except Inconsistent:
                    raise NotFound.of("follow.refused.nothing") from None
            if follows.count(act.connection, account_of(asker)) >= MAX_FOLLOWED:
                raise Illegal.of("follow.refused.many", most=MAX_FOLLOWED)
            follows.add(act.connection, account_of(asker), kind, subject, act.at)

    def unfollow(self, asker: Asker, kind: Followed, subject: str) -> None:
        """Follows something no longer; what was not followed is no fault."""
        _check(kind, subject)
        with self._desk.acting(asker, "unfollow", _subject(kind, subject)) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            follows.remove(act.connection, account_of(asker), kind, subject)


def _check(kind: Followed, subject: str) -> None:
    if kind is Followed.LIST:
        is_there = subject in SYSTEMS
    else:
        is_there = subject.isascii() and subject.isdecimal() and subject == subject.lstrip("0")
        is_there = is_there and len(subject) <= _LONGEST_NUMBER
    if not is_there:
        raise NotFound.of("follow.refused.nothing")


def _subject(kind: Followed, subject: str) -> str:
    return subject if kind is Followed.LIST else f"{kind.value}:{subject}"
