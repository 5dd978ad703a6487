"""What is verified about ClickHouse: one folder a feature, one topic a file."""
