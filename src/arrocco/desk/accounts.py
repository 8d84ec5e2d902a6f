"""Accounts: invitations, coming in, going out, passwords."""

from __future__ import annotations

from datetime import timedelta

from msgspec import Struct

from arrocco.desk import passwords
from arrocco.desk.account_parts import (
    MAX_NAME,
    SESSION_HOURS,
    LoggedIn,
    NotLoggedIn,
    asker_for,
    check_federation,
    check_name,
    named,
    open_session,
    plain_asker,
    tell,
)
from arrocco.desk.desk import Act, Desk, account_of
from arrocco.desk.notices import tell_invited
from arrocco.desk.throttle import OF_OWN_PASSWORD, Throttle, TooManyAttempts
from arrocco.errors import Inconsistent, Refusal
from arrocco.office.addresses import check_email
from arrocco.office.roles import Asker, Permission, Role, require
from arrocco.store.sql import (
    accounts,
    api_keys,
    claims,
    devices,
    invitations,
    one_time,
    second_factors,
    sessions,
    throttle,
)
from arrocco.store.sql.accounts import Account, same_email
from arrocco.store.sql.invitations import Invitation
from arrocco.store.sql.tokens import new_token
from arrocco.words import LANGUAGES

__all__ = ["Accounts", "LoggedIn", "NotLoggedIn", "Person", "TooManyAttempts"]

