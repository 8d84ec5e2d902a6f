"""Invented tournaments and lists, one for each regulation: nobody in them exists."""
