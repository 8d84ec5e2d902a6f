"""Watching games (12.1, 12.2): what an engine says of every decision, figures, their limits.

Figures support decisions and bind nobody. Nothing here knows of sanctions, and sanctions import
nothing from here.
"""
