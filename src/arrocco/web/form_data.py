"""Forms as they come over the wire, parsed once for the guard and the handler.

Nothing that grows with what a stranger sends runs in the event loop: a body of more than a few
kilobytes is parsed in a thread, the number of fields is bounded before, and files go to the disk.
Nothing is kept after the answer: bodies of the log-in page hold passwords.
"""

from __future__ import annotations

from collections import defaultdict
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from urllib.parse import parse_qsl

from anyio import to_thread
from litestar import Request
from litestar.datastructures import UploadFile
from litestar.enums import RequestEncodingType
from litestar.exceptions import ClientException
from litestar.types import Scope
from litestar.utils.scope.state import ScopeState
from multipart import (  # type: ignore[import-untyped]
    MultipartSegment,
    PushMultipartParser,
)

MAX_FIELDS = 1000
"""Fields of one form: the longest page of corrections and rules has a tenth of that."""
_AT_ONCE = 4096
"""Bytes of a form that are parsed in the event loop: a thread would cost more."""
_CHUNK = 1 << 18
_FORM = "arrocco_form"

FormData = dict[str, list[str | UploadFile]]


async def form_data(request: Request[Any, Any, Any]) -> FormData:
    """The fields of the form a request carries, each with all its values; none without a form.

    Raises `ClientException` for a body that is no form, or has too many fields.
    """
    known: FormData | None = request.state.get(_FORM)
    if known is not None:
        return known
    kind, options = request.content_type
    fields: FormData = {}
    if kind == RequestEncodingType.URL_ENCODED:
        fields = await _urlencoded(await request.body())
    elif kind == RequestEncodingType.MULTI_PART:
        boundary = options.get("boundary", "")
        if not boundary:
            raise ClientException("no boundary")
        fields = await _multipart(request, boundary)
    request.state[_FORM] = fields
    # Handlers that name their body's type get it from here instead of parsing it again.
    state = ScopeState.from_scope(request.scope)
    single: Any = {name: v if len(v) > 1 else v[0] for name, v in fields.items()}
    state.form = single
    return fields


def close_form(scope: Scope) -> None:
    """Takes away the files of a form once it is answered."""
    fields: FormData = scope.get("state", {}).pop(_FORM, None) or {}
    _close(fields)


async def _urlencoded(body: bytes) -> FormData:
    if body.count(b"&") >= MAX_FIELDS:
        raise ClientException("too many fields")
    if len(body) <= _AT_ONCE:
        return parse_urlencoded(body)
    return await to_thread.run_sync(parse_urlencoded, body)


def parse_urlencoded(body: bytes) -> FormData:
    """The fields of a body of `application/x-www-form-urlencoded`."""
    fields: FormData = defaultdict(list)
    for name, value in parse_qsl(body.decode("latin-1"), keep_blank_values=True):
        fields[name].append(value)
    return dict(fields)


async def _multipart(request: Request[Any, Any, Any], boundary: str) -> FormData:
    """Takes the body to the disk as it comes, then parses it in a thread."""
    with SpooledTemporaryFile(max_size=_CHUNK) as file:
        waiting = bytearray()
        async for chunk in request.stream():
            waiting += chunk
            if len(waiting) >= _CHUNK:
                await to_thread.run_sync(file.write, bytes(waiting))
                waiting.clear()
        file.write(waiting)
        return await to_thread.run_sync(parse_multipart, file, boundary)


def parse_multipart(file: IO[bytes], boundary: str) -> FormData:
    """The fields of a body of `multipart/form-data`; those with a file name become files."""
    fields: FormData = defaultdict(list)
    segment: MultipartSegment | None = None
    text, upload = bytearray(), None
    file.seek(0)
    try:
        with PushMultipartParser(boundary.encode(), max_segment_count=MAX_FIELDS) as parser:
            while not parser.closed:
                for part in parser.parse(file.read(_CHUNK)):
                    if isinstance(part, MultipartSegment):
                        segment, text, upload = part, bytearray(), _upload(part)
                        if upload is not None:
                            fields[part.name].append(upload)
                    elif part and upload is not None:
                        upload.file.write(part)
                    elif part:
                        text += part
                    elif upload is not None:
                        upload.file.seek(0)
                    elif segment is not None:
                        # In the encoding of the page, as browsers do. What a part says of its own
                        # is not believed: punycode takes a time that grows with the square.
                        fields[segment.name].append(text.decode())
    except ValueError as error:  # no form, too many fields, not text
        _close(fields)
        raise ClientException("no form") from error
    return dict(fields)


def _upload(segment: MultipartSegment) -> UploadFile | None:
    if not segment.filename:
        return None
    return UploadFile(segment.content_type or "text/plain", segment.filename)


def _close(fields: FormData) -> None:
    for values in fields.values():
        for value in values:
            if isinstance(value, UploadFile):
                value.file.close()
