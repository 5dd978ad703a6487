"""Hive's folder names, and Parquet files on S3 in folders named after their values.

Entry points: `layout`, `data_source`.
"""
