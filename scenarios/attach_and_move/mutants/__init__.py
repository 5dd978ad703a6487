"""Broken servers that the scenarios of attach and move must notice."""
