"""One's own account: a forgotten password, another address, sessions, closing it."""

from __future__ import annotations

from datetime import timedelta

from arrocco.desk import mail, passwords
from arrocco.desk.account_parts import LoggedIn, NotLoggedIn, named, open_session, tell
from arrocco.desk.desk import Act, Desk, account_of
from arrocco.desk.throttle import (
    OF_ALL_MAILS,
    OF_MAILS,
    OF_OWN_PASSWORD,
    OF_RESETS,
    Limit,
    Throttle,
    TooManyAttempts,
)
from arrocco.errors import Inconsistent, Refusal
from arrocco.office.addresses import check_email
from arrocco.office.claims import ClaimState
from arrocco.office.networks import network_of
from arrocco.office.roles import GRANTS, Asker, Permission, require
from arrocco.store.sql import (
    accounts,
    api_keys,
    claims,
    devices,
    one_time,
    sessions,
    throttle,
)
from arrocco.store.sql.accounts import Account, same_email
from arrocco.store.sql.one_time import Purpose
from arrocco.store.sql.sessions import Session
from arrocco.store.sql.tokens import new_token
from arrocco.words import Phrase

LINK_MINUTES = 60
_MANAGERS = frozenset(GRANTS[Permission.MANAGE_ACCOUNTS])


class OwnAccount:
    """What everybody does with their own account, and who lost the key to it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._throttle = Throttle()

    # --- a forgotten password ---------------------------------------------------------------------

    def ask_reset(self, email: str, address: str = "") -> None:
        """Sends a link to choose a new password, where somebody has the address.

        Who asks learns nothing about accounts: the answer is the same. Raises `TooManyAttempts`
        where one sender, or everybody, asks too often.
        """
        asker, at = Asker(address=address), self._desk.now()
        try:
            check_email(email)
            with self._desk.database.writing() as connection:
                self._throttle.pay(connection, mail_limits(address), at)
        except Refusal as refusal:
            self._desk.count_refused("ask_reset", refusal)
            raise
        with self._desk.database.writing() as connection:
            account = accounts.by_email(connection, email)
            if account is None or account.disabled:
                return
            try:
                self._throttle.pay(connection, {f"reset:{account.id}": OF_RESETS}, at)
            except TooManyAttempts:
                return  # those that were sent all serve: nobody needs one more
        with self._desk.acting(asker, "ask_reset", str(account.id)) as act:
            _send_reset(act, account)

    def reset_link(self, asker: Asker, account: int) -> str:
        """A link for somebody who cannot get mail, made by an administrator: its token."""
        with self._desk.acting(asker, "make_reset_link", str(account)) as act:
            require(asker, Permission.MANAGE_ACCOUNTS)
            owner = named(act.connection, account)
            if owner.disabled:
                raise Inconsistent.of("access.refused.closed")
            return _reset_token(act, owner)

    def has_reset(self, token: str) -> bool:
        """Whether a link to choose a password still serves."""
        with self._desk.database.reading() as connection:
            return one_time.get(connection, token, Purpose.RESET, self._desk.now()) is not None

    def reset(self, token: str, password: str, address: str = "") -> None:
        """Chooses a new password with a link; every session of the account ends."""
        asker = Asker(address=address)
        with self._desk.looking(asker, "reset_password") as connection:
            link = one_time.get(connection, token, Purpose.RESET, self._desk.now())
            if link is None or link.account is None:
                raise Inconsistent.of("access.refused.link")
            owner = named(connection, link.account)
            passwords.check_new(password, owner.name, owner.email)
        kept = passwords.hashed(password)
        with self._desk.acting(asker, "reset_password", str(owner.id)) as act:
            if one_time.take(act.connection, token, Purpose.RESET, act.at) is None:
                raise Inconsistent.of("access.refused.link")
            accounts.set_password(act.connection, owner.id, kept)
            sessions.end_all(act.connection, owner.id)
            devices.forget_all(act.connection, owner.id)
            one_time.forget_all(act.connection, owner.id)
            throttle.forget(act.connection, f"account:{owner.id}")
            tell(act, owner.id, "password")

    # --- another address --------------------------------------------------------------------------

    def ask_new_address(self, asker: Asker, email: str, password: str) -> None:
        """Sends a link to a new address; the old one holds until it was opened."""
        owner = self.proved(asker, "ask_new_address", password)
        with self._desk.acting(asker, "ask_new_address", str(owner.id)) as act:
            check_email(email)
            if same_email(email) == owner.email:
                raise Inconsistent.of("access.refused.same_address")
            self._throttle.pay(act.connection, {f"address:{owner.id}": OF_RESETS}, act.at)
            token, until = new_token(), act.at + timedelta(minutes=LINK_MINUTES)
            one_time.add(
                act.connection,
                token,
                Purpose.NEW_ADDRESS,
                until,
                account=owner.id,
                email=same_email(email),
            )
            mail.queue_to(
                act.connection,
                act.at,
                mail.MailKind.NEW_ADDRESS,
                email,
                owner.language,
                f"/new-address?token={token}",
                minutes=LINK_MINUTES,
            )

    def new_address(self, token: str) -> str:
        """The address that a link confirms. Raises `Inconsistent` where it does not serve."""
        with self._desk.database.reading() as connection:
            link = one_time.get(connection, token, Purpose.NEW_ADDRESS, self._desk.now())
        if link is None:
            raise Inconsistent.of("access.refused.link")
        return link.email

    def confirm_address(self, token: str, address: str = "") -> None:
        """Gives an account the address its link was sent to; the old address is told."""
        with self._desk.acting(Asker(address=address), "change_address") as act:
            link = one_time.take(act.connection, token, Purpose.NEW_ADDRESS, act.at)
            if link is None or link.account is None:
                raise Inconsistent.of("access.refused.link")
            owner = named(act.connection, link.account)
            act.subject = str(owner.id)
            if owner.disabled:
                raise Inconsistent.of("access.refused.link")
            accounts.set_email(act.connection, owner.id, link.email)
            one_time.forget_all(act.connection, owner.id)
            _tell_address(act, owner, "address")

    # --- sessions ---------------------------------------------------------------------------------

    def sessions(self, asker: Asker) -> list[Session]:
        """Where the asker is logged in."""
        with self._desk.looking(asker, "see_own_account") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            return sessions.of_account(connection, account_of(asker), self._desk.now())

    def end_session(self, asker: Asker, session: str) -> None:
        """Ends one session of the asker."""
        with self._desk.acting(asker, "end_session", str(asker.account)) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            if not sessions.end_named(act.connection, account_of(asker), session):
                raise Inconsistent.of("access.refused.no_session")

    def end_everywhere(self, asker: Asker, *, keep: str = "", device: str = "") -> None:
        """Ends the asker's sessions, all but that of token `keep`, and forgets other browsers."""
        with self._desk.acting(asker, "end_sessions", str(asker.account)) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            sessions.end_all(act.connection, account_of(asker), but=keep)
            devices.forget_all(act.connection, account_of(asker), but=device)
            one_time.forget_all(act.connection, account_of(asker))

    def begin_session(self, account: int, address: str, device: str, agent: str) -> LoggedIn:
        """Opens a session of somebody who has just shown who they are by a link."""
        with self._desk.acting(Asker(address=address), "log_in") as act:
            owner = named(act.connection, account)
            act.subject = owner.email
            return open_session(act, owner, address, device, agent)

    # --- the end ----------------------------------------------------------------------------------

    def close(self, asker: Asker, password: str) -> None:
        """Closes the asker's own account: its number is free, what they did stays.

        The last one who can manage accounts stays: nobody else could let anybody in.
        """
        owner = self.proved(asker, "close_account", password)
        with self._desk.acting(asker, "close_account", str(owner.id)) as act:
            require_other_manager(act, owner)
            act.details["player"] = owner.player
            for claim in claims.of_account(act.connection, owner.id):
                claims.decide(act.connection, claim.id, ClaimState.WITHDRAWN, act.at, owner.id)
            accounts.set_player(act.connection, owner.id, None)
            accounts.set_disabled(act.connection, owner.id, True)
            api_keys.revoke_all(act.connection, owner.id, act.at)
            sessions.end_all(act.connection, owner.id)
            devices.forget_all(act.connection, owner.id)
            one_time.forget_all(act.connection, owner.id)
            _tell_address(act, owner, "closed")

    def proved(self, asker: Asker, action: str, password: str) -> Account:
        """The asker's account, after its password; who finds a browser open cannot guess on."""
        with self._desk.looking(asker, action) as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            owner = named(connection, account_of(asker))
        subject = f"own:{owner.id}"
        try:
            with self._desk.database.writing() as connection:
                self._throttle.pay(connection, {subject: OF_OWN_PASSWORD}, self._desk.now())
            if not passwords.matches(owner.password_hash, password):
                raise NotLoggedIn.of("desk.refused.other_password")
        except Refusal as refusal:
            self._desk.refused(asker, action, str(owner.id), refusal)
            raise
        with self._desk.database.writing() as connection:
            throttle.forget(connection, subject)
        return owner


