"""Where concrete parts are joined into jobs: readers, engine and store."""
