"""What every log record written while a request is answered carries: its id and its route."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_ID_BYTES = 8
_SANE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")

_context: ContextVar[dict[str, Any] | None] = ContextVar("arrocco_log_context", default=None)


def new_request_id() -> str:
    """An id that no other request of these years has."""
    return secrets.token_hex(_ID_BYTES)


def is_sane_id(text: str) -> bool:
    """Whether an id from a proxy can stand in headers, logs and pages as it is."""
    return _SANE_ID.fullmatch(text) is not None


def current_request_id() -> str:
    """The id of the request that is being answered; empty outside of one."""
    context = _context.get()
    return "" if context is None else context.get("request_id", "")


@contextmanager
def log_context(**fields: Any) -> Iterator[dict[str, Any]]:
    """Gives these fields to every record written within, also in tasks and threads begun there.

    The dictionary it gives can be added to while the request is answered.
    """
    before = _context.get()
    context = fields if before is None else before | fields
    token = _context.set(context)
    try:
        yield context
    finally:
        _context.reset(token)


def add_to_log_context(**fields: Any) -> None:
    """Gives more fields to the records of the request that is being answered."""
    context = _context.get()
    if context is not None:
        context.update(fields)


class AddContext(logging.Filter):
    """Writes the context's fields, and the name of the process, into each record."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self._process = process

    def filter(self, record: logging.LogRecord) -> bool:
        record.process_name = self._process
        for name, value in (_context.get() or {}).items():
            if not hasattr(record, name):
                setattr(record, name, value)
        return True
