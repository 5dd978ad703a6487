"""ClickHouse and Spark on the same hive-partitioned data."""
