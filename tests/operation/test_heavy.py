"""Heavy work: bounded in time, memory, number, and in who may fill the queue."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from arrocco.errors import Illegal
from arrocco.operation.heavy import (
    HeavyWork,
    Job,
    JobFailed,
    QueueFull,
    TooManyJobs,
    WorkersStopped,
)

MANY_SECONDS = 60.0


def add(one: int, other: int) -> int:
    return one + other


def refuse() -> None:
    raise Illegal.of("calc_pages.refused.too_many", most=7)


def fill_memory() -> int:
    return len(bytearray(1 << 30))


def end_at_once() -> None:
    os._exit(3)


def not_picklable() -> object:
    return lambda: None


def process_and_priority() -> tuple[int, int]:
    return os.getpid(), os.getpriority(os.PRIO_PROCESS, 0)


@pytest.fixture(scope="module")
def shared() -> Iterator[HeavyWork]:
    with closing(HeavyWork(workers=1, deadline=MANY_SECONDS, max_memory=700 << 20)) as made:
        yield made


@pytest.fixture
def heavy() -> Iterator[HeavyWork]:
    made = HeavyWork(workers=1, deadline=0.5, max_waiting=4, max_of_one=2)
    with closing(made):
        yield made


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + MANY_SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_work_is_done_in_another_process_of_lower_priority(shared: HeavyWork) -> None:
    assert shared.submit("a", add, 2, 3).outcome() == 5
    process, priority = shared.submit("a", process_and_priority).outcome()
    assert process != os.getpid()
    assert priority > os.getpriority(os.PRIO_PROCESS, 0) or priority == 19


def test_a_refusal_comes_back_with_its_key_and_details(shared: HeavyWork) -> None:
    refusal = shared.submit("a", refuse).outcome()
    assert isinstance(refusal, Illegal)
    assert (refusal.key, refusal.details) == ("calc_pages.refused.too_many", {"most": 7})
    assert "7" in refusal.said("it")[0]


def test_what_cannot_be_handed_back_is_an_error_of_its_own_job(shared: HeavyWork) -> None:
    with pytest.raises((AttributeError, pickle.PicklingError)):
        shared.submit("a", not_picklable).outcome()
    assert shared.submit("a", add, 1, 1).outcome() == 2


@pytest.mark.parametrize("work", [fill_memory, end_at_once])
def test_what_needs_too_much_memory_is_refused_and_the_next_job_runs(
    shared: HeavyWork, work: Callable[[], object]
) -> None:
    failed = shared.submit("a", work).outcome()
    assert isinstance(failed, JobFailed)
    assert failed.key == "heavy.refused.too_much"
    assert shared.submit("a", add, 1, 1).outcome() == 2


def test_what_takes_too_long_is_killed_and_the_next_job_runs(heavy: HeavyWork) -> None:
    process, _ = heavy.submit("a", process_and_priority).outcome()
    failed = heavy.submit("a", time.sleep, MANY_SECONDS).outcome()
    assert isinstance(failed, JobFailed)
    assert failed.key == "heavy.refused.too_long"
    assert failed.said("en")[1]
    other, _ = heavy.submit("a", process_and_priority).outcome()
    assert other != process
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_the_queue_has_an_end_and_nobody_fills_it_alone(heavy: HeavyWork) -> None:
    def slow(owner: str) -> Job:
        return heavy.submit(owner, time.sleep, MANY_SECONDS, deadline=MANY_SECONDS)

    first = slow("a")
    until(first.future.running)
    second, third = slow("b"), slow("a")
    assert [heavy.place(job) for job in (first, second, third)] == [0, 1, 2]
    with pytest.raises(TooManyJobs) as too_many:
        slow("a")
    assert too_many.value.RETRY_AFTER > 0
    slow("b")
    with pytest.raises(QueueFull) as full:
        slow("c")
    assert full.value.details == {"waiting": 4}
    first.future.cancel()
    until(lambda: heavy.place(second) == 0)
    assert heavy.place(third) == 1


def test_a_job_is_found_by_its_owner_alone(shared: HeavyWork) -> None:
    job = shared.submit("a", add, 1, 2)
    assert shared.find(job.token, "a") is job
    assert shared.find(job.token, "b") is None
    assert shared.find("nothing", "a") is None
    assert job.outcome() == 3
    shared.forget(job)
    assert shared.find(job.token, "a") is None


def test_closing_ends_all_processes() -> None:
    heavy = HeavyWork(workers=1)
    process, _ = heavy.submit("a", process_and_priority).outcome()
    job = heavy.submit("a", time.sleep, MANY_SECONDS)
    until(job.future.running)
    heavy.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert isinstance(job.outcome(), WorkersStopped)
