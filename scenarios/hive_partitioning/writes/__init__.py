"""Writing hive-partitioned data with the S3 engine."""
