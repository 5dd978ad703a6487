"""Markdown specifications become a typed model and importable TestFlows requirements.

Entry points: `parse.parse` (text to `document`), `model` (what a specification says), `emit` (the Python
module), `toc` (the table of contents).
The way is text → document → model → module.
Must not import the checker.
"""
