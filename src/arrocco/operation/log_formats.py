"""Log records as lines: JSON for programs, text for people; times in UTC to the millisecond."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any

import msgspec

from arrocco.operation.scrubbing import scrubbed

FIELDS = tuple(
    """
    request_id method route path status bytes ms address game event stream alarm state
""".split()
)
"""What a record may carry beside its message, in the order in which it is written."""


def utc_time(seconds: float) -> str:
    """A moment in UTC, to the millisecond: ``2026-11-16T15:08:15.123Z``."""
    moment = datetime.fromtimestamp(seconds, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    return {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": utc_time(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": getattr(record, "process_name", ""),
            "message": scrubbed(record.getMessage()),
        }
        for name, value in fields_of(record).items():
            line[name] = scrubbed(value) if isinstance(value, str) else value
        if exception := self._exception(record):
            line["exception"] = scrubbed(exception)
        return msgspec.json.encode(line, enc_hook=str).decode()

    def _exception(self, record: logging.LogRecord) -> str:
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        return record.exc_text or ""


class TextLines(JsonLines):
    """The same for people: time, level, logger, message, then the fields; a traceback follows."""

    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{name}={_plain(value)}" for name, value in fields_of(record).items())
        line = f"{utc_time(record.created)} {record.levelname} {record.name}: "
        line += _one_line(record.getMessage()) + (f" [{fields}]" if fields else "")
        exception = self._exception(record)
        return scrubbed(line + (f"\n{exception}" if exception else ""))


class AccessText(logging.Formatter):
    """A line of the access log for people; what a client sent can end no line and begin none."""

    def format(self, record: logging.LogRecord) -> str:
        fields = fields_of(record)
        names = ("address", "method", "path", "status", "bytes", "ms", "request_id")
        parts = (_plain(fields.get(name, "-")) for name in names)
        return scrubbed(f"{utc_time(record.created)} {' '.join(parts)}")


def _plain(value: object) -> str:
    return _one_line(str(value)).replace(" ", "%20") or "-"


def _one_line(text: str) -> str:
    """Without what would end the line or move a terminal's cursor."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
