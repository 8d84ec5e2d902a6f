"""The logs of one process: where they go and in which form.

Whoever writes a record never waits for the disk or for whoever reads standard error: records go
through a bounded queue to a thread that writes them. What does not fit is dropped and counted.
"""

from __future__ import annotations

import atexit
import logging
import logging.config
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Literal, NamedTuple

from arrocco.operation.log_context import AddContext
from arrocco.operation.log_formats import AccessText, JsonLines, TextLines

ACCESS = "arrocco.access"
OFF, TO_STDERR = "off", "-"
MAX_QUEUED = 10_000
"""Records that may wait to be written."""
FILE_BYTES, FILES_KEPT = 20 * 1024 * 1024, 10
"""An access log takes at most 220 MB: the file that is written and the ten before it."""
_LAST_WORDS = 3.0
"""Seconds in which a process that ends writes what waits."""
LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("text", "json")


class LogSettings(NamedTuple):
    """What is logged, and how."""

    format: Literal["text", "json"] = "text"
    level: str = "warning"
    access: str = OFF
    """``off``, ``-`` for standard error, or the file."""


class LogCounts:
    """How many records of each level there were, when the last error was, what was dropped."""

    def __init__(self) -> None:
        self.by_level: dict[str, int] = {}
        self.dropped = 0
        self.last_error = 0.0
        self.last_error_request = ""

    def count(self, record: logging.LogRecord) -> None:
        level = record.levelname.lower()
        self.by_level[level] = self.by_level.get(level, 0) + 1
        if record.levelno >= logging.ERROR:
            self.last_error = record.created
            self.last_error_request = getattr(record, "request_id", "")


counts = LogCounts()
"""Of this process."""


class Logs:
    """The logs of this process; `close` writes what waits."""

    def __init__(self, settings: LogSettings, process: str = "site") -> None:
        self.settings = settings
        queue: Queue[logging.LogRecord] = Queue(MAX_QUEUED)
        self._listener = _Listener(queue, *_writers(settings), respect_handler_level=True)
        access = logging.INFO if settings.access != OFF else logging.CRITICAL + 1
        logging.config.dictConfig(
            {
                "version": 1,
                "disable_existing_loggers": False,
                "filters": {"context": {"()": AddContext, "process": process}},
                "handlers": {"queue": {"()": _Queued, "queue": queue, "filters": ["context"]}},
                "root": {"level": settings.level.upper(), "handlers": ["queue"]},
                "loggers": {
                    ACCESS: {"level": access, "handlers": ["queue"], "propagate": False},
                    "uvicorn.access": {"level": "CRITICAL"},
                },
            }
        )
        self._listener.start()
        atexit.register(self.close)

    def close(self) -> None:
        """Writes what waits; records that come later go nowhere."""
        atexit.unregister(self.close)
        if self._listener is None:
            return
        listener, self._listener = self._listener, None  # type: ignore[assignment]
        for logger in (logging.getLogger(), logging.getLogger(ACCESS)):
            for queued in [h for h in logger.handlers if isinstance(h, _Queued)]:
                logger.removeHandler(queued)
        listener.stop()
        for handler in listener.handlers:
            if isinstance(handler, RotatingFileHandler):
                handler.close()


class _Queued(QueueHandler):
    """Hands a record over as it is, its traceback as text: it may hold on to nothing."""

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        record.msg, record.args = record.getMessage(), None
        if record.exc_info:
            record.exc_text = record.exc_text or _formatter.formatException(record.exc_info)
            record.exc_info = None
        return record

    def enqueue(self, record: logging.LogRecord) -> None:
        if record.name != ACCESS:
            counts.count(record)
        try:
            self.queue.put_nowait(record)
        except Full:
            counts.dropped += 1


_formatter = logging.Formatter()


class _Listener(QueueListener):
    """Ends also when its queue is full, as it is when nobody reads standard error."""

    def enqueue_sentinel(self) -> None:
        while True:
            try:
                self.queue.put_nowait(None)
            except Full:
                with suppress(Empty):
                    self.queue.get(block=False)  # type: ignore[call-arg]
                counts.dropped += 1
            else:
                return

    def stop(self) -> None:
        self.enqueue_sentinel()
        if self._thread is not None:
            self._thread.join(_LAST_WORDS)  # it may wait for a reader who never comes
            self._thread = None


def _writers(settings: LogSettings) -> list[logging.Handler]:
    main = logging.StreamHandler(sys.stderr)
    main.setFormatter(JsonLines() if settings.format == "json" else TextLines())
    main.addFilter(lambda record: record.name != ACCESS)
    if settings.access == OFF:
        return [main]
    if settings.access == TO_STDERR:
        access: logging.Handler = logging.StreamHandler(sys.stderr)
    else:
        access = _PrivateFile(
            settings.access, maxBytes=FILE_BYTES, backupCount=FILES_KEPT, encoding="utf-8"
        )
    access.setFormatter(JsonLines() if settings.format == "json" else AccessText())
    access.addFilter(lambda record: record.name == ACCESS)
    return [main, access]


class _PrivateFile(RotatingFileHandler):
    """A file that only its owner can read; one that an operator has moved away is made anew."""

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(handle, "a", encoding="utf-8")

    def emit(self, record: logging.LogRecord) -> None:
        if not Path(self.baseFilename).exists():
            if self.stream is not None:
                self.stream.close()
            self.stream = self._open()
        super().emit(record)
