"""Tests of pipelines/s3."""
