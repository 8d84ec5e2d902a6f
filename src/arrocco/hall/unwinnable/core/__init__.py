"""The compiled search: its sources, and what builds them."""
