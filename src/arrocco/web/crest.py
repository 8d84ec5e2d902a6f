"""The office's crest and colour, as files that browsers may keep."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from arrocco.desk import Office
from arrocco.office.roles import Permission
from arrocco.office.settings import is_colour
from arrocco.web.routes import ANONYMOUS, PERMISSION

_FOR_GOOD = "public, max-age=31536000, immutable"


@get(
    "/crest/{name:str}",
    opt={PERMISSION: Permission.LOOK_UP, ANONYMOUS: True},
    include_in_schema=False,
    sync_to_thread=True,
)
def crest_file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """The crest by its hash; another one has another name."""
    office: Office = request.app.state.office
    crest = office.settings.crest(name.removesuffix(".png"))
    if crest is None:
        raise NotFoundException
    return Response(crest, media_type="image/png", headers={"cache-control": _FOR_GOOD})


_COLOURS = """:root {{ --accent: {accent}; --on-accent: #ffffff; }}
@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}
:root[data-theme="dark"] {{ {dark} }}
"""
_DARK = "--accent: color-mix(in oklab, {accent} 42%, white); --on-accent: #141210;"


@get(
    "/colour/{name:str}",
    opt={PERMISSION: Permission.LOOK_UP, ANONYMOUS: True},
    include_in_schema=False,
    sync_to_thread=False,
)
def colour_file(name: FromPath[str]) -> Response[str]:
    """A style sheet of one colour, which its name tells: no page may carry styles in itself."""
    accent = f"#{name.removesuffix('.css')}"
    if not is_colour(accent):
        raise NotFoundException
    sheet = _COLOURS.format(accent=accent, dark=_DARK.format(accent=accent))
    return Response(sheet, media_type="text/css", headers={"cache-control": _FOR_GOOD})
