"""Hive-partitioned data that ClickHouse and DuckDB share: a second reader and writer next to Spark."""
