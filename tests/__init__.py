"""Tests of the machinery: launchers, environments, requirements, reports."""
