"""Tests of pipelines/generate."""
