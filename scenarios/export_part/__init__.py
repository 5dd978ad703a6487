"""EXPORT PART, specified by SRS-015: a part of a MergeTree table as Hive-partitioned files on S3."""
