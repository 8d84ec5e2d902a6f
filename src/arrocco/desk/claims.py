"""Claims of numbers: decided by an officer, or by a code to the address the office has."""

from __future__ import annotations

import secrets
from datetime import timedelta

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk import mail
from arrocco.desk.account_parts import named, tell
from arrocco.desk.desk import Desk, account_of, merged_numbers
from arrocco.desk.people import People
from arrocco.desk.reasons import check_reason
from arrocco.desk.throttle import OF_CLAIMS, OF_CODES, Throttle
from arrocco.errors import Inconsistent, Refusal
from arrocco.office.addresses import check_email
from arrocco.office.claims import Claim, ClaimOrigin, ClaimState
from arrocco.office.roles import Asker, Permission, Subject, may, require
from arrocco.store.sql import accounts, claims, history, one_time, throttle
from arrocco.store.sql.one_time import Purpose
from arrocco.store.sql.tokens import hashed

CODE_MINUTES = 30
_DIGITS = 8
MAX_NOTE = 1000


class WaitingClaim(Struct, frozen=True, kw_only=True):
    """A claim with what an officer compares."""

    claim: Claim
    name: str
    """Of the account."""
    email: str
    player_name: str
    """On the lists; empty where no list has the number any more."""
    federation: str
    birth: str
    holder: str
    """Who has the number now; empty where nobody has."""


