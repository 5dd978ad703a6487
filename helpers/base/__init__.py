"""What every other package may use: errors, files, paths, time limits, signals, escaping, parsers.

Entry points: `errors.UsageError` and `EnvironmentFailed` (each knows its exit code), `paths.ROOT`,
`time_limits.scaled`, `signals`, `arguments.Parser`.
Must not import anything else of this project but pipelines.system.
"""
