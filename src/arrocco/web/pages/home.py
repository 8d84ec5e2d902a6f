"""The home page: whose office this is, the newest list with its top and movers, what is played."""

from __future__ import annotations

from typing import NamedTuple

from litestar import Response

from arrocco.laws.systems import SYSTEMS
from arrocco.office.roles import Permission
from arrocco.store.list_view import ViewedPlayer
from arrocco.store.list_view_changes import Moved
from arrocco.store.sql.publications import Publication
from arrocco.web.pages.public_asking import lookup_of
from arrocco.web.routes import page
from arrocco.web.view import TheView, View

TOP = 10
_MOVERS = 5
"""Of those who gained most, and as many of those who lost most."""


class Front(NamedTuple):
    """The newest list of a system, as the home page shows it."""

    system: str
    latest: Publication
    top: list[ViewedPlayer]
    movers: list[Moved]


@page("/", permission=Permission.LOOK_UP)
def home(view: TheView) -> Response[str]:
    """The newest list of a system, the search, and what an operator must see."""
    systems = [(key, view.office.lists.latest(key)) for key in SYSTEMS]
    published = {key: latest for key, latest in systems if latest is not None}
    asked = view.request.query_params.get("system", "")
    system = asked if asked in published else next(iter(published), "")
    alarms = view.request.app.state.operation.watch.alarms
    is_operator = view.may(Permission.SEE_OPERATION)
    return view.page(
        "home.html",
        systems=systems,
        shown=_front(view, system, published[system]) if system else None,
        alarms=len(alarms) if is_operator else 0,
    )


def _front(view: View, system: str, latest: Publication) -> Front:
    top = view.office.lists.public_view(system, latest.list_date).top(TOP)
    lookup = lookup_of(view)
    before = lookup.before(latest)
    if before is None:
        return Front(system, latest, top, [])
    changes = lookup.changes(latest, before)
    lost = changes.page("lost", 0, _MOVERS)
    return Front(system, latest, top, changes.page("gained", 0, _MOVERS) + lost[::-1])
