"""An act that the program does not have, to try how little has to be written for one."""
