"""Tests of helpers/cli."""
