"""Verbs for REPLACE PARTITION: statements that run at the same time, damage, conditions, versions."""