class Claims:
    """Whose number is whose."""

    def __init__(self, desk: Desk, people: People) -> None:
        self._desk, self._people = desk, people
        self._throttle = Throttle()

    # --- asking -----------------------------------------------------------------------------------

    def own(self, asker: Asker) -> list[Claim]:
        """The asker's claims, the newest first."""
        with self._desk.looking(asker, "see_own_account") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            return claims.of_account(connection, account_of(asker))

    def ask(self, asker: Asker, player: int, note: str = "") -> int:
        """Asks the office for a number; the number of the claim."""
        with self._desk.acting(asker, "claim_number", f"player:{player}") as act:
            account = self._may_claim(act.connection, asker, player)
            if len(note) > MAX_NOTE:
                raise Inconsistent.of("access.refused.note", longest=MAX_NOTE)
            self._throttle.pay(act.connection, {f"claims:{account}": OF_CLAIMS}, act.at)
            claim = claims.add(act.connection, account, player, act.at, note=note.strip())
            act.details["claim"] = claim.id
            return claim.id

    def withdraw(self, asker: Asker) -> None:
        """Takes back the asker's claim that waits."""
        with self._desk.acting(asker, "withdraw_claim", str(asker.account)) as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            for claim in claims.of_account(act.connection, account_of(asker)):
                if claim.state is ClaimState.WAITING:
                    state = ClaimState.WITHDRAWN
                    claims.decide(act.connection, claim.id, state, act.at, asker.account)
                    return
            raise Inconsistent.of("access.refused.no_claim")

    def send_code(self, asker: Asker, player: int) -> None:
        """Sends a code to the address that the office has of a player.

        Raises `Inconsistent` where it has none: then an officer decides.
        """
        with self._desk.acting(asker, "send_claim_code", f"player:{player}") as act:
            account = self._may_claim(act.connection, asker, player)
            if accounts.by_player(act.connection, player) is not None:
                raise Inconsistent.of("access.refused.number_taken", player=player)
            email = claims.address_of(act.connection, player)
            if not email:
                raise Inconsistent.of("access.refused.no_address", player=player)
            owner = named(act.connection, account)
            limits = {f"claims:{account}": OF_CLAIMS}
            if owner.email != accounts.same_email(email):
                # Who has confirmed that address already is not held up by others who ask for codes.
                limits[f"codes:{player}"] = OF_CLAIMS
            self._throttle.pay(act.connection, limits, act.at)
            one_time.purge(act.connection, act.at)
            one_time.forget(act.connection, account, Purpose.CLAIM)
            code = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
            until = act.at + timedelta(minutes=CODE_MINUTES)
            token = _code_token(account, player, code)
            one_time.add(act.connection, token, Purpose.CLAIM, until, account=account)
            mail.queue_to(
                act.connection,
                act.at,
                mail.MailKind.CLAIM_CODE,
                email,
                owner.language,
                f"/account/number?player={player}",
                player=player,
                code=code,
                minutes=CODE_MINUTES,
            )

    def enter_code(self, asker: Asker, player: int, code: str) -> None:
        """Takes a number by the code that was sent for it; tries are counted."""
        subject = f"code:{account_of(asker)}"
        try:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            with self._desk.database.writing() as connection:
                self._throttle.pay(connection, {subject: OF_CODES}, self._desk.now())
        except Refusal as refusal:
            self._desk.refused(asker, "enter_claim_code", f"player:{player}", refusal)
            raise
        with self._desk.acting(asker, "enter_claim_code", f"player:{player}") as act:
            account = self._may_claim(act.connection, asker, player)
            token = _code_token(account, player, "".join(code.split()))
            if one_time.take(act.connection, token, Purpose.CLAIM, act.at) is None:
                raise Inconsistent.of("access.refused.code")
            accounts.set_player(act.connection, account, player)
            for claim in claims.of_account(act.connection, account):
                state = ClaimState.ACCEPTED if claim.player == player else ClaimState.WITHDRAWN
                claims.decide(act.connection, claim.id, state, act.at, account)
            claims.add(
                act.connection,
                account,
                player,
                act.at,
                origin=ClaimOrigin.CODE,
                state=ClaimState.ACCEPTED,
            )
            throttle.forget(act.connection, subject)
            tell(act, account, "number")

    def _may_claim(self, connection: Connection, asker: Asker, player: int) -> int:
        require(asker, Permission.SEE_OWN_ACCOUNT)
        account = named(connection, account_of(asker))
        if account.player is not None:
            raise Inconsistent.of("access.refused.has_number", player=account.player)
        if (kept := merged_numbers(connection).get(player, player)) != player:
            raise Inconsistent.of("access.refused.left_number", player=player, kept=kept)
        if not (self._people.on_lists(player) or history.of_player(connection, player)):
            raise Inconsistent.of("desk.refused.no_player", player=player)
        return account.id

    # --- deciding ---------------------------------------------------------------------------------

    def waiting(self, asker: Asker) -> list[WaitingClaim]:
        """Claims that the asker may decide, the oldest first."""
        with self._desk.looking(asker, "see_claims") as connection:
            require(asker, Permission.DECIDE_CLAIM)
            waiting_claims = [
                self._shown(connection, claim) for claim in claims.waiting(connection)
            ]
        return [
            shown
            for shown in waiting_claims
            if may(asker, Permission.DECIDE_CLAIM, _subject(shown.claim.player, shown.federation))
        ]

    def decide(self, asker: Asker, number: int, *, accept: bool, reason: str = "") -> None:
        """Says whether a number is that of the account that claims it.

        A number that another account has must be taken from there first. A refusal has a reason.
        """
        with self._desk.acting(asker, "decide_claim", f"claim:{number}") as act:
            claim = claims.get(act.connection, number)
            if claim is None:
                require(asker, Permission.DECIDE_CLAIM)
                raise Inconsistent.of("access.refused.no_claim")
            self._require(asker, claim.player)
            act.details |= {"player": claim.player, "account": claim.account, "accepted": accept}
            if claim.account == asker.account:
                raise Inconsistent.of("access.refused.own_claim")
            if not accept:
                check_reason(reason)
            state = ClaimState.ACCEPTED if accept else ClaimState.REFUSED
            decided = claims.decide(
                act.connection, number, state, act.at, asker.account, reason.strip()
            )
            if not decided:
                raise Inconsistent.of("access.refused.decided")
            if accept:
                accounts.set_player(act.connection, claim.account, claim.player)
            tell(act, claim.account, "number" if accept else "claim_refused")

    def release(self, asker: Asker, account: int, reason: str) -> None:
        """Takes its number from an account, so that somebody else can have it."""
        with self._desk.acting(asker, "release_number", str(account)) as act:
            owner = named(act.connection, account)
            if owner.player is None:
                require(asker, Permission.DECIDE_CLAIM)
                raise Inconsistent.of("access.refused.no_number")
            self._require(asker, owner.player)
            check_reason(reason)
            act.details |= {"player": owner.player, "reason": reason.strip()}
            accounts.set_player(act.connection, account, None)
            tell(act, account, "number_gone")

    def put_address(self, asker: Asker, player: int, email: str) -> None:
        """Keeps the address of a player, to which codes are sent; an empty one forgets it."""
        with self._desk.acting(asker, "put_player_address", f"player:{player}") as act:
            self._require(asker, player)
            if not email.strip():
                claims.forget_address(act.connection, player)
                return
            check_email(email)
            if not (self._people.on_lists(player) or history.of_player(act.connection, player)):
                raise Inconsistent.of("desk.refused.no_player", player=player)
            claims.put_address(act.connection, player, email, act.at, asker.account)

    def _require(self, asker: Asker, player: int) -> None:
        rows = self._people.on_lists(player).values()
        federation = next((row.federation for row in rows), "")
        require(asker, Permission.DECIDE_CLAIM, _subject(player, federation))

    def _shown(self, connection: Connection, claim: Claim) -> WaitingClaim:
        account = named(connection, claim.account)
        row = next(iter(self._people.on_lists(claim.player).values()), None)
        holder = accounts.by_player(connection, claim.player)
        return WaitingClaim(
            claim=claim,
            name=account.name,
            email=account.email,
            player_name="" if row is None else row.name,
            federation="" if row is None else row.federation,
            birth="" if row is None or not row.birth else str(row.birth),
            holder="" if holder is None else f"{holder.name} ({holder.email})",
        )


def _subject(player: int, federation: str) -> Subject:
    return Subject(federation=federation, player=player)


def _code_token(account: int, player: int, code: str) -> str:
    """What a code is kept by: it opens one number for one account."""
    return hashed(f"{account}:{player}:{code}")
