"""Tests of pipelines/clickhouse."""
