"""How exports stand: asked of the server while they run, shown to a user, and kept in the tables of `--log`.

Entry points: `progress.Monitor`, `log.ExportLog`.
"""
