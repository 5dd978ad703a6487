"""Tests of helpers/deviations."""
