"""Hive partitioning, specified by SRS-045: reading and writing `key=value` directories."""
