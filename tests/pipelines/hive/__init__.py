"""Tests of pipelines/hive."""
