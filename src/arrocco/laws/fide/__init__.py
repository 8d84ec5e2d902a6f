"""FIDE's rating regulations, one folder for each text, one class for each edition of it."""
