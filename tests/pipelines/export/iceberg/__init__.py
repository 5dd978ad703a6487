"""Exports that are registered in Iceberg."""
