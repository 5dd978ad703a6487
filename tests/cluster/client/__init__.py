"""Tests of helpers/cluster/client."""
