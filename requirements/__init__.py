"""Specifications (Markdown) and what they compile to (Requirement objects)."""
