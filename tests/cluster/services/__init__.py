"""Tests of helpers/cluster/services."""
