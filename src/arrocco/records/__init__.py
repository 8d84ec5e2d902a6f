"""The records all parts share: reports, batches of reports, rating lists, time controls."""
