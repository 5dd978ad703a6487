"""Hive-partitioned data on HDFS."""
