"""REPLACE PARTITION by itself: its forms, its clauses, its sources, and what it leaves alone."""
