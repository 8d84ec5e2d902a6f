"""The FIDE Rating Regulations effective 1 March 2024, chapter by chapter."""
