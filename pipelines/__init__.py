"""Spark beside ClickHouse: reads, writes, exports and compares tables; usable without the framework."""
