"""Tests of pipelines/export."""
