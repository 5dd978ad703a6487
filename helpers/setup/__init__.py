"""The first run: finds a Python, creates the virtual environment, installs the pinned packages in stages.

Entry points: `bootstrap.prepare` (every start goes through it), `provision.set_up` (the slow path), `later`
(Spark's packages). `bootstrap` and `virtualenv` are read by any Python 3.6 and import only `os`, `signal`,
`sys`.

constraints.txt is all that set-up reads: its sections are the stages. `run` is 265 MB and takes 14 s of
processor time, `spark` 582 MB and 10 s; a run installs the latter while it executes scenarios that need none
of it. PySpark is published as source only. pip makes an uncompressed wheel of it (DIST_EXTRA_CONFIG), which
takes half the time. Modules are compiled at their first import (PIP_COMPILE=0), which saves most of 20 s. pip
resolves nothing (--no-deps) and builds in the environment itself.
Known weakness: when a set-up is killed, the build of one package may run on for seconds, in a folder that
the next one removes.
"""
