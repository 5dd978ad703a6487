"""Spark as the second opinion; usable without the framework."""
