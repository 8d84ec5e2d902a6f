"""Starts and stops Apache Spark quietly, and says what is missing where it cannot start."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arrocco.errors import Refusal
from arrocco.words import Phrase

OLDEST_JAVA = 17
LOOPBACK = "127.0.0.1"
BRIEF_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Java only hands out tasks here; without its long warm-up a run costs it 4 s of CPU, not 7."""


def require_spark() -> None:
    """Raises `Refusal` with what to install when Spark or its Java is missing."""
    if find_spec("pyspark") is None:
        raise Refusal.of("period.refused.no_spark")
    version = java_version()
    if version is None:
        raise Refusal.of("period.refused.no_java", oldest=OLDEST_JAVA)
    if version < OLDEST_JAVA:
        raise Refusal.of("period.refused.old_java", oldest=OLDEST_JAVA, version=version)


def java_version() -> int | None:
    """The version of the Java that Spark would start; `None` where there is none that runs."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if java is None:
        return None
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    number = re.search(r'version "(?:1\.)?(\d+)', said.stderr)
    return int(number[1]) if number and said.returncode == 0 else None


@contextmanager
def spark_context(master: str) -> Iterator[Any]:
    """A Spark context on a master, stopped at the end; what fails in Spark becomes a `Refusal`."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    context = None
    try:
        context = _started(master)
        yield context
    except (Py4JError, PySparkException) as error:
        raise _refusal(master, error) from error
    finally:
        if context is not None:
            context.stop()


def _started(master: str) -> Any:
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway

    settings = {
        "spark.app.name": "arrocco",
        "spark.master": master,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # All sums come back to one place; how many bytes they are is bound by the players.
        "spark.driver.maxResultSize": "0",
    }
    if master.startswith("local"):
        # Nobody outside this machine has any business with a run that stays on it.
        os.environ.setdefault("SPARK_LOCAL_IP", LOOPBACK)
        settings |= {
            "spark.driver.bindAddress": LOOPBACK,
            "spark.driver.host": LOOPBACK,
            "spark.driver.extraJavaOptions": BRIEF_JAVA,
            "spark.executor.extraJavaOptions": BRIEF_JAVA,
        }
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf().setAll(list(settings.items()))
    if SparkContext._gateway is None:
        with log_file().open("ab") as log:
            gateway = launch_gateway(conf, {"stdout": log, "stderr": log})  # type: ignore[no-untyped-call]
        return SparkContext(conf=conf, gateway=gateway)
    return SparkContext(conf=conf)


@cache
def log_file() -> Path:
    """Where Spark writes its own messages: a file that goes away unless a refusal names it."""
    handle, name = tempfile.mkstemp(prefix="arrocco-spark-", suffix=".log")
    os.close(handle)
    path = Path(name)
    atexit.register(path.unlink, missing_ok=True)
    return path


def _refusal(master: str, error: Exception) -> Refusal:
    atexit.unregister(log_file().unlink)
    java = getattr(error, "java_exception", None)
    words = java.getMessage() if java is not None else str(error)
    reason = gist(words) or Phrase("period.no_reason")
    return Refusal.of("period.refused.spark_gave_up", master=master, reason=reason, log=log_file())


def gist(words: str) -> str:
    """The one line of a message that tells most: of a Python traceback, the error at its end."""
    lines = [line for line in words.splitlines() if line.strip()]
    traces = [i for i, line in enumerate(lines) if "Traceback (most recent call last)" in line]
    for line in lines[traces[-1] + 1 :] if traces else []:
        if not line.startswith(" "):
            return line
    return lines[0] if lines else ""
