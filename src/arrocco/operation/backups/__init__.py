"""Backups of an office: made, checked by restoring, encrypted, kept elsewhere, and pruned."""
