"""Tests of what scenarios are made of: fixtures and verbs."""
