"""The playing hall: games, clocks and decisions, by the regulation of online play."""
