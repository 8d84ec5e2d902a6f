"""Accounts: invitations, coming in, going out, passwords."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.errors import Inconsistent, Refusal
from arrocco.office.roles import Asker, Permission, Role, require
from arrocco.store.sql import accounts, devices, invitations, sessions, throttle
from arrocco.store.sql.accounts import Account, same_email
from arrocco.store.sql.invitations import Invitation
from arrocco.store.sql.tokens import new_token
from arrocco.wiring.office import passwords
from arrocco.wiring.office.desk import Act, Desk, account_of
from arrocco.wiring.office.throttle import OF_OWN_PASSWORD, Throttle, TooManyAttempts

__all__ = ["Accounts", "LoggedIn", "NotLoggedIn", "Person", "TooManyAttempts"]

INVITATION_DAYS = 7
SESSION_HOURS = 12
RENEWED_AFTER = timedelta(minutes=10)
"""A session in use is renewed at most so often: not every page is worth a write."""
_LONGEST_EMAIL, _LONGEST_NAME = 254, 200
_LANGUAGES = ("en", "it")


class NotLoggedIn(Refusal):
    """The token opens no session, or the name and the password do not belong together."""


class LoggedIn(Struct, frozen=True, kw_only=True):
    """What a browser gets that has logged in: both are to be had only now."""

    token: str
    """Opens the session."""
    device: str
    """Shows later that this browser was logged in before; opens nothing by itself."""


class Person(Struct, frozen=True, kw_only=True):
    """An account as it is shown: everything but its password."""

    id: int
    email: str
    name: str
    role: Role
    federation: str
    player: int | None
    language: str
    disabled: bool


class Accounts:
    """Who may come in, and who is in."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._throttle = Throttle()

    # --- coming in and going out ------------------------------------------------------------------

    def log_in(self, email: str, password: str, address: str = "") -> str:
        """Opens a session and gives its token; see `log_in_with`."""
        return self.log_in_with(email, password, address).token

    def log_in_with(
        self, email: str, password: str, address: str = "", device: str = ""
    ) -> LoggedIn:
        """Opens a session for a browser, which `device` names where it was logged in before.

        Raises `NotLoggedIn` without telling what was wrong, `TooManyAttempts` where this sender,
        or everybody at this account, has failed too often lately.
        """
        at = self._desk.now()
        account = None
        try:
            with self._desk.database.writing() as connection:
                account = accounts.by_email(connection, email)
                attempt = self._throttle.attempt(connection, account, email, address, device)
                self._throttle.pay(connection, attempt.limits, at)
            # Worked out between the transactions: nobody waits for a hash.
            with self._throttle.hashing(address, is_known=attempt.is_known):
                kept = account.password_hash if account else None
                is_right = passwords.matches(kept, password)
            if account is None or not is_right or account.disabled:
                raise NotLoggedIn.of("desk.refused.not_logged_in")
        except Refusal as refusal:
            self._desk.count_refused("log_in", refusal, account.id if account else 0)
            raise
        renewed = passwords.is_outdated(account.password_hash) and passwords.hashed(password)
        with self._desk.acting(_asker(account, address), "log_in", account.email) as act:
            self._throttle.give_back(act.connection, attempt, act.at)
            sessions.purge(act.connection, act.at)
            if renewed:
                accounts.set_password(act.connection, account.id, renewed)
            return LoggedIn(
                token=sessions.start(act.connection, account.id, act.at, _expiry(act)),
                device=devices.remember(act.connection, device, account.id, act.at),
            )

    def asker_of(self, token: str, address: str = "") -> Asker:
        """Who holds a token; using a session lets it last longer. Raises `NotLoggedIn`."""
        at = self._desk.now()
        with self._desk.database.reading() as connection:
            account = sessions.account_of(connection, token, at)
            if account is None:
                raise NotLoggedIn.of("desk.refused.no_session")
            lasting = at + timedelta(hours=SESSION_HOURS) - RENEWED_AFTER
            is_fresh = sessions.account_of(connection, token, lasting) is not None
        if not is_fresh:
            with self._desk.database.writing() as connection:
                sessions.extend(connection, token, at + timedelta(hours=SESSION_HOURS))
        return _asker(account, address)

    def log_out(self, token: str) -> None:
        """Ends a session; a token that opens none is no fault."""
        at = self._desk.now()
        with self._desk.database.reading() as connection:
            account = sessions.account_of(connection, token, at)
        if account is None:
            return
        with self._desk.acting(_asker(account, ""), "log_out", account.email) as act:
            sessions.end(act.connection, token)

    # --- invitations ------------------------------------------------------------------------------

    def invite(
        self, asker: Asker, email: str, role: Role, federation: str = "", player: int | None = None
    ) -> str:
        """Invites somebody to open an account; the token is to be had only now."""
        with self._desk.acting(asker, "invite", same_email(email)) as act:
            require(asker, Permission.INVITE)
            act.details |= {"role": role.value, "federation": federation, "player": player}
            return self._invitation(act, email, role, federation, player, asker.account)

    def invite_first(self, email: str) -> str:
        """Invites the first administrator of a new office; refused once there is an account."""
        with self._desk.acting(Asker(), "invite_first", same_email(email)) as act:
            if accounts.count(act.connection):
                raise Inconsistent.of("desk.refused.has_accounts")
            return self._invitation(act, email, Role.SYSTEM_ADMINISTRATOR, "", None, None)

    def _invitation(
        self,
        act: Act,
        email: str,
        role: Role,
        federation: str,
        player: int | None,
        by: int | None,
    ) -> str:
        _check_email(email)
        if role is Role.PUBLIC:
            raise Inconsistent.of("desk.refused.public_role")
        if role is Role.FEDERATION_OFFICER and not federation:
            raise Inconsistent.of("desk.refused.no_federation")
        if federation and not (
            len(federation) == 3 and federation.isascii() and federation.isupper()
        ):
            raise Inconsistent.of("desk.refused.federation", federation=federation[:20])
        if role is Role.PLAYER and player is None:
            raise Inconsistent.of("desk.refused.no_player_number")
        if accounts.by_email(act.connection, email) is not None:
            raise Inconsistent.of("desk.refused.has_account", email=same_email(email))
        token = new_token()
        invitations.add(
            act.connection, token=token, email=email, role=role, federation=federation,
            player=player, invited_by=by, expires_at=act.at + timedelta(days=INVITATION_DAYS),
        )  # fmt: skip
        return token

    def invitation(self, token: str) -> Invitation:
        """The invitation of a token, to be shown. Raises `Inconsistent` where it does not serve."""
        with self._desk.database.reading() as connection:
            return _serving(invitations.by_token(connection, token, self._desk.now()))

    def waiting(self, asker: Asker) -> list[Invitation]:
        """Invitations that nobody has taken yet."""
        with self._desk.looking(asker, "see_invitations") as connection:
            require(asker, Permission.INVITE)
            return invitations.waiting(connection, self._desk.now())

    def withdraw_invitation(self, asker: Asker, invitation: int) -> None:
        """Takes an invitation back that nobody has taken."""
        with self._desk.acting(asker, "withdraw_invitation", str(invitation)) as act:
            require(asker, Permission.INVITE)
            if not invitations.withdraw(act.connection, invitation):
                raise Inconsistent.of("desk.refused.no_invitation")

    def accept_invitation(
        self, token: str, name: str, password: str, *, language: str = "en", address: str = ""
    ) -> int:
        """Opens the account that an invitation is for; its number."""
        asker = Asker(address=address)
        # Asked first: a hash costs much, and not everybody may make the office work one out.
        with self._desk.looking(asker, "accept_invitation") as connection:
            found = _serving(invitations.by_token(connection, token, self._desk.now()))
            passwords.check_new(password, name[:_LONGEST_NAME], found.email)
        kept = passwords.hashed(password)
        with self._desk.acting(asker, "accept_invitation") as act:
            _check_name(name)
            found = _serving(invitations.use(act.connection, token, act.at))
            act.subject = found.email
            account = accounts.add(
                act.connection, email=found.email, name=name.strip(), password_hash=kept,
                role=found.role, created_at=act.at, federation=found.federation,
                player=found.player, language=language if language in _LANGUAGES else "en",
            )  # fmt: skip
            act.details |= {"account": account.id, "role": account.role.value}
            return account.id

    # --- one's own account, and all of them -------------------------------------------------------

    def me(self, asker: Asker) -> Person:
        """The asker's own account."""
        with self._desk.looking(asker, "see_own_account") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            return _person(_named(connection, account_of(asker)))

    def change_password(
        self, asker: Asker, old: str, new: str, *, keep: str = "", device: str = ""
    ) -> None:
        """Changes the asker's password and ends their sessions, all but that of token `keep`.

        Browsers that were logged in before are forgotten as well, but for `device`. Who finds a
        browser open cannot guess on: wrong passwords are counted.
        """
        with self._desk.looking(asker, "change_password") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            account = _named(connection, account_of(asker))
        subject = f"own:{account.id}"
        try:
            passwords.check_new(new, account.name, account.email)
            with self._desk.database.writing() as connection:
                self._throttle.pay(connection, {subject: OF_OWN_PASSWORD}, self._desk.now())
        except Refusal as refusal:
            self._desk.refused(asker, "change_password", account.email, refusal)
            raise
        kept = passwords.hashed(new)
        is_known = passwords.matches(account.password_hash, old)
        with self._desk.acting(asker, "change_password", account.email) as act:
            if not is_known:
                raise NotLoggedIn.of("desk.refused.other_password")
            throttle.forget(act.connection, subject)
            accounts.set_password(act.connection, account.id, kept)
            sessions.end_all(act.connection, account.id, but=keep)
            devices.forget_all(act.connection, account.id, but=device)

    def set_language(self, asker: Asker, language: str) -> None:
        """The language the asker is spoken to in."""
        with self._desk.acting(asker, "set_language", language) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            if language not in _LANGUAGES:
                raise Inconsistent.of("desk.refused.language", language=language[:20])
            accounts.set_language(act.connection, account_of(asker), language)

    def disable(self, asker: Asker, account: int) -> None:
        """Shuts somebody out; what they did stays."""
        self._set_disabled(asker, account, True)

    def enable(self, asker: Asker, account: int) -> None:
        """Lets somebody in again."""
        self._set_disabled(asker, account, False)

    def _set_disabled(self, asker: Asker, account: int, disabled: bool) -> None:
        action = "disable_account" if disabled else "enable_account"
        with self._desk.acting(asker, action, str(account)) as act:
            require(asker, Permission.MANAGE_ACCOUNTS)
            if account == asker.account:
                raise Inconsistent.of("desk.refused.oneself")
            found = _named(act.connection, account)
            accounts.set_disabled(act.connection, found.id, disabled)
            sessions.end_all(act.connection, found.id)

    def all(self, asker: Asker) -> list[Person]:
        """Everybody who has an account, the oldest account first."""
        with self._desk.looking(asker, "see_accounts") as connection:
            require(asker, Permission.MANAGE_ACCOUNTS)
            return [_person(account) for account in accounts.every(connection)]


