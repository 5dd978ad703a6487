"""Exports that are compared with their source again."""
