"""Reading hive-partitioned data from an object store and from files."""
