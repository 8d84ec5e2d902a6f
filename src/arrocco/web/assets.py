"""Static files under names that carry their hash, so that browsers may keep them for good.

Two folders are served: ``static`` holds what is written by hand, ``static/built`` what `npm run
build` makes of the scripts in ``frontend``. Without the build every page still informs; the pages
say nothing of scripts that are not there.
"""

from __future__ import annotations

import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from arrocco.office.roles import Permission
from arrocco.web.routes import ANONYMOUS, PERMISSION

STATIC = Path(__file__).parent / "static"
_FOR_GOOD = "public, max-age=31536000, immutable"
_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
_LEFT_OUT = {".gitignore", ".map", ".stamp"}


@dataclass(frozen=True)
class Asset:
    """A file as it is served."""

    data: bytes
    kind: str
    digest: str


class Assets:
    """All static files, read once when the application starts."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._served: dict[str, Asset] = {}
        self._urls: dict[str, str] = {}
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.name not in _LEFT_OUT and file.suffix not in _LEFT_OUT:
                self._take(file, PurePosixPath(file.relative_to(folder).as_posix()))

    def _take(self, file: Path, name: PurePosixPath) -> None:
        data = file.read_bytes()
        digest = hashlib.sha256(data).hexdigest()[:16]
        kind = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
        # Fonts have a hash in their name already: the built style sheets name them so.
        is_font = file.suffix == ".woff2"
        served = str(name) if is_font else f"{name.with_suffix('')}.{digest}{name.suffix}"
        self._served[served] = Asset(data, kind or "application/octet-stream", digest)
        self._urls[str(name)] = f"/static/{served}"

    def url(self, name: str) -> str:
        """The address of a file, ``site.css`` or ``built/site.js``; empty where it was not built.

        Raises `KeyError` for a file written by hand that is not there: that is a defect.
        """
        if name.startswith("built/"):
            return self._urls.get(name, "")
        return self._urls[name]

    def named(self, served: str) -> Asset | None:
        return self._served.get(served)


@get(
    "/static/{name:path}",
    opt={PERMISSION: Permission.LOOK_UP, ANONYMOUS: True},
    include_in_schema=False,
    sync_to_thread=False,
)
def static_file(request: Request[Any, Any, Any], name: FromPath[Path]) -> Response[bytes]:
    """A static file, which may be kept for good: another version has another name."""
    assets: Assets = request.app.state.assets
    asset = assets.named(name.as_posix().lstrip("/"))
    if asset is None:
        raise NotFoundException
    headers = {"cache-control": _FOR_GOOD, "etag": f'"{asset.digest}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(b"", status_code=304, headers=headers)
    return Response(asset.data, media_type=asset.kind, headers=headers)
