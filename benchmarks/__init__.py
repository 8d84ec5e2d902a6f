"""Measurements: `python -m benchmarks` runs every module here and prints what it found."""
