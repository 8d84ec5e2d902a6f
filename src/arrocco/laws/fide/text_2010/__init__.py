"""The FIDE Rating Regulations of 1982 as amended until 2010, chapter by chapter."""
