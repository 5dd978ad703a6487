"""Markdown specifications become a typed model and importable TestFlows requirements."""
