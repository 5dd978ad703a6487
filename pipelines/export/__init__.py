"""EXPORT PART for any ClickHouse: parts of MergeTree tables become Hive-partitioned Parquet on S3.

Entry points: `exporter.Exporter.plan()` (reads only) and `.execute()`, `verify`, `statement`.
Order: plan, lock, upload in tasks, check, complete, commit file. Readers see no incomplete part.
"""
