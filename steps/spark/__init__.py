"""Spark in scenarios: the run's session, and data that ClickHouse and Spark exchange."""
