"""Tests of helpers/faults."""
