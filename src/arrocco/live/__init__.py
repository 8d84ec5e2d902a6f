"""The live playing hall: rooms for games and events, one durable log, one source of time."""
