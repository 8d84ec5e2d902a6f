"""The history of an office, rated once more under another regulation; the office stays as it is."""
