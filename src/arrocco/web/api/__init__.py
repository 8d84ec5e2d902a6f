"""The JSON API: every module's handlers are mounted under ``/api/v1``."""
