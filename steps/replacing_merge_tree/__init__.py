"""Verbs for ReplacingMergeTree: tables, histories of rows, and what has to be left of them."""
