"""The home page: what there is for everybody, and what there is to do for those with an account."""

from __future__ import annotations

from litestar import Response

from arrocco.office.roles import Permission
from arrocco.office.systems import SYSTEMS
from arrocco.web.routes import page
from arrocco.web.view import TheView


@page("/", permission=Permission.LOOK_UP)
def home(view: TheView) -> Response[str]:
    """The systems with their latest lists, the search, the tasks of the asker."""
    systems = [(key, view.office.lists.latest(key)) for key in SYSTEMS]
    alarms = view.request.app.state.operation.watch.alarms
    is_operator = view.may(Permission.SEE_OPERATION)
    return view.page("home.html", systems=systems, alarms=len(alarms) if is_operator else 0)
