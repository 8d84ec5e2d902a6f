"""An act of an event that the program does not have, for `tests/hall/test_trial_act.py`."""
