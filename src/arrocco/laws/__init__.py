"""The law: regulations as dated editions, each rule a small function that names its article.

Nothing here reads a file, a clock or the network: the day is always an argument. An edition says
from when to when it is in force; outside every edition `registry.edition_in_force` refuses.
"""
