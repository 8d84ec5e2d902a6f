"""Which HTTP status a refusal has."""

from __future__ import annotations

from arrocco.errors import Illegal, Inconsistent, Malformed, NoLawInForce, Refusal
from arrocco.office.roles import Forbidden

_STATUSES: tuple[tuple[type[Refusal], int], ...] = (
    (Forbidden, 403),
    (Inconsistent, 409),
    (Malformed, 422),
    (Illegal, 422),
    (NoLawInForce, 422),
)
_OTHERWISE = 409


def status_of(refusal: Refusal) -> int:
    """The status of a refusal; a kind of its own may carry one as `http_status`."""
    own = getattr(refusal, "http_status", None)
    if isinstance(own, int):
        return own
    return next((status for kind, status in _STATUSES if isinstance(refusal, kind)), _OTHERWISE)
