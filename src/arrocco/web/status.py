"""Which HTTP status a refusal has."""

from __future__ import annotations

from arrocco.desk.account_parts import NotLoggedIn
from arrocco.desk.throttle import TooManyAttempts
from arrocco.errors import Illegal, Inconsistent, Malformed, NoLawInForce, Refusal, Unavailable
from arrocco.office.roles import Forbidden

_STATUSES: tuple[tuple[type[Refusal], int], ...] = (
    (Unavailable, 503),
    (NotLoggedIn, 401),
    (TooManyAttempts, 429),
    (Forbidden, 403),
    (Inconsistent, 409),
    (Malformed, 422),
    (Illegal, 422),
    (NoLawInForce, 422),
)
_OTHERWISE = 409
_NO_SUCH_THING = frozenset(
    f"desk.refused.{key}"
    for key in (
        "no_tournament",
        "no_report",
        "no_account",
        "no_draft",
        "no_list",
        "no_player",
        "no_invitation",
        "no_publication",
    )
) | {"office.refused.no_system", "access.refused.link", "access.refused.no_claim"}
"""Refusals that say that what an address names is not there."""


def headers_of(refusal: Refusal | None) -> dict[str, str]:
    """The headers of a refusal: when to ask again, where the server is at fault."""
    if not isinstance(refusal, Unavailable):
        return {}
    return {"retry-after": str(refusal.RETRY_AFTER)}


def status_of(refusal: Refusal) -> int:
    """The status of a refusal; a kind of its own may carry one as `http_status`."""
    own = getattr(refusal, "http_status", None)
    if isinstance(own, int):
        return own
    if refusal.key in _NO_SUCH_THING:
        return 404
    return next((status for kind, status in _STATUSES if isinstance(refusal, kind)), _OTHERWISE)
