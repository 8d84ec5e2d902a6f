"""The second factor: an authenticator app (RFC 6238), and codes for when it is lost.

Passkeys are in `desk.passkeys`. The password comes first; what is tried here is counted by
account, and browsers that were logged in before have an allowance of their own.
"""

from __future__ import annotations

import hmac
import secrets
from datetime import datetime, timedelta

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk.account_parts import LoggedIn, NotLoggedIn, named, open_session, tell
from arrocco.desk.desk import Act, Desk, account_of
from arrocco.desk.throttle import OF_FACTOR, OF_OWN_PASSWORD, Limit, Throttle
from arrocco.errors import Inconsistent, Refusal
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.sql import devices, office_settings, one_time, second_factors, throttle
from arrocco.store.sql.accounts import Account
from arrocco.store.sql.one_time import Purpose
from arrocco.store.sql.second_factors import PASSKEY, TOTP, Factor
from arrocco.store.sql.tokens import hashed, new_token

SETTING_UP_MINUTES = 30
MAX_FACTORS = 10
MAX_FACTOR_NAME = 100
RECOVERY_CODES = 10
_STEP = 30
_WINDOW = 1
"""Steps of time that an app's clock may be off, either way."""
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that look alike."""


class NewApp(Struct, frozen=True, kw_only=True):
    """What an authenticator app is set up with, until a code of it was seen."""

    attempt: str
    secret: str
    address: str
    """The ``otpauth`` address that its QR code holds."""


class Factors(Struct, frozen=True, kw_only=True):
    """What an account has."""

    factors: list[Factor]
    codes_left: int
    is_required: bool


class SecondFactors:
    """Setting factors up, and showing them when logging in."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._throttle = Throttle()

    # --- one's own --------------------------------------------------------------------------------

    def own(self, asker: Asker) -> Factors:
        """The asker's factors."""
        with self._desk.looking(asker, "see_own_account") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            account = account_of(asker)
            return Factors(
                factors=second_factors.of_account(connection, account),
                codes_left=second_factors.codes_left(connection, account),
                is_required=asker.role in office_settings.get(connection).second_factor,
            )

    def new_app(self, asker: Asker, issuer: str) -> NewApp:
        """Begins to set up an authenticator app; nothing changes until a code of it is shown."""
        import pyotp

        with self._desk.acting(asker, "begin_authenticator", str(asker.account)) as act:
            account = self._with_room(act.connection, asker)
            secret, attempt = pyotp.random_base32(), new_token()
            one_time.purge(act.connection, act.at)
            one_time.forget(act.connection, account.id, Purpose.NEW_TOTP)
            until = act.at + timedelta(minutes=SETTING_UP_MINUTES)
            one_time.add(
                act.connection,
                attempt,
                Purpose.NEW_TOTP,
                until,
                account=account.id,
                body={"secret": secret},
            )
            name = pyotp.TOTP(secret).provisioning_uri(account.email, issuer_name=issuer)
            return NewApp(attempt=attempt, secret=secret, address=name)

    def pending_app(self, asker: Asker, attempt: str, issuer: str) -> NewApp:
        """What is being set up, to be shown again. Raises `Inconsistent` where it has expired."""
        import pyotp

        with self._desk.looking(asker, "begin_authenticator") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            kept = one_time.get(connection, attempt, Purpose.NEW_TOTP, self._desk.now())
            if kept is None or kept.account != asker.account:
                raise Inconsistent.of("access.refused.setting_up")
            email = named(connection, account_of(asker)).email
        secret = str(kept.body["secret"])
        address = pyotp.TOTP(secret).provisioning_uri(email, issuer_name=issuer)
        return NewApp(attempt=attempt, secret=secret, address=address)

    def add_app(self, asker: Asker, attempt: str, code: str, name: str) -> list[str]:
        """Takes an app whose code was shown; new recovery codes where these are the first."""
        self._pay_own(asker, "add_authenticator")
        with self._desk.acting(asker, "add_authenticator", str(asker.account)) as act:
            account = self._with_room(act.connection, asker)
            kept = one_time.get(act.connection, attempt, Purpose.NEW_TOTP, act.at)
            if kept is None or kept.account != account.id:
                raise Inconsistent.of("access.refused.setting_up")
            secret = str(kept.body["secret"])
            step = matching_step(secret, code, act.at)
            if step is None:
                raise NotLoggedIn.of("access.refused.factor_code")
            if one_time.take(act.connection, attempt, Purpose.NEW_TOTP, act.at) is None:
                raise Inconsistent.of("access.refused.setting_up")
            second_factors.add(
                act.connection, account.id, TOTP, factor_name(name), secret, act.at, counter=step
            )
            return added(act, account.id)

    def new_codes(self, asker: Asker) -> list[str]:
        """New recovery codes; the old ones serve no more. They are to be had only now."""
        with self._desk.acting(asker, "make_recovery_codes", str(asker.account)) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            if not second_factors.has_any(act.connection, account_of(asker)):
                raise Inconsistent.of("access.refused.no_factor")
            return _codes(act, account_of(asker))

    def remove(self, asker: Asker, factor: int) -> None:
        """Takes a factor of the asker away; the last one not where the office asks for one."""
        with self._desk.acting(asker, "remove_factor", str(asker.account)) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            account = account_of(asker)
            if not second_factors.remove(act.connection, account, factor):
                raise Inconsistent.of("access.refused.no_factor")
            if not second_factors.has_any(act.connection, account):
                if asker.role in office_settings.get(act.connection).second_factor:
                    raise Inconsistent.of("access.refused.factor_required")
                second_factors.remove_all(act.connection, account)
            tell(act, account, "factor_removed")

    def reset(self, asker: Asker, account: int) -> None:
        """Takes all factors of somebody away who lost them, by an administrator."""
        with self._desk.acting(asker, "reset_factors", str(account)) as act:
            require(asker, Permission.MANAGE_ACCOUNTS)
            owner = named(act.connection, account)
            if owner.id == asker.account:
                raise Inconsistent.of("access.refused.own_factors")
            act.details["removed"] = second_factors.remove_all(act.connection, owner.id)
            tell(act, owner.id, "factor_removed")

    def _with_room(self, connection: Connection, asker: Asker) -> Account:
        require(asker, Permission.SEE_OWN_ACCOUNT)
        account = named(connection, account_of(asker))
        if len(second_factors.of_account(connection, account.id)) >= MAX_FACTORS:
            raise Inconsistent.of("access.refused.many_factors", most=MAX_FACTORS)
        return account

    def _pay_own(self, asker: Asker, action: str) -> None:
        try:
            with self._desk.database.writing() as connection:
                subject = f"setting-up:{account_of(asker)}"
                self._throttle.pay(connection, {subject: OF_OWN_PASSWORD}, self._desk.now())
        except Refusal as refusal:
            self._desk.refused(asker, action, str(asker.account), refusal)
            raise

    # --- logging in -------------------------------------------------------------------------------

    def kinds(self, pending: str) -> set[str]:
        """What who knew the password can show. Raises `NotLoggedIn` where that was too long ago."""
        with self._desk.database.reading() as connection:
            account = pending_account(connection, pending, self._desk.now())
            return {factor.kind for factor in second_factors.of_account(connection, account.id)}

    def log_in(
        self, pending: str, code: str, address: str = "", device: str = "", agent: str = ""
    ) -> LoggedIn:
        """Opens a session by the code of an app, or by a recovery code. Each serves once."""
        account = None
        try:
            with self._desk.database.writing() as connection:
                account = pending_account(connection, pending, self._desk.now())
                limits = factor_limits(connection, account, device)
                self._throttle.pay(connection, limits, self._desk.now())
        except Refusal as refusal:
            self._desk.count_refused("second_factor", refusal, account.id if account else 0)
            raise
        asker = Asker(account=account.id, name=account.name, role=account.role, address=address)
        with self._desk.acting(asker, "second_factor", str(account.id)) as act:
            plain = "".join(code.lower().split()).replace("-", "")
            factor = _app_of(act, account.id, plain)
            if factor is None and not second_factors.take_code(act.connection, account.id, plain):
                raise NotLoggedIn.of("access.refused.factor_code")
            if factor is None:
                act.details["recovery_code"] = True
                tell(act, account.id, "recovery_code")
            return finished(act, account, pending, limits, address, device, agent)


