"""Tests of the command `export`."""
