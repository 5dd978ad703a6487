"""The explorer: random histories of partition statements, compared with a model, shrunk to short SQL."""
