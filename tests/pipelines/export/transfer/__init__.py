"""Tests of pipelines/export/transfer."""
