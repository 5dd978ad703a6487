"""Verbs for exports of parts: destinations, the statement, kills, and an account of every row."""
