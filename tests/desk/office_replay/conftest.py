"""What replays of offices under test share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from arrocco.desk import passwords


@pytest.fixture(scope="module")
def quick() -> Iterator[None]:
    """Neither the disk nor the hashing of passwords is waited for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
        patch.setattr(passwords, "_HASHER", weak)
        yield
