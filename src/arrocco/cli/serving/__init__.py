"""`arrocco serve` from within: a small parent, a process for the site, one for live games."""
