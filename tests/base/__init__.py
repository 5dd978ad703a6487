"""Tests of helpers/base."""
