"""Verbs for parts: their files, their life, and what the logs say of them.

Entry points: `part_life` (merge, mutate, detach, attach), `part_files` (what lies in a part's folder),
`part_snapshots` (what must not change), `part_events` (system.part_log), `part_readers` (readers
meanwhile), `killed_writes`.
"""
