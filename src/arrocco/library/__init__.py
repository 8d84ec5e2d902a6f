"""The front door for programs: what `import arrocco` offers, in a few plain functions and records.

Nothing is decided here: every function asks the part of the program that does, with the values a
caller has at hand (ratings, results, files, FEN) and answers with small records.
"""
