"""Sensitivity: mutants change what the product does, and scenarios have to notice.

Entry points: `load` (written mutants, from `scenarios/<feature>/mutants/`), `generated` (mutants made from
the recorded calls of a scenario), `summary.Summary` (what all of them prove), `equivalents.toml` (mutants
that change nothing, with reasons).
Must not import runner or reports: the runner executes a mutant as part of a job.
Known weakness: a mutant counts as noticed wherever its scenario ends differently, also before its own
check.
"""
