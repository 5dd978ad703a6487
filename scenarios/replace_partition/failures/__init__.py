"""Crashes, restarts, killed queries, lost clients and damaged parts."""
