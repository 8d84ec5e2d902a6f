"""Files of lists as they lie on the disk: streamed, resumable, with their hash as their tag."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Stream

from arrocco.errors import NotFound
from arrocco.formats.lists import formats
from arrocco.office.roles import Permission
from arrocco.web.pages.public_asking import lookup_of, publication_of
from arrocco.web.routes import PERMISSION, UNCOMPRESSED
from arrocco.web.view import TheView

TYPES = {".json": "application/json"} | {each.suffix: each.media_type for each in formats()}
"""Litestar says of text that it is UTF-8."""

_AT_ONCE = 1 << 18
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


@get(
    "/lists/{system:str}/{on:str}/files/{file:str}",
    opt={PERMISSION: Permission.LOOK_UP, UNCOMPRESSED: True},
    include_in_schema=False,
    sync_to_thread=True,
)
def list_file(
    view: TheView, system: FromPath[str], on: FromPath[str], file: FromPath[str]
) -> Response[Any]:
    """A file of a list, or the part of it that is asked for."""
    publication = publication_of(view, system, on)
    file_there = lookup_of(view).file(publication, file)
    if file_there is None:
        raise NotFound.of("public.refused.no_file", file=file[:60])
    path, told = file_there
    name = f"{system}-{publication.list_date}-{told.name}"
    headers = {
        "etag": f'"{told.sha256}"',
        "accept-ranges": "bytes",
        "cache-control": "public, max-age=3600",
        "repr-digest": f"sha-256=:{_base64(told.sha256)}:",
        "content-disposition": f'attachment; filename="{name}"',
    }
    asked = view.request.headers
    if asked.get("if-none-match") in (headers["etag"], "*"):
        return Response(b"", status_code=304, headers=headers)
    fresh = asked.get("if-range", headers["etag"]) == headers["etag"]
    part = _part(asked.get("range", ""), told.size) if fresh else None
    if part == (0, 0) and told.size:
        headers["content-range"] = f"bytes */{told.size}"
        return Response(b"", status_code=416, headers=headers)
    start, end = part or (0, told.size)
    headers["content-length"] = str(end - start)
    if part is not None:
        headers["content-range"] = f"bytes {start}-{end - 1}/{told.size}"
    kind = TYPES.get(path.suffix, "application/octet-stream")
    status = 200 if part is None else 206
    return Stream(_read(path, start, end), status_code=status, headers=headers, media_type=kind)


def _part(asked: str, size: int) -> tuple[int, int] | None:
    """From which byte to which: `None` for all of it, nothing where there is no such part."""
    match = _RANGE.fullmatch(asked.strip())
    if match is None or not (match[1] or match[2]):
        return None
    if not match[1]:
        start, end = max(size - int(match[2]), 0), size
    else:
        start, end = int(match[1]), min(int(match[2]) + 1, size) if match[2] else size
    return (start, end) if start < end else (0, 0)


def _read(path: Path, start: int, end: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        left = end - start
        while left > 0 and (data := file.read(min(_AT_ONCE, left))):
            left -= len(data)
            yield data


def _base64(digest: str) -> str:
    from base64 import b64encode

    return b64encode(bytes.fromhex(digest)).decode()
