"""Every game of an event watched by an engine, while it runs and afterwards (12.1, 12.2).

A process of its own, behind all others: it reads the hall's logs and writes into the office's
database, and no clock waits for it. What it finds out is shown to the chief arbiter and the
committee alone, decides nothing, and is imported by nothing that decides.
"""
