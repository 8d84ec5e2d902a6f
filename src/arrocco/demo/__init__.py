"""Everything invented: bundled tournaments, federations of any size, a year of an office, an event.

Nobody in it exists. Each part is a command of `arrocco demo`: `bundled` of `show` and `write`,
`generate`, `year` of `office` and `serve`, `event`.
"""
