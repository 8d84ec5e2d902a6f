"""The search for a helpmate once more, in Python: the judge of the compiled one."""
