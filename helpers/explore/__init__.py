"""The explorer: random histories of partition statements, compared with a model, shrunk to short SQL."""

# Here and not in profiles.py, because --help shows them and must not wait for libraries to be imported.
PROFILE_NAMES = ("sequential", "concurrent", "crash")
