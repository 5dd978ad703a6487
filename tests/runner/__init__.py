"""Tests of helpers/runner."""
