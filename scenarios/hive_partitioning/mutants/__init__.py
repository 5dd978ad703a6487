"""What a broken server could do to hive-partitioned data (helpers/sensitivity)."""
