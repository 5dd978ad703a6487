"""Tests of the sabotage, and sabotage of the framework's own checks."""
