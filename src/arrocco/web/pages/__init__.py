"""The pages: every module's handlers are mounted under ``/en`` and ``/it``."""
