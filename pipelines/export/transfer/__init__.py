"""Bytes of a part from ClickHouse to the store: the task that uploads a segment, and the joined footer.

Entry points: `upload.upload_segment`, `parquet_join.join`, `retries.retried`. Rows never enter Java.
"""
