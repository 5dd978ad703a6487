"""Tests of helpers/explore."""
