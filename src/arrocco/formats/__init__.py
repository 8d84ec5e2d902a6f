"""Files in and out: reports of tournaments, rating lists, games. Bytes become plain records here.

Every reader says what it could not take, where and why; none guesses and none breaks on bad input.
"""
