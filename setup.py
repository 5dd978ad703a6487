"""Refuses to be installed: the project runs where it is checked out, and sets itself up there.

A wheel would put `helpers`, `steps`, `scenarios` among everybody's packages, without configs/ and commands.
pyproject.toml names this file as its build backend, so `pip install .` ends with the text below.
"""

import sys

TEXT = """\
This project is not installed; it runs where it is checked out and sets itself up there. Use instead:
  ./regression.py                 runs the regression
  ./regression.py export --help   exports parts of tables to S3
"""

sys.exit(TEXT)
