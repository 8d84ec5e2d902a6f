"""Help: the handbooks of the roles, with pictures."""

from __future__ import annotations

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from arrocco.office.roles import Permission, Role
from arrocco.web.handbooks import HANDBOOKS, handbook, title
from arrocco.web.handbooks.pictures import PICTURES, file_name
from arrocco.web.routes import page
from arrocco.web.view import TheView

_OF_ROLE = {
    Role.PLAYER: ("player",),
    Role.ARBITER: ("arbiter", "organiser"),
    Role.FEDERATION_OFFICER: ("federation-officer", "organiser", "statistician"),
    Role.RATING_ADMINISTRATOR: ("rating-officer", "statistician"),
    Role.SYSTEM_ADMINISTRATOR: ("operator",),
    Role.HEAD_OF_OFFICE: ("rating-officer", "operator"),
}
"""The handbooks that are shown first to whom."""


@page("/help", permission=Permission.LOOK_UP)
def handbooks(view: TheView) -> Response[str]:
    """All handbooks; one's own first."""
    own = _OF_ROLE.get(view.asker.role, ())
    names = [*own, *(name for name in HANDBOOKS if name not in own)]
    books = [(name, title(view.language, name), name in own) for name in names]
    return view.page("help/all.html", books=books)


@page("/help/{name:str}", permission=Permission.LOOK_UP)
def one_handbook(view: TheView, name: FromPath[str]) -> Response[str]:
    """A handbook."""
    if name not in HANDBOOKS:
        raise NotFoundException

    def picture(key: str) -> tuple[str, int, int]:
        shown = PICTURES[key]
        return view.asset(f"help/{file_name(view.language, key)}"), shown.width, shown.height

    book = handbook(view.language, name, view.url, picture)
    return view.page("help/one.html", book=book)
