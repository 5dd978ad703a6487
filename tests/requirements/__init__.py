"""Tests of the compiler and checker of specifications."""