def pending_account(connection: Connection, pending: str, at: datetime) -> Account:
    """Who knew the password of an account a little while ago. Raises `NotLoggedIn`."""
    kept = one_time.get(connection, pending, Purpose.SECOND_FACTOR, at)
    if kept is None or kept.account is None:
        raise NotLoggedIn.of("access.refused.pending")
    account = named(connection, kept.account)
    if account.disabled:
        raise NotLoggedIn.of("access.refused.pending")
    return account


def factor_limits(connection: Connection, account: Account, device: str) -> dict[str, Limit]:
    """What a try at a second factor pays; browsers that were logged in before pay apart."""
    if devices.is_known(connection, device, account.id):
        return {f"factor-device:{hashed(device)[:32]}:{account.id}": OF_FACTOR}
    return {f"factor:{account.id}": OF_FACTOR}


def finished(
    act: Act,
    account: Account,
    pending: str,
    limits: dict[str, Limit],
    address: str,
    device: str,
    agent: str,
) -> LoggedIn:
    """Opens the session of somebody who has shown both; of two at once with one token one gets it.

    What was tried with this password before is forgiven.
    """
    if one_time.take(act.connection, pending, Purpose.SECOND_FACTOR, act.at) is None:
        raise NotLoggedIn.of("access.refused.pending")
    for subject in limits:
        throttle.forget(act.connection, subject)
    return open_session(act, account, address, device, agent)


