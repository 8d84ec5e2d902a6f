"""Starts children to be killed, without the second that Python needs to import a program.

Run as a program it has imported all that its children use; for each line on its standard input it
forks one, which is a process of its own like any other: it shares no open file or database with its
parent, and a SIGKILL ends it at once. A line is ``["start", module, arguments, output]`` or
``["wait", pid]``; the answer is the process, or the status it ended with.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
CHILDREN = ("tests.faults.hall_child", "tests.faults.office_child")


class Nursery:
    """The process that forks; close it when no more children are needed."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        environment.pop("ARROCCO_DATABASE", None)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.nursery"],
            env=environment,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, module: str, arguments: Sequence[object], output: Path) -> Child:
        """A new process that runs `main` of a module; what it prints goes to a file."""
        output.write_bytes(b"")  # what another child has said there is not its own
        pid = self._ask("start", module, [str(argument) for argument in arguments], str(output))
        return Child(self, pid, output)

    def wait(self, pid: int) -> int:
        return self._ask("wait", pid)

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def _ask(self, *question: Any) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


class Child:
    """A process that runs until it is killed or done."""

    def __init__(self, nursery: Nursery, pid: int, output: Path) -> None:
        self._nursery, self.pid, self._output = nursery, pid, output

    @property
    def said(self) -> str:
        return self._output.read_text()

    def wait_for(self, line: str, seconds: float = 60) -> None:
        """Waits until it has printed a line."""
        end = time.monotonic() + seconds
        while line not in self.said.splitlines():
            assert time.monotonic() < end, f"{self.pid} has not said {line}: {self.said}"
            time.sleep(0.005)

    def kill(self) -> int:
        """Kills it as a power cut would; gives how it ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        return self.wait()

    def wait(self) -> int:
        """How it ended: its exit status, or the number of the signal below zero."""
        return self._nursery.wait(self.pid)


def _forked(module: str, arguments: list[str], output: str) -> int:
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setsid()
        out = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        for stream in (1, 2):
            os.dup2(out, stream)
        import_module(module).main(arguments)
        sys.stdout.flush()
        status = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(status)


def main() -> None:
    for module in CHILDREN:
        import_module(module)
    for line in sys.stdin:
        kind, *rest = json.loads(line)
        if kind == "start":
            answer = _forked(*rest)
        else:
            answer = os.waitstatus_to_exitcode(os.waitpid(rest[0], 0)[1])
        print(answer, flush=True)


if __name__ == "__main__":
    main()
