"""Tests of helpers/cluster/binary."""