def added(act: Act, account: int) -> list[str]:
    """What follows from a new factor: its owner is told; the first one brings recovery codes."""
    tell(act, account, "factor_added")
    if second_factors.codes_left(act.connection, account):
        return []
    return _codes(act, account)


def factor_name(name: str) -> str:
    """A name that tells factors apart. Raises `Inconsistent` for one that cannot be shown."""
    plain = name.strip()
    if not plain or not plain.isprintable() or len(plain) > MAX_FACTOR_NAME:
        raise Inconsistent.of("access.refused.factor_name", longest=MAX_FACTOR_NAME)
    return plain


def matching_step(secret: str, code: str, at: datetime) -> int | None:
    """The step of time that a code is of, near a moment; `None` for another code."""
    import pyotp

    plain = "".join(code.split())
    if len(plain) != 6 or not (plain.isascii() and plain.isdigit()):
        return None
    app, now = pyotp.TOTP(secret), int(at.timestamp()) // _STEP
    steps = range(now - _WINDOW, now + _WINDOW + 1)
    fitting = [step for step in steps if hmac.compare_digest(app.generate_otp(step), plain)]
    return fitting[-1] if fitting else None


def _app_of(act: Act, account: int, code: str) -> Factor | None:
    """The app that has shown a code later than its last one; a code serves once."""
    for factor in second_factors.of_account(act.connection, account):
        if factor.kind != TOTP:
            continue
        step = matching_step(factor.secret, code, act.at)
        is_new = step is not None and step > factor.counter
        if is_new and second_factors.used(act.connection, factor, step or 0, act.at):
            return factor
    return None


def _codes(act: Act, account: int) -> list[str]:
    codes = ["".join(secrets.choice(_LETTERS) for _ in range(16)) for _ in range(RECOVERY_CODES)]
    second_factors.put_codes(act.connection, account, codes, act.at)
    return ["-".join(code[i : i + 4] for i in range(0, 16, 4)) for code in codes]


__all__ = ["PASSKEY", "TOTP", "Factors", "NewApp", "SecondFactors"]
