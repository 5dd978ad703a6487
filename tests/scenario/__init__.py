"""Tests of helpers/scenario."""
