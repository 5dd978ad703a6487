"""Tests of helpers/report."""
