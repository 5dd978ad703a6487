"""Tests of helpers/runner/supervisor."""
