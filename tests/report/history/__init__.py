"""Tests of helpers/report/history."""
