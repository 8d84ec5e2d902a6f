"""The judge: a second, independent implementation of the rating arithmetic, for tests only.

Everything is a `fractions.Fraction` or an `int`, in plain loops, from tables typed again from the
regulations. It shares no code with `arrocco.laws` and `arrocco.engine`: where the two disagree, one
of them misreads the text.
"""
