"""The FSI regulation of supervised online chess, as far as it can be computed or enforced.

Everything is a pure function of its arguments: moments and durations are given, positions are
judged elsewhere and arrive here as facts (``can_mate``), and what a rule objects to comes back as
stable keys. Its articles 14 and 15, the rating, are `arrocco.laws.rio`.
"""
