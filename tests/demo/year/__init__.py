"""Tests of the invented year."""
