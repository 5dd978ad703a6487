"""Verbs for REPLACE PARTITION: statements that run at the same time, damage, conditions, versions.

Entry points: `held_statements` (REPLACE PARTITION that lasts as long as a scenario needs),
`concurrent_statement` (another statement meanwhile), `damaged_partitions`, `conditions` (pairs of tables
that differ), `version_matrix`.
Known weakness: holding REPLACE PARTITION needs throttled reads or a frozen store, see `HOLDING`.
"""
