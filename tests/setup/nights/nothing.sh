#!/bin/sh
# In place of what takes hours, or changes the machine, in a rehearsal.
exit 0
