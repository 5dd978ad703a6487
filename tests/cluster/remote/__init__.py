"""Tests of helpers/cluster/remote."""
