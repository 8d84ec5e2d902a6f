"""Every number of every edition, changed in a trial edition: something must come out otherwise."""
