"""Tests of helpers/cluster/engines."""
