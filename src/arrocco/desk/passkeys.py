"""Passkeys (WebAuthn) as a second factor: a key in the browser's or the telephone's keeping.

A challenge serves once and for one account; the answer must come from this site's own pages.
"""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlsplit

from msgspec import Struct
from sqlalchemy.exc import IntegrityError

from arrocco.desk.account_parts import LoggedIn, NotLoggedIn, named
from arrocco.desk.desk import Desk, account_of
from arrocco.desk.second_factor import (
    MAX_FACTORS,
    SETTING_UP_MINUTES,
    added,
    factor_limits,
    factor_name,
    finished,
    pending_account,
)
from arrocco.desk.throttle import Throttle
from arrocco.errors import Inconsistent, Refusal
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.sql import one_time, second_factors
from arrocco.store.sql.one_time import Purpose
from arrocco.store.sql.second_factors import PASSKEY, Factor
from arrocco.store.sql.tokens import hashed, new_token

ANSWER_MINUTES = 10
MAX_ANSWER = 20_000
"""Characters of what a browser answers."""


class Challenge(Struct, frozen=True, kw_only=True):
    """What a browser is asked, and the token under which the answer is expected."""

    attempt: str
    options: str
    """JSON, as ``navigator.credentials`` wants it."""


class Passkeys:
    """Keys that browsers keep; `site` is the address of the site as the browser knows it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._throttle = Throttle()

    # --- setting one up ---------------------------------------------------------------------------

    def begin(self, asker: Asker, site: str, office: str) -> Challenge:
        """Asks the browser for a new key."""
        from webauthn import generate_registration_options, options_to_json
        from webauthn.helpers.structs import (
            AuthenticatorSelectionCriteria,
            PublicKeyCredentialDescriptor,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        with self._desk.database.writing() as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            account = named(connection, account_of(asker))
            options = generate_registration_options(
                rp_id=_host(site),
                rp_name=office,
                user_name=account.email,
                user_display_name=account.name,
                user_id=hashed(f"passkey user {account.id}").encode()[:64],
                authenticator_selection=AuthenticatorSelectionCriteria(
                    resident_key=ResidentKeyRequirement.DISCOURAGED,
                    user_verification=UserVerificationRequirement.PREFERRED,
                ),
                exclude_credentials=[
                    PublicKeyCredentialDescriptor(id=_bytes(factor.credential or ""))
                    for factor in second_factors.of_account(connection, account.id)
                    if factor.kind == PASSKEY
                ],
            )
            now, attempt = self._desk.now(), new_token()
            one_time.purge(connection, now)
            one_time.forget(connection, account.id, Purpose.NEW_PASSKEY)
            until = now + timedelta(minutes=SETTING_UP_MINUTES)
            one_time.add(
                connection,
                attempt,
                Purpose.NEW_PASSKEY,
                until,
                account=account.id,
                body={"challenge": _text(options.challenge)},
            )
        return Challenge(attempt=attempt, options=options_to_json(options))

    def add(self, asker: Asker, attempt: str, answer: str, name: str, site: str) -> list[str]:
        """Takes the key that the browser has made; recovery codes where it is the first factor."""
        from webauthn import verify_registration_response
        from webauthn.helpers.exceptions import WebAuthnException

        with self._desk.acting(asker, "add_passkey", str(asker.account)) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            account = account_of(asker)
            kept = one_time.take(act.connection, attempt, Purpose.NEW_PASSKEY, act.at)
            if kept is None or kept.account != account:
                raise Inconsistent.of("access.refused.setting_up")
            if len(second_factors.of_account(act.connection, account)) >= MAX_FACTORS:
                raise Inconsistent.of("access.refused.many_factors", most=MAX_FACTORS)
            try:
                made = verify_registration_response(
                    credential=answer[:MAX_ANSWER],
                    expected_challenge=_bytes(_challenge(kept)),
                    expected_rp_id=_host(site),
                    expected_origin=site,
                )
            except (WebAuthnException, ValueError, KeyError, TypeError):
                raise NotLoggedIn.of("access.refused.passkey") from None
            try:
                with act.connection.begin_nested():
                    second_factors.add(
                        act.connection,
                        account,
                        PASSKEY,
                        factor_name(name),
                        _text(made.credential_public_key),
                        act.at,
                        credential=_text(made.credential_id),
                        counter=made.sign_count,
                    )
            except IntegrityError:
                raise Inconsistent.of("access.refused.passkey_known") from None
            return added(act, account)

    # --- logging in -------------------------------------------------------------------------------

    def challenge(self, pending: str, site: str) -> Challenge | None:
        """What who knew the password is asked; `None` where the account has no passkey."""
        from webauthn import generate_authentication_options, options_to_json
        from webauthn.helpers.structs import PublicKeyCredentialDescriptor

        with self._desk.database.writing() as connection:
            now = self._desk.now()
            account = pending_account(connection, pending, now)
            factors = second_factors.of_account(connection, account.id)
            keys = [factor for factor in factors if factor.kind == PASSKEY]
            if not keys:
                return None
            options = generate_authentication_options(
                rp_id=_host(site),
                allow_credentials=[
                    PublicKeyCredentialDescriptor(id=_bytes(key.credential or "")) for key in keys
                ],
            )
            attempt = new_token()
            until = now + timedelta(minutes=ANSWER_MINUTES)
            one_time.add(
                connection,
                attempt,
                Purpose.PASSKEY,
                until,
                account=account.id,
                body={"challenge": _text(options.challenge)},
            )
        return Challenge(attempt=attempt, options=options_to_json(options))

    def log_in(
        self,
        pending: str,
        attempt: str,
        answer: str,
        site: str,
        address: str = "",
        device: str = "",
        agent: str = "",
    ) -> LoggedIn:
        """Opens a session by the answer of a passkey; a challenge is answered once."""
        account = None
        try:
            with self._desk.database.writing() as connection:
                now = self._desk.now()
                account = pending_account(connection, pending, now)
                limits = factor_limits(connection, account, device)
                self._throttle.pay(connection, limits, now)
                kept = one_time.take(connection, attempt, Purpose.PASSKEY, now)
            if kept is None or kept.account != account.id:
                raise NotLoggedIn.of("access.refused.passkey")
        except Refusal as refusal:
            self._desk.count_refused("second_factor", refusal, account.id if account else 0)
            raise
        asker = Asker(account=account.id, name=account.name, role=account.role, address=address)
        with self._desk.acting(asker, "second_factor", str(account.id)) as act:
            keys = second_factors.of_account(act.connection, account.id)
            key, counter = _verified(keys, answer, _challenge(kept), site)
            if not second_factors.used(act.connection, key, counter, act.at):
                raise NotLoggedIn.of("access.refused.passkey")
            act.details["passkey"] = key.name
            return finished(act, account, pending, limits, address, device, agent)


def _verified(keys: list[Factor], answer: str, challenge: str, site: str) -> tuple[Factor, int]:
    """The key that an answer is of, and its counter. Raises `NotLoggedIn`."""
    from webauthn import verify_authentication_response
    from webauthn.helpers import parse_authentication_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        given = parse_authentication_credential_json(answer[:MAX_ANSWER])
        key = next(key for key in keys if key.credential == _text(given.raw_id))
        seen = verify_authentication_response(
            credential=given,
            expected_challenge=_bytes(challenge),
            expected_rp_id=_host(site),
            expected_origin=site,
            credential_public_key=_bytes(key.secret),
            credential_current_sign_count=key.counter,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError, StopIteration):
        raise NotLoggedIn.of("access.refused.passkey") from None
    return key, seen.new_sign_count


def _challenge(kept: one_time.OneTime) -> str:
    return str(kept.body["challenge"])


def _host(site: str) -> str:
    return urlsplit(site).hostname or ""


def _text(data: bytes) -> str:
    from webauthn.helpers import bytes_to_base64url

    return bytes_to_base64url(data)


def _bytes(text: str) -> bytes:
    from webauthn.helpers import base64url_to_bytes

    return base64url_to_bytes(text)
