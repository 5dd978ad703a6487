"""Processes, locks and waiting: the one floor that pipelines and helpers share.

Entry points: `waiting.poll`, `locks`, `parent_death` (a child ends when its parent does).
Imports nothing of the project.
"""
