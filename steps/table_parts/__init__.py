"""Verbs for parts: their files, their life, and what the logs say of them."""
