"""Tests of pipelines/compare."""
