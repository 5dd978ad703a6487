"""Tests of helpers/report/page."""