def mail_limits(address: str) -> dict[str, Limit]:
    """What somebody without an account pays who has a mail sent."""
    limits: dict[str, Limit] = {"mails": OF_ALL_MAILS}
    if sender := network_of(address):
        limits[f"mails@{sender}"] = OF_MAILS
    return limits


def require_other_manager(act: Act, leaving: Account) -> None:
    """Raises `Inconsistent` where nobody else could manage the accounts."""
    if leaving.role not in _MANAGERS:
        return
    others = (
        account
        for account in accounts.every(act.connection)
        if account.role in _MANAGERS and not account.disabled and account.id != leaving.id
    )
    if next(others, None) is None:
        raise Inconsistent.of("access.refused.last_manager")


def _send_reset(act: Act, owner: Account) -> None:
    mail.queue(
        act.connection,
        act.at,
        mail.MailKind.RESET,
        owner,
        f"/reset?token={_reset_token(act, owner)}",
        minutes=LINK_MINUTES,
    )


def _reset_token(act: Act, owner: Account) -> str:
    one_time.purge(act.connection, act.at)
    token, until = new_token(), act.at + timedelta(minutes=LINK_MINUTES)
    one_time.add(act.connection, token, Purpose.RESET, until, account=owner.id)
    return token


def _tell_address(act: Act, owner: Account, change: str) -> None:
    """Tells the address that an account had before."""
    mail.queue_to(
        act.connection,
        act.at,
        mail.MailKind.ACCOUNT_CHANGED,
        owner.email,
        owner.language,
        "/account",
        change=Phrase(f"access.changed.{change}"),
    )
