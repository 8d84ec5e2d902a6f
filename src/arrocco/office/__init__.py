"""The rating office: registration, report, checks, ledger, list, publication, corrections.

Pure: what is decided here depends on what is given, never on a clock, a file or a database.
"""
