"""What holds for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A busy machine must not fail a test: how long an example takes shows nothing here.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
