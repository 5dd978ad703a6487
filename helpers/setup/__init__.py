"""The first run: finds a Python, creates the virtual environment and installs the pinned packages.

Entry points: `bootstrap.prepare` (every start goes through it), `provision.set_up` (the slow path).
`bootstrap` and `virtualenv` are read by any Python 3.6 and import only `os`, `signal` and `sys`.

A fresh set-up takes two to four minutes: 95 s of processor time, the rest is the network. PySpark is
published as source only (450 MB). pip makes an uncompressed wheel of it (DIST_EXTRA_CONFIG), which takes half
the time. Modules are compiled at their first import (PIP_COMPILE=0), which saves most of 20 s.
Known weakness: PySpark is installed even for a run that does not use it.
"""
