"""Work that goes on while other work is done: an iterator that is a few steps ahead."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Queue
from threading import Event, Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Ahead(Generic[T]):
    """Takes items from an iterator in a thread of its own, at most so many before they are asked.

    What goes wrong there is raised where the item is asked for. `close` stops it early.
    """

    def __init__(self, items: Iterator[T], most: int = 4) -> None:
        self._items, self._stopped = items, Event()
        self._queue: Queue[tuple[str, object]] = Queue(most)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            for item in self._items:
                if self._stopped.is_set():
                    return
                self._queue.put(("item", item))
            self._queue.put(("end", None))
        except BaseException as error:  # handed over, whatever it is
            self._queue.put(("error", error))

    def __iter__(self) -> Iterator[T]:
        while True:
            what, value = self._queue.get()
            if what == "end":
                return
            if what == "error":
                assert isinstance(value, BaseException)
                raise value
            yield value  # type: ignore[misc]

    def close(self) -> None:
        """Lets the thread end without anybody taking what it still has."""
        self._stopped.set()
        while self._thread.is_alive():
            while not self._queue.empty():
                self._queue.get_nowait()
            self._thread.join(0.05)
