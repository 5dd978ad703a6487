"""Tests of the launchers: set-up, its failures, Java and the ./test command."""
