"""Tests of the FIDE text of 1982-2010; each test is named after its article."""
