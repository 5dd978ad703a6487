"""Indexes leave out what a query does not need, and nothing else."""
