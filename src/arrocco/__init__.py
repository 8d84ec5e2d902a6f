"""Arrocco: the chess rating office and the supervised online playing hall."""

__version__ = "0.1.0"
