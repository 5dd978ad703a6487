"""Tests of the docker environment."""
