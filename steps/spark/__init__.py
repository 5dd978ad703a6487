"""Spark in scenarios: the run's session, and data that ClickHouse and Spark exchange.

Entry points: `session` (one Spark session for all workers of a run), `hive_exchange` (folders that one
writes and the other reads), `local_files`.
Must not start a session by itself: the first worker that needs it does.
"""
