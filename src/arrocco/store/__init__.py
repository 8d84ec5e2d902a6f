"""Where things are kept: lists and calculations in Parquet, content that never changes."""
