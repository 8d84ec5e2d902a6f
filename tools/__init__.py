"""What developers and the Makefile run; nothing of it is installed."""
