"""Runs scenarios: which ones, in which worker, with which result and exit code."""