def _asker(account: Account, address: str) -> Asker:
    return Asker(
        account=account.id, name=account.name, role=account.role, federation=account.federation,
        player=account.player, address=address,
    )  # fmt: skip


def _person(account: Account) -> Person:
    return Person(
        id=account.id, email=account.email, name=account.name, role=account.role,
        federation=account.federation, player=account.player, language=account.language,
        disabled=account.disabled,
    )  # fmt: skip


def _named(connection: Connection, account: int) -> Account:
    found = accounts.by_id(connection, account)
    if found is None:
        raise Inconsistent.of("desk.refused.no_account", number=account)
    return found


def _serving(found: Invitation | None) -> Invitation:
    if found is None:
        raise Inconsistent.of("desk.refused.no_invitation")
    return found


def _expiry(act: Act) -> datetime:
    return act.at + timedelta(hours=SESSION_HOURS)


def _check_email(email: str) -> None:
    address = email.strip()
    before, at, behind = address.partition("@")
    plain = address.isprintable() and " " not in address and len(address) <= _LONGEST_EMAIL
    if not (plain and before and at and "." in behind.strip(".")):
        raise Inconsistent.of("desk.refused.email", email=address[:80])


def _check_name(name: str) -> None:
    if not (name.strip() and name.isprintable() and len(name) <= _LONGEST_NAME):
        raise Inconsistent.of("desk.refused.name", longest=_LONGEST_NAME)