INVITATION_DAYS = 7
RENEWED_AFTER = timedelta(minutes=10)
"""A session in use is renewed at most so often: not every page is worth a write."""
PENDING_MINUTES = 10
"""How long who knew the password may take for the second factor."""


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
        opened = self.log_in_with(email, password, address)
        if opened.pending:
            raise NotLoggedIn.of("access.refused.second_factor")
        return opened.token

    def log_in_with(
        self, email: str, password: str, address: str = "", device: str = "", agent: str = ""
    ) -> LoggedIn:
        """Opens a session for a browser, which `device` names where it was logged in before.

        An account with a second factor gets none yet, but a token to show the factor with.

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
        with self._desk.acting(plain_asker(account, address), "log_in", account.email) as act:
            self._throttle.give_back(act.connection, attempt, act.at)
            sessions.purge(act.connection, act.at)
            if renewed:
                accounts.set_password(act.connection, account.id, renewed)
            if second_factors.has_any(act.connection, account.id):
                act.details["waits_for"] = "second_factor"
                one_time.purge(act.connection, act.at)
                pending = new_token()
                until = act.at + timedelta(minutes=PENDING_MINUTES)
                purpose = one_time.Purpose.SECOND_FACTOR
                one_time.add(act.connection, pending, purpose, until, account=account.id)
                return LoggedIn(token="", device=device, pending=pending)
            return open_session(act, account, address, device, agent)

    def asker_of(self, token: str, address: str = "") -> Asker:
        """Who holds a token; using a session lets it last longer. Raises `NotLoggedIn`."""
        at = self._desk.now()
        with self._desk.database.reading() as connection:
            account = sessions.account_of(connection, token, at)
            if account is None:
                raise NotLoggedIn.of("desk.refused.no_session")
            lasting = at + timedelta(hours=SESSION_HOURS) - RENEWED_AFTER
            is_fresh = sessions.account_of(connection, token, lasting) is not None
            asker = asker_for(connection, account, address)
        if not is_fresh:
            with self._desk.database.writing() as connection:
                sessions.extend(connection, token, at + timedelta(hours=SESSION_HOURS))
        return asker

    def log_out(self, token: str) -> None:
        """Ends a session; a token that opens none is no fault."""
        at = self._desk.now()
        with self._desk.database.reading() as connection:
            account = sessions.account_of(connection, token, at)
        if account is None:
            return
        with self._desk.acting(plain_asker(account, ""), "log_out", account.email) as act:
            sessions.end(act.connection, token)

    # --- invitations ------------------------------------------------------------------------------

    def invite(
        self,
        asker: Asker,
        email: str,
        role: Role,
        federation: str = "",
        player: int | None = None,
        name: str = "",
    ) -> str:
        """Invites somebody to open an account; the token is to be had only now.

        A name that the office knows already need not be typed by who is invited.
        """
        with self._desk.acting(asker, "invite", same_email(email)) as act:
            require(asker, Permission.INVITE)
            act.details |= {"role": role.value, "federation": federation, "player": player}
            token = self.invitation_for(act, email, role, federation, player, asker.account, name)
            if player is not None and not claims.address_of(act.connection, player):
                claims.put_address(act.connection, player, email, act.at, asker.account)
            tell_invited(act, asker, email, role, token, act.at + timedelta(days=INVITATION_DAYS))
            return token

    def invite_first(self, email: str, role: Role = Role.SYSTEM_ADMINISTRATOR) -> str:
        """Invites the first administrator of a new office; refused once there is an account."""
        with self._desk.acting(Asker(), "invite_first", same_email(email)) as act:
            if accounts.count(act.connection):
                raise Inconsistent.of("desk.refused.has_accounts")
            return self.invitation_for(act, email, role, "", None, None)

    def invitation_for(
        self,
        act: Act,
        email: str,
        role: Role,
        federation: str,
        player: int | None,
        by: int | None,
        name: str = "",
    ) -> str:
        """The token of a new invitation within an act, which has asked who may invite."""
        if name:
            check_name(name)
        check_email(email)
        if role is Role.PUBLIC:
            raise Inconsistent.of("desk.refused.public_role")
        check_federation(role, federation)
        if role is Role.PLAYER and player is None:
            raise Inconsistent.of("desk.refused.no_player_number")
        if player is not None and accounts.by_player(act.connection, player) is not None:
            raise Inconsistent.of("access.refused.number_taken", player=player)
        if accounts.by_email(act.connection, email) is not None:
            raise Inconsistent.of("desk.refused.has_account", email=same_email(email))
        token = new_token()
        invitations.add(
            act.connection,
            token=token,
            email=email,
            role=role,
            federation=federation,
            player=player,
            invited_by=by,
            expires_at=act.at + timedelta(days=INVITATION_DAYS),
            name=name,
        )
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
            waiting = invitations.waiting(act.connection, act.at)
            act.details["email"] = next((i.email for i in waiting if i.id == invitation), "")
            if not invitations.withdraw(act.connection, invitation):
                raise Inconsistent.of("desk.refused.no_invitation")

    def accept_invitation(
        self, token: str, name: str, password: str, *, language: str = "en", address: str = ""
    ) -> int:
        """Opens the account that an invitation is for; its number."""
        asker = Asker(address=address)
        # Asked first: a hash costs much, and not everybody may make the office work one out.
        with self._desk.looking(asker, "accept_invitation") as connection:
            invitation = _serving(invitations.by_token(connection, token, self._desk.now()))
            passwords.check_new(password, name[:MAX_NAME], invitation.email)
        kept = passwords.hashed(password)
        with self._desk.acting(asker, "accept_invitation") as act:
            check_name(name)
            invitation = _serving(invitations.use(act.connection, token, act.at))
            act.subject = invitation.email
            account = accounts.add(
                act.connection,
                email=invitation.email,
                name=name.strip(),
                password_hash=kept,
                role=invitation.role,
                created_at=act.at,
                federation=invitation.federation,
                player=invitation.player,
                language=language if language in LANGUAGES else "en",
            )
            act.details |= {"account": account.id, "role": account.role.value}
            return account.id

    # --- one's own account, and all of them -------------------------------------------------------

    def me(self, asker: Asker) -> Person:
        """The asker's own account."""
        with self._desk.looking(asker, "see_own_account") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            return _person(named(connection, account_of(asker)))

    def change_password(
        self, asker: Asker, old: str, new: str, *, keep: str = "", device: str = ""
    ) -> None:
        """Changes the asker's password and ends their sessions, all but that of token `keep`.

        Browsers that were logged in before are forgotten as well, but for `device`. Who finds a
        browser open cannot guess on: wrong passwords are counted.
        """
        with self._desk.looking(asker, "change_password") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            account = named(connection, account_of(asker))
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
            one_time.forget_all(act.connection, account.id)
            tell(act, account.id, "password")

    def set_language(self, asker: Asker, language: str) -> None:
        """The language the asker is spoken to in."""
        with self._desk.acting(asker, "set_language", language) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            if language not in LANGUAGES:
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
            target = named(act.connection, account)
            accounts.set_disabled(act.connection, target.id, disabled)
            sessions.end_all(act.connection, target.id)
            if disabled:
                one_time.forget_all(act.connection, target.id)
                api_keys.revoke_all(act.connection, target.id, act.at)
            else:
                tell(act, target.id, "reopened")

    def by_email(self, asker: Asker, email: str) -> Person:
        """An account by its address. Raises `Inconsistent` where there is none."""
        with self._desk.looking(asker, "see_accounts") as connection:
            require(asker, Permission.MANAGE_ACCOUNTS)
            account = accounts.by_email(connection, email)
            if account is None:
                raise Inconsistent.of("access.refused.no_email", email=same_email(email)[:80])
            return _person(account)

    def all(self, asker: Asker) -> list[Person]:
        """Everybody who has an account, the oldest account first."""
        with self._desk.looking(asker, "see_accounts") as connection:
            require(asker, Permission.MANAGE_ACCOUNTS)
            return [_person(account) for account in accounts.every(connection)]


def _person(account: Account) -> Person:
    return Person(
        id=account.id,
        email=account.email,
        name=account.name,
        role=account.role,
        federation=account.federation,
        player=account.player,
        language=account.language,
        disabled=account.disabled,
    )


def _serving(invitation: Invitation | None) -> Invitation:
    if invitation is None:
        raise Inconsistent.of("desk.refused.no_invitation")
    return invitation
