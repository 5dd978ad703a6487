"""Lightweight updates: what they have written stays, whatever happens next to them."""
