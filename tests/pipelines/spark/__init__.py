"""Tests of pipelines/spark."""
