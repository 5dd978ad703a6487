"""The first run: finds a Python, creates the virtual environment and installs the pinned packages.

Entry points: `bootstrap.prepare` (every start goes through it), `provision.set_up` (the slow path).
`bootstrap` and `virtualenv` are read by any Python 3.6 and import only `os`, `signal` and `sys`.
Known weakness: PySpark is installed even for a run that does not use it.
"""
